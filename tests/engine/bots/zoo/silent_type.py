"""Begins with an answer instead of a ready."""

import sys

for _line in sys.stdin:
    print('{"id": 1, "say": "1o"}', flush=True)
