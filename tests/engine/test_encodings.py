"""The decoder of uploaded texts."""

import codecs

import pytest

from engine import decode_text

TEXT = "Begoña Úbeda;Jesús Ibáñez – 5 €\r\n"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("cp1252", "windows-1252"),
    ],
)
def test_a_text_is_decoded_and_its_encoding_named(encoding: str, name: str) -> None:
    assert decode_text(TEXT.encode(encoding)) == (TEXT, name)


def test_utf_16_is_told_by_its_mark_in_both_orders() -> None:
    big = codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be")
    assert decode_text(big) == (TEXT, "utf-16")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_told_by_its_zero_bytes(encoding: str) -> None:
    assert decode_text(TEXT.encode(encoding)) == (TEXT, "utf-16")


def test_an_empty_text_is_utf_8() -> None:
    assert decode_text(b"") == ("", "utf-8")


@pytest.mark.parametrize(
    "source", [b"\xff\x00\xfa", b"Ana\x81", b"\xff\xfea", b"PK\x03\x04\x00\xe9"]
)
def test_bytes_that_are_no_text_are_refused(source: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        decode_text(source)
