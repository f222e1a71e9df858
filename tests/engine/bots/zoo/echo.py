"""Answers everything twice."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        print(
            2 * (json.dumps({"id": message["id"], "say": message["legal"][0]}) + "\n"),
            end="",
            flush=True,
        )
