"""Answers, but late."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        time.sleep(1.5)
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
