"""Wants eight gibibytes at once."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        block = bytearray(8 << 30)
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
