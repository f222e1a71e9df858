"""Reading a PDF as fpdf2 writes it: the texts of each page, by the fonts' own tables of letters."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
STREAM = re.compile(rb"stream\n(.*)\nendstream", re.DOTALL)
SHOWN = re.compile(
    rb"/F(?P<font>\d+) (?P<size>[\d.]+) Tf"
    rb"|BT (?P<x>[\d.]+) (?P<y>[\d.]+) Td [^(]*\((?P<text>(?:\\.|[^\\)])*)\) Tj",
    re.DOTALL,
)
ESCAPES = {b"\\n": b"\n", b"\\r": b"\r", b"\\t": b"\t", b"\\b": b"\b", b"\\f": b"\f"}


class Text(NamedTuple):
    """A text and its place, in points from the lower left corner."""

    text: str
    x: float
    y: float
    font: int
    size: float


def pages_of(pdf: bytes) -> list[list[Text]]:
    """Return the texts of each page in the order in which they were written."""
    objects = {int(occurrence[1]): occurrence[2] for occurrence in OBJECT.finditer(pdf)}
    fonts = {
        int(name): _letters(objects, int(key))
        for body in objects.values()
        for fonts in re.findall(rb"(?s)/Font <<(.*?)>>", body)
        for name, key in re.findall(rb"/F(\d+) (\d+) 0 R", fonts)
    }
    return [
        list(_texts(_content(objects, body), fonts))
        for body in objects.values()
        if re.search(rb"/Type /Page\b(?!s)", body)
    ]


def words_of(pdf: bytes) -> list[str]:
    """Return the text of each page, a line a text."""
    return ["\n".join(text.text for text in page) for page in pages_of(pdf)]


def _content(objects: dict[int, bytes], page: bytes) -> bytes:
    pattern_match = re.search(rb"/Contents (\d+) 0 R", page)
    assert pattern_match
    stream = STREAM.search(objects[int(pattern_match[1])])
    assert stream
    return zlib.decompress(stream[1])


def _letters(objects: dict[int, bytes], key: int) -> dict[int, str]:
    pattern_match = re.search(rb"/ToUnicode (\d+) 0 R", objects[key])
    assert pattern_match
    pairs = re.findall(rb"<([0-9A-Fa-f]{4})> <([0-9A-Fa-f]+)>", objects[int(pattern_match[1])])
    return {
        int(code, 16): bytes.fromhex(letters.decode()).decode("utf-16-be")
        for code, letters in pairs
    }


def _texts(content: bytes, fonts: dict[int, dict[int, str]]) -> list[Text]:
    texts, font, size = [], 0, 0.0
    for part in SHOWN.finditer(content):
        if part["font"]:
            font, size = int(part["font"]), float(part["size"])
            continue
        raw = re.sub(rb"\\(.)", _unescaped, part["text"], flags=re.DOTALL)
        codes = [int.from_bytes(raw[n : n + 2], "big") for n in range(0, len(raw), 2)]
        text = "".join(fonts[font][code] for code in codes)
        texts.append(Text(text, float(part["x"]), float(part["y"]), font, size))
    return texts


def _unescaped(pattern_match: re.Match[bytes]) -> bytes:
    return ESCAPES.get(pattern_match[0], pattern_match[1])
