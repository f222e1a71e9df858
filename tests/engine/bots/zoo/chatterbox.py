"""Answers with a field that the protocol does not have."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        answer = {"id": message["id"], "say": message["legal"][0], "why": "because"}
        print(json.dumps(answer), flush=True)
