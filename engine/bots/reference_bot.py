"""The reference bot: plays the first legal token. Run as a program it needs nothing but Python.

Where it does not get through its questions, no bot would: then the machine is at fault.
"""

import json
import sys


def main() -> None:
    """Answer messages until there are no more."""
    for line in sys.stdin:
        message = json.loads(line)
        answer = None
        if message["type"] == "hello":
            answer = {"type": "ready", "protocol": message["protocol"], "name": "reference"}
        elif message["type"] == "ask":
            answer = {"id": message["id"], "say": message["legal"][0]}
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
