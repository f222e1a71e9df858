"""Amounts and codes are read as people write them."""

import doctest

import pytest

from tournaments.domain import codes, money
from tournaments.domain.codes import read_code
from tournaments.domain.money import read_cents


def test_the_examples_hold() -> None:
    assert doctest.testmod(codes).failed == doctest.testmod(money).failed == 0


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("10 €", 1000),
        ("€10", 1000),
        ("20,-", 2000),
        ("20,—", 2000),
        ("1 000", 100000),
        ("1 000,5 €", 100050),
        ("1.000,50", 100050),
        ("1,000.50", 100050),
        ("1.000", 100000),
        ("12,5 euros", 1250),
        ("0.05", 5),
    ],
)
def test_an_amount_is_read(text: str, cents: int) -> None:
    assert read_cents(text) == cents


@pytest.mark.parametrize(
    "text", ["1e3", "1_000", "1.00,50", "1.0000", "1,000,50", "12.345.6", "diez", "", "1 00", "٣"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no amount"):
        read_cents(text)


@pytest.mark.parametrize(
    "text",
    [
        "abcd 2345",
        "ABCD-2345 ",
        "ABCD‑2345\u200b",
        "https://baza.example/t/copa/come/?code=abcd2345",
        "Guarda este enlace: https://baza.example/t/copa/come/?to=x&code=ABCD2345 ¡Suerte!",
    ],
)
def test_a_code_is_read(text: str) -> None:
    assert read_code(text) == "ABCD2345"
