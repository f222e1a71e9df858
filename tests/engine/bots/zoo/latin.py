"""Answers in bytes that are not UTF-8."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        sys.stdout.buffer.write(b'{"id": 1, "say": "\xe1"}\n')
        sys.stdout.buffer.flush()
