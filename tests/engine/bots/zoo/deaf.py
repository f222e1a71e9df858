"""Ignores every signal that can be ignored, and stays."""

import json
import signal
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCONT):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(3600)
