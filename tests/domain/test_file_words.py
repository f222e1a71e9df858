"""Every refusal of a file and every finding of a check has its sentence, in both languages."""

import re
from collections.abc import Iterator

import pytest

from tournaments.domain.words import TEXTS
from tournaments.environment import ROOT

DOMAIN = ROOT / "tournaments" / "domain"
READERS = sorted(path for room in ("file", "trf") for path in (DOMAIN / room).glob("*.py"))
FIELD = re.compile(r"\{(\w+)")


def found(pattern: str, *names: str) -> Iterator[str]:
    files = [DOMAIN / name for name in names] if names else READERS
    for path in files:
        yield from re.findall(pattern, path.read_text(encoding="utf-8"))


def test_every_refusal_has_a_sentence() -> None:
    codes = set(found(r"FileError\(\s*\"(\w+)\""))
    assert len(codes) > 15
    assert {f"file.{code}" for code in codes} <= TEXTS.keys()


def test_everything_expected_has_a_name() -> None:
    codes = set(found(r"wrong\([^()]*(?:\([^()]*\))?[^()]*, \"(\w+)\", \w+\)"))
    assert len(codes) > 6
    assert {f"file.expected.{code}" for code in codes} <= TEXTS.keys()


def test_every_finding_has_a_sentence() -> None:
    codes = set(found(r"Finding\(\s*\"(\w+)\"", "verification.py"))
    codes |= set(found(r"\"check_\w+\": \"(\w+)\"", "verification.py"))
    assert len(codes) > 15
    assert {f"verify.{code}" for code in codes} <= TEXTS.keys()


@pytest.mark.parametrize("code", sorted(c for c in TEXTS if c.startswith(("file.", "verify."))))
def test_both_languages_tell_the_same_facts(code: str) -> None:
    spanish, english = (set(FIELD.findall(TEXTS[code][n])) for n in range(2))
    assert spanish == english
