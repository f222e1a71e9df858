"""Says the same field twice."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        token = message["legal"][0]
        print(f'{{"id": {message["id"]}, "say": "{token}", "say": "{token}"}}', flush=True)
