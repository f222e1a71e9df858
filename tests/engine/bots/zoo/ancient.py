"""Speaks a protocol of before."""

import json
import sys

for _line in sys.stdin:
    print(json.dumps({"type": "ready", "protocol": "baza-bot/0"}), flush=True)
