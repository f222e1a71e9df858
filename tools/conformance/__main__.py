"""`python -m tools.conformance`: writes the suite, or compares it with what it would write."""

import argparse
import sys

from engine.conformance import KINDS, SUITE
from tools.conformance.suite import lines_of


def main() -> int:
    """Write or compare each file; 1 where one differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.conformance", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    check = parser.parse_args().check
    differing = 0
    for kind in KINDS:
        path = SUITE / "cases" / f"{kind}.ndjson"
        lines = lines_of(kind)
        text = "".join(lines)
        differs = not path.exists() or path.read_text(encoding="utf-8") != text
        differing += differs
        print(f"{kind:8}{len(lines):6}{len(text.encode()):9}{' differs' if differs else ''}")
        if differs and not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int(check and differing > 0)


if __name__ == "__main__":
    sys.exit(main())
