"""Takes memory bit by bit, and dies when there is no more."""

import json
import os
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        blocks = []
        try:
            while True:
                blocks.append(bytearray(b"x" * (1 << 20)))
        except MemoryError:
            os.abort()
