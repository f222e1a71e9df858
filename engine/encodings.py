"""Decodes the bytes of an uploaded text: UTF-8 with or without its mark, UTF-16, Windows-1252."""

import codecs
from typing import Final

UTF_8: Final = "utf-8"
UTF_8_MARKED: Final = "utf-8-sig"
UTF_16: Final = "utf-16"
WINDOWS_1252: Final = "windows-1252"

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
