"""Falls asleep when it is asked."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        time.sleep(3600)
