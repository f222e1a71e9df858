"""Thinks a little too long about every card."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        ends = time.process_time() + 0.3
        while time.process_time() < ends:
            pass
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
