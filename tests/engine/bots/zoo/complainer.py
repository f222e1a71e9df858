"""Plays well and fills its standard error."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        sys.stderr.write("ay " * 40_000 + f"after {message['id']}\n")
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
