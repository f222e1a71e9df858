"""A fault against the duties of play reads as people say it at a table."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

import engine
from tournaments.core.templatetags import fault_at_table

EXPLAINED = "D jugó 6b, pero debe asistir a 2o: 6o o 5o"


def said(code: str, card: str, legal: tuple[str, ...], language: str = "es", **facts: Any) -> str:
    fault = engine.Fault(code, "R4.2", seat="D", card=card, legal=legal, facts=facts)
    with override(language):
        return fault_at_table(fault, "Pepe Bielsa", EXPLAINED)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("es", "Pepe Bielsa jugó el seis de bastos; salían oros y tenía el seis y el cinco."),
        (
            "en",
            (
                "Pepe Bielsa played the six of clubs; coins were led, and at hand there was the "
                "six and the five."
            ),
        ),
    ],
)
def test_a_suit_that_was_not_followed(language: str, sentence: str) -> None:
    assert said("play.must_follow", "6b", ("6o", "5o"), language, led="2o") == sentence


def test_a_card_that_had_to_be_beaten_names_each_card() -> None:
    assert said("play.must_overtrump", "4e", ("Se", "1e"), best="7e") == (
        "Pepe Bielsa jugó el cuatro de espadas; había que pisar el siete de espadas y tenía la "
        "sota de espadas y el as de espadas."
    )


def test_a_trump_that_was_kept_and_a_card_of_another_hand() -> None:
    assert said("play.must_trump", "4e", ("7b",)).endswith("y tenía el siete de bastos.")
    assert said("play.not_held", "4e", ("7b", "Ro")).endswith(
        "el siete de bastos y el rey de oros."
    )


def test_what_has_no_such_words_keeps_its_sentence() -> None:
    assert said("score.points", "4e", ("7b",)) == EXPLAINED
    fault = engine.Fault("play.must_follow", "R4.2", card="6b", legal=("6o",))
    assert fault_at_table(fault, "", EXPLAINED) == EXPLAINED
