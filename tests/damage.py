"""SQLite files with a wrong byte."""

import contextlib
import sqlite3
from pathlib import Path


def damaged_file(path: Path) -> None:
    """Write a database of some pages, one of which holds nonsense."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE lines (text)")
        file.executemany("INSERT INTO lines VALUES (?)", [("line " * 100,)] * 100)
        file.commit()
    content = bytearray(path.read_bytes())
    content[3 * 4096 : 3 * 4096 + 64] = b"\xff" * 64
    path.write_bytes(content)
