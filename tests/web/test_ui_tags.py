"""The words and pictures that templates put in for cards, suits, calls and states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.template import Context, Template
from django.utils import translation

from engine import CARD_NAMES
from tournaments.core import templatetags

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def rendered(source: str, **context: object) -> str:
    return Template("{% load ui %}" + source).render(Context(context))


def test_every_card_of_the_deck_has_a_name_of_its_own() -> None:
    names = {templatetags.card_name(code) for code in CARD_NAMES}
    assert len(names) == 40
    assert templatetags.card_name("1o") == "Ace of coins"
    assert templatetags.card_name("Cb") == "Knight of clubs"


def test_a_drawn_card_is_a_picture_with_an_accessible_name() -> None:
    html = rendered('{% card "Re" %}')
    assert 'role="img" aria-label="King of swords"' in html
    assert 'cards/deck.svg#card-Re"' in html


def test_a_card_that_is_none_writes_nothing_of_its_own_into_the_page() -> None:
    html = str(templatetags.card("1o", state='"><script>'))
    assert "<script>" not in html


def test_a_card_turned_down_does_not_tell_its_face() -> None:
    html = rendered('{% card "back" %}')
    assert 'aria-label="Face-down card"' in html
    assert "#card-back" in html


@pytest.mark.parametrize(
    ("code", "legal", "bad", "mark"),
    [
        ("2c", ["Rc"], "2c", "playing-card playing-card--bad"),
        ("Rc", ["Rc"], "2c", "playing-card playing-card--legal"),
        ("7b", ["Rc"], "2c", "playing-card playing-card--muted"),
        ("7b", [], None, "playing-card"),
    ],
)
def test_a_card_in_hand_is_marked_by_what_the_rules_allow(
    code: str, legal: list[str], bad: str | None, mark: str
) -> None:
    assert f'class="{mark}" data-card="{code}"' in templatetags.card(code, legal=legal, bad=bad)


def test_a_mark_is_said_as_well_as_shown() -> None:
    html = rendered('{% card "2c" state="bad" %}')
    assert "playing-card--bad" in html
    assert 'aria-label="Two of cups (against the rules)"' in html


def test_a_hand_of_unmarked_cards_needs_neither_legal_nor_bad() -> None:
    html = rendered(
        '{% include "ui/hand.html" with cards=cards label="x" only %}', cards=["1o", "7c"]
    )
    assert html.count("<li>") == 2
    assert "playing-card--" not in html


@pytest.mark.parametrize(
    ("token", "words", "short"),
    [
        ("A:40", "the forty", "40"),
        ("B:20c", "the twenty in cups", "20 cups"),
        ("C:tuteR", "tute of kings", "tute"),
    ],
)
def test_a_declaration_is_reported_in_words(token: str, words: str, short: str) -> None:
    assert templatetags.call_name(token) == words
    assert templatetags.call_short(token) == short


def test_a_badge_has_its_word_and_not_only_its_colour() -> None:
    html = rendered('{% state_badge "disputed" %}')
    assert "badge--warn" in html
    assert "Disputed" in html


def test_a_word_that_is_no_state_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        templatetags.state_badge("nonsense")
