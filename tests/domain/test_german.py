"""Whatever the domain says, it says in German too."""

from string import Formatter

import pytest

from tournaments.domain.pairing.base import Why
from tournaments.domain.words import TEXTS, explain, german, text_of


def test_nothing_is_left_untranslated_and_nothing_is_said_in_german_alone() -> None:
    assert set(german.TEXTS) == set(TEXTS)


@pytest.mark.parametrize("code", TEXTS)
def test_a_german_text_tells_what_the_english_one_tells(code: str) -> None:
    _, english = TEXTS[code]
    assert fields(german.TEXTS[code]) == fields(english)
    assert bool(german.TEXTS[code]) == bool(english)


def test_a_pairing_is_explained_in_german() -> None:
    why = Why("swiss_level", 1, (1, 2), {"points": "3"})
    said = explain(why, {1: "Anna", 2: "Ben"}.__getitem__, "de")
    assert said == "Anna und Ben haben dieselben Punkte (3)."
    assert text_of("profile.knockout", "de") == "K.-o."
    assert text_of("profile.knockout", "fi") == text_of("profile.knockout", "es")


def fields(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}
