"""Runs a hundred threads at once."""

import json
import sys
import threading
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        threading.stack_size(65536)
        for _ in range(100):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
        time.sleep(3600)
