"""Compiles the catalogues of translations that have no compiled file or an older one.

Standard library only, because `bootstrap.py` and the builds of the wheels run it before
anything is installed. It writes the bytes of polib's `to_binary`; a test compares them.
"""

from __future__ import annotations

import ast
import os
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC = 0x950412DE
HEAD = 28  # bytes: seven numbers before the two tables of lengths and offsets
FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+(".*)')


def compile_old(root: Path) -> None:
    """Compile every catalogue below `root` whose compiled file is missing or older."""
    for path in sorted(root.glob("*/locale/*/LC_MESSAGES/*.po")):
        compiled = path.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime_ns < path.stat().st_mtime_ns:
            # Two processes may compile at once, and a third may be reading.
            new = compiled.with_suffix(f".{os.getpid()}")
            new.write_bytes(to_binary(path.read_text(encoding="utf-8")))
            new.replace(compiled)


def to_binary(text: str) -> bytes:
    """Return a catalogue as GNU gettext's binary file: no fuzzy and no untranslated messages."""
    messages = dict(filter(None, map(compiled_message, read_entries(text))))
    keys = sorted(messages)
    lengths, starts, translations = [], [], []
    ids = values = b""
    for key in keys:
        lengths.append((len(key), len(messages[key])))
        starts.append((len(ids), len(values)))
        ids += key + b"\0"
        values += messages[key] + b"\0"
    first = HEAD + 16 * len(keys)
    originals = [n for at, length in enumerate(lengths) for n in (length[0], first + starts[at][0])]
    translations = [
        n
        for at, length in enumerate(lengths)
        for n in (length[1], first + len(ids) + starts[at][1])
    ]
    head = struct.pack("Iiiiiii", MAGIC, 0, len(keys), HEAD, HEAD + 8 * len(keys), 0, first)
    return head + struct.pack(f"{4 * len(keys)}i", *originals, *translations) + ids + values


def read_entries(text: str) -> Iterator[dict[str, str]]:
    """Yield the fields of each message; the field `fuzzy` is there where it is so marked."""
    entry: dict[str, str] = {}
    field = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                entry["fuzzy"] = line
            continue
        found = FIELD.match(line)
        # gettext accepts messages without a blank line between them.
        begins = found and found[1] in {"msgctxt", "msgid"} and "msgstr" in "".join(entry)
        if (begins or not line) and "msgid" in entry:
            yield entry
            entry = {}
        if found:
            field = found[1]
            entry[field] = ast.literal_eval(found[2])
        elif line:
            entry[field] += ast.literal_eval(line)
    if "msgid" in entry:
        yield entry


def compiled_message(entry: dict[str, str]) -> tuple[bytes, bytes] | None:
    """Return key and value of a message in the binary file, None for one that is left out."""
    forms = [entry[name] for name in sorted(entry) if name.startswith("msgstr")]
    if not all(forms) or (entry["msgid"] and "fuzzy" in entry):
        return None
    key = "\0".join(entry[name] for name in ("msgid", "msgid_plural") if name in entry)
    if "msgctxt" in entry:
        key = f"{entry['msgctxt']}\x04{key}"
    return key.encode(), "\0".join(forms).encode()


if __name__ == "__main__":
    compile_old(Path(__file__).resolve().parent.parent)
