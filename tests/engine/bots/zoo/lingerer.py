"""Plays well, and then will not go."""

import json
import signal
import sys
import time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
while True:
    time.sleep(3600)
