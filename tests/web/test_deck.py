"""The drawn deck: forty cards and a back, in one file that pages may use under a strict policy."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from tools.deck.__main__ import SPRITE
from tools.deck.pips import PINTA, frame
from tools.deck.sheet import RANKS, SUITS, deck

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def sprite() -> ET.Element:
    return ET.fromstring(SPRITE.read_bytes())  # noqa: S314 - our own file


def test_the_committed_deck_is_what_the_program_draws() -> None:
    assert SPRITE.read_text(encoding="utf-8") == deck(), "run python -m tools.deck and commit"


def test_there_is_a_drawing_for_every_card_and_for_the_back(sprite: ET.Element) -> None:
    symbol_ids = [symbol.get("id") for symbol in sprite.iter(f"{SVG}symbol")]
    forty = [f"card-{rank}{suit}" for suit in SUITS for rank in RANKS]
    assert len(forty) == 40
    assert symbol_ids == [*forty, "card-back"]


def test_no_two_cards_look_alike(sprite: ET.Element) -> None:
    drawings = {ET.tostring(symbol).split(b">", 1)[1] for symbol in sprite.iter(f"{SVG}symbol")}
    assert len(drawings) == 41


def test_every_drawing_that_a_card_repeats_is_in_the_file(sprite: ET.Element) -> None:
    ids = {element.get("id") for element in sprite.iter()}
    used = {str(use.get("href")) for use in sprite.iter(f"{SVG}use")}
    assert used <= {f"#{name}" for name in ids}


@pytest.mark.parametrize(("suit", "breaks"), [("o", 0), ("c", 1), ("e", 2), ("b", 3)])
def test_the_pinta_shows_the_suit_by_the_breaks_of_the_frame(suit: str, breaks: int) -> None:
    """None in coins, one in cups, two in swords, three in clubs, above and below."""
    assert PINTA[suit] == breaks
    top_and_bottom = re.findall(r"M[\d.]+ (8|300)(?=[HM])", frame(suit))
    assert top_and_bottom.count("8") == top_and_bottom.count("300") == breaks + 1


def test_the_deck_obeys_a_strict_content_security_policy(sprite: ET.Element) -> None:
    for element in sprite.iter():
        assert element.tag.removeprefix(SVG) not in {"style", "script", "foreignObject", "image"}
        assert not {name for name in element.attrib if name == "style" or name.startswith("on")}


def test_the_deck_is_light_enough_for_a_phone() -> None:
    assert SPRITE.stat().st_size < 150_000  # bytes, before compression
