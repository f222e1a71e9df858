"""A whole hand for readers: what is shown at each step, and the list of tricks."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.template import Context, Template
from django.utils import translation

import engine
from engine import Fault, Frame
from tournaments.analysis.templatetags import tricks
from tournaments.results import templatetags

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = {"A": "Ana", "B": "Bea", "C": "Carlos", "D": "Diego"}
DEAL = {
    "A": "4b 2e 7c 3o 5b 3e Cb Re 5e 6c",
    "B": "6e Co Rc 7e 7b Ro 7o 6o Se 6b",
    "C": "3c So 1c 4e 2b 5c Sb 4c 1o Sc",
    "D": "4o Ce 2o 2c 1b Rb 5o 3b Cc 1e",
}
PLAY = (
    "2e Se 4e 1e B:20o 2o 3o 6o 1o 4c Cc 6c Rc 6e Sb Ce 3e 1c 2c 7c 6b 7o So 4o Cb 5e 7e 2b Rb"
    " 5o 4b Co 3c 5b 7b 5c 1b 3b Re Ro Sc"
)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def record(play: str = PLAY) -> dict[str, Any]:
    return {
        "format": "baza/1",
        "ruleset": "parejas-online",
        "seats": list(NAMES.values()),
        "hands": [{"dealer": "D", "trump": "Rb", "deal": DEAL, "play": play}],
    }


def frames(play: str = PLAY) -> tuple[Frame, ...]:
    return engine.frames(engine.parse_record(record(play)), 0)


def declarations_of(play: str = PLAY) -> list[str]:
    return [step["says"] for step in templatetags.frames_as_json(frames(play), NAMES, "Rb", "D")]


def stepper_html(play: str = PLAY, fault: Fault | None = None, words: str = "") -> str:
    template = Template('{% load hands %}{% hand_stepper frames names "Rb" "D" fault words %}')
    context = {"frames": frames(play), "names": NAMES, "fault": fault, "words": words}
    return template.render(Context(context))


def book(html: str) -> dict[str, Any]:
    pattern_match = re.search(r'<script id="frames" type="application/json">(.*?)</script>', html)
    assert pattern_match
    read: dict[str, Any] = json.loads(pattern_match[1])
    return read


def test_the_first_step_shows_dealer_trumps_and_who_leads() -> None:
    assert declarations_of()[0] == "Diego deals, trumps are clubs, Ana leads."


def test_every_token_has_its_sentence() -> None:
    assert len(declarations_of()) == len(PLAY.split()) + 1
    assert declarations_of()[1] == "Ana plays the two of swords."
    assert declarations_of()[5] == "Bea declares the twenty in coins."


def test_the_card_that_ends_a_trick_shows_who_took_it_and_for_how_much() -> None:
    assert declarations_of()[4] == "Diego plays the ace of swords. Diego takes trick 1: 13 points."


def test_the_last_step_counts_the_last_ten_and_shows_the_result() -> None:
    last = declarations_of()[-1]
    assert "Diego takes trick 10: 30 points." in last
    assert last.endswith("End of the hand: Ana / Carlos 54, Bea / Diego 96.")


def test_the_list_has_ten_tricks_with_the_points_after_their_declarations() -> None:
    rows = tricks(frames())
    assert [trick.number for trick in rows] == list(range(1, 11))
    assert rows[0].cards == (("A", "2e"), ("B", "Se"), ("C", "4e"), ("D", "1e"))
    assert (rows[0].won, rows[0].step, rows[0].calls) == ("D", 4, ("B: 20 coins",))
    assert rows[0].points == {"AC": 0, "BD": 33}
    assert rows[-1].points == {"AC": 54, "BD": 96}


def test_the_page_without_scripts_shows_the_deal_every_trick_and_the_result() -> None:
    html = stepper_html()
    deal, _, after = html.partition('class="tricks"')
    assert deal.count('class="playing-card') == 41  # forty dealt and the trump card
    assert after.partition("<script")[0].count("data-trick=") == 10
    assert re.search(r"data-points>\s*96\s*<", html)


def test_the_page_carries_every_step_and_the_name_of_every_card_for_the_script() -> None:
    carried = book(stepper_html())
    assert len(carried["steps"]) == 42
    assert len(carried["cards"]) == 41
    assert carried["cards"]["1o"] == "Ace of coins"
    assert carried["calls"] == {"B:20o": "B: 20 coins"}
    assert set(carried["steps"][7]) >= {"token", "seat", "turn", "hands", "table", "trick"}


def test_where_the_play_breaks_off_the_last_step_marks_the_card() -> None:
    """R4.2: Bea holds swords and must follow."""
    verdict = engine.audit(record("2e 7b"))
    fault = verdict.faults[0]
    assert fault.code == "play.must_follow"
    last = book(stepper_html("2e 7b", fault, "Bea must follow."))["steps"][-1]
    assert (last["bad"], last["turn"], last["stopped"]) == ("7b", "B", True)
    assert sorted(last["legal"]) == sorted(fault.legal)
    assert last["says"] == "Bea must follow."


def test_a_hand_that_stopped_before_its_first_trick_says_so() -> None:
    assert "No trick was completed." in stepper_html("2e")


@pytest.mark.parametrize("ruleset", sorted(engine.RULESETS))
def test_a_hand_of_every_game_shows_who_sits_there_and_names_all_its_cards(ruleset: str) -> None:
    """Two and three sit at some tables, and cards are drawn from the stock."""
    rules = engine.RULESETS[ruleset]
    bots = {seat: engine.HOUSE_BOTS["simple"](b"") for seat in rules.seats}
    names = dict(zip(rules.seats, NAMES.values(), strict=False))
    played = engine.play_match(rules, bots, b"", "a hand", tuple(names.values()))
    steps = engine.frames(engine.parse_record(played), 0)
    hand = played["hands"][0]
    template = Template("{% load hands %}{% hand_stepper steps names trump dealer %}")
    html = template.render(Context({"steps": steps, "names": names, **hand}))
    assert re.findall(r'data-hand-of="(.)"', html) == list(rules.seats)
    assert re.findall(r'data-place="(.)"', html) == list(rules.seats)
    cards = {token for token in hand["play"].split() if ":" not in token}
    assert cards <= set(book(html)["cards"])


def test_what_is_said_besides_declarations_has_its_verb() -> None:
    """R5, R8.4: an exchange and a refusal of the plate are no declarations."""
    frame = replace(frames()[0], seat="A")
    says = [
        templatetags.frames_as_json([frame, replace(frame, token=token)], NAMES, "Rb", "D")[1][
            "says"
        ]
        for token in ("A:x7", "A:paso", "A:40")
    ]
    assert says == ["Ana exchanges the seven.", "Ana passes.", "Ana declares the forty."]
