"""Splits in two."""

import json
import os
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        if os.fork() == 0:
            time.sleep(3600)
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
