"""Answers with the number of another question."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"id": message["id"] + 1, "say": message["legal"][0]}), flush=True)
