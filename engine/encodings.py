"""Decodes the bytes of an uploaded text: UTF-8 with or without its mark, UTF-16, Windows-1252."""

import codecs
from typing import Final

UTF_8: Final = "utf-8"
UTF_8_MARKED: Final = "utf-8-sig"
UTF_16: Final = "utf-16"
WINDOWS_1252: Final = "windows-1252"

ENCODING_NAMES: Final = {
    UTF_8: "UTF-8",
    UTF_8_MARKED: "UTF-8 (BOM)",
    UTF_16: "UTF-16",
    WINDOWS_1252: "Windows-1252",
}
"""The encodings as users read them, in any language."""

_MEASURED_BYTES: Final = 1000  # of a text without a mark, to tell UTF-16 by its zero bytes

UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(source: bytes) -> tuple[str, str]:
    r"""Return a text without its byte order mark, and the name of its encoding.

    >>> decode_text("Martínez".encode("cp1252"))
    ('Martínez', 'windows-1252')
    >>> decode_text("\ufeffMartínez".encode())
    ('Martínez', 'utf-8-sig')

    Raises ``UnicodeDecodeError`` for bytes that are none of these.
    """
    if source.startswith(UTF_16_MARKS):
        return source.decode(UTF_16), UTF_16
    if codec := _unmarked_utf16(source):
        return source.decode(codec), UTF_16
    try:
        text = source.decode(UTF_8)
    except UnicodeDecodeError:
        if b"\0" in source:  # no text of Windows, which would decode nearly anything
            raise
        try:
            return source.decode(WINDOWS_1252), WINDOWS_1252
        except UnicodeDecodeError:
            pass
        raise  # the place where it is no UTF-8: what most texts are meant to be
    if text.startswith("\ufeff"):
        return text.removeprefix("\ufeff"), UTF_8_MARKED
    return text, UTF_8


def _unmarked_utf16(source: bytes) -> str:
    """Return the codec of UTF-16 without a mark: every second byte of Western text is zero."""
    start = source[:_MEASURED_BYTES]
    even, odd = start[::2], start[1::2]
    if len(source) % 2 or len(source) < 4:
        return ""
    if odd.count(0) > 0.7 * len(odd) and not even.count(0):
        return "utf-16-le"
    if even.count(0) > 0.7 * len(even) and not odd.count(0):
        return "utf-16-be"
    return ""
