"""Compiles the catalogues of translations whose compiled file is missing or older; standard library only."""

from __future__ import annotations

import ast
import os
import re
import struct


def read(path):
    entries, field, entry = [], None, {}

    def close():
        nonlocal entry
        if entry.get("msgid") is not None:
            entries.append(entry)
        entry = {}

    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line:
            close()
            field = None
            continue
        if line.startswith("#~"):
            continue
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                entry["fuzzy"] = True
            continue
        found = re.match(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+(\".*)", line)
        if found:
            field, text = found.groups()
            if field in ("msgctxt", "msgid") and any(k.startswith("msgstr") for k in entry):
                close()
            entry[field] = ast.literal_eval(text)
        else:
            entry[field] += ast.literal_eval(line)
    close()
    return entries


def compiled(path):
    rows = {}
    for e in read(path):
        if e.get("fuzzy") and e["msgid"]:
            continue
        if "msgid_plural" in e:
            key = e["msgid"] + "\0" + e["msgid_plural"]
            forms = [
                e[k]
                for k in sorted(
                    (k for k in e if k.startswith("msgstr[")), key=lambda k: int(k[7:-1])
                )
            ]
            if not all(forms):
                continue
            value = "\0".join(forms)
        else:
            key, value = e["msgid"], e.get("msgstr", "")
            if not value:
                continue
        if "msgctxt" in e:
            key = e["msgctxt"] + "\x04" + key
        rows[key.encode()] = value.encode()
    keys = sorted(rows)
    ids = values = b""
    offsets = []
    for key in keys:
        offsets.append((len(ids), len(key), len(values), len(rows[key])))
        ids += key + b"\0"
        values += rows[key] + b"\0"
    start = 7 * 4 + 16 * len(keys)
    table1 = [x for o in offsets for x in (o[1], o[0] + start)]
    table2 = [x for o in offsets for x in (o[3], o[2] + start + len(ids))]
    head = struct.pack("Iiiiiii", 0x950412DE, 0, len(keys), 28, 28 + len(keys) * 8, 0, start)
    return head + struct.pack(f"{len(keys) * 4}i", *table1, *table2) + ids + values


def compile_old(root):
    """Compile what is missing or older than its source; eight looks at the disk where nothing is."""
    for path in sorted(root.glob("*/locale/*/LC_MESSAGES/*.po")):
        made = path.with_suffix(".mo")
        if not made.exists() or made.stat().st_mtime_ns < path.stat().st_mtime_ns:
            new = made.with_suffix(f".{os.getpid()}")
            new.write_bytes(compiled(path))
            new.replace(made)
