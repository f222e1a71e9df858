"""The file of a closed round of bots: what a stranger can check without trust."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

import engine
from engine.cli.verify_round import differences
from tests.clubs import NOBODY, SYSTEM
from tests.support.bot_tables import a_bot_round
from tests.support.refusals import refusal
from tournaments.arena.queries.turns import round_file
from tournaments.arena.services.playing import play_match
from tournaments.core.errors import Reason
from tournaments.director.queries.rounds import round_page
from tournaments.director.services.tournaments import close_round
from tournaments.models import Match

if TYPE_CHECKING:
    from tournaments.models import Round

pytestmark = pytest.mark.django_db

OF_A_MATCH: dict[str, dict[str, Any]] = {
    "one record": {"options": {"to": 3}},
    "cotos": {"options": {"to": 2}, "cotos": 2},
    "deal sets": {"options": {"deals": 2}, "deal_sets": 2},
}


def closed(**more: Any) -> Round:
    round_ = a_bot_round(**more)
    for match in Match.objects.due().filter(round=round_):
        play_match(match.pk)
    return close_round(SYSTEM, round_)


def file_of(round_: Round) -> list[str]:
    slug = round_.stage.tournament.slug
    return round_file(slug, round_.number, NOBODY).decode().splitlines()


@pytest.mark.parametrize("ruleset", list(engine.RULESETS))
def test_the_file_of_a_round_holds_under_every_ruleset(ruleset: str) -> None:
    options = {"stakes": "plate"} if ruleset == "arrastrado" else {}
    lines = file_of(closed(ruleset=ruleset, options={"to": 2, **options}))
    assert len(lines) == 2
    assert list(differences(lines)) == []


@pytest.mark.parametrize("kind", OF_A_MATCH)
def test_every_record_of_a_match_is_in_the_file_under_its_deals(kind: str) -> None:
    round_ = closed(**OF_A_MATCH[kind])
    header, *lines = map(json.loads, file_of(round_))
    assert header["commitment"] == round_.commitment
    (match,) = round_.matches.all()
    assert len(lines) == match.records.count()
    assert list(differences(file_of(round_))) == []
    sets = [line["label"] for line in lines]
    if kind == "deal sets":
        assert sets == [f"{match.label}/{number}" for number in (1, 1, 2, 2)]


def test_a_swapped_card_is_found_out() -> None:
    header, line, *others = file_of(closed(options={"deals": 2}, deal_sets=1))
    spoiled = json.loads(line)
    hands = spoiled["record"]["hands"][0]["deal"]
    card, other = hands["A"].split()[0], hands["B"].split()[0]
    hands["A"] = hands["A"].replace(card, other)
    hands["B"] = hands["B"].replace(other, card)
    (difference,) = differences([header, json.dumps(spoiled), *others])
    assert "hand 1 was not dealt from the seed" in difference


def test_a_label_that_nobody_gave_is_found_out() -> None:
    header, line = file_of(closed(options={"deals": 1}))
    document = json.loads(line)
    document["label"] += "/1/1"
    assert "not the label" in next(iter(differences([header, json.dumps(document)])))


def test_an_open_round_keeps_its_seed_to_itself() -> None:
    round_ = a_bot_round(options={"deals": 1})
    slug = round_.stage.tournament.slug
    with refusal(Reason.NOT_FOUND):
        round_file(slug, 1, SYSTEM)
    assert not round_page(slug, 1, NOBODY).opened


def test_strangers_take_the_file_from_the_page_of_the_round() -> None:
    round_ = closed(options={"deals": 1})
    slug = round_.stage.tournament.slug
    page = Client().get(f"/t/{slug}/rounds/1/").content.decode()
    assert f"baza verify-round {slug}.1.ndjson --commitment {round_.commitment}" in page
    assert f"/t/{slug}/rounds/1/deals/" in page
    response = Client().get(f"/t/{slug}/rounds/1/deals/")
    assert list(differences(response.content.decode().splitlines())) == []
    second_response = Client().get(f"/api/v1/tournaments/{slug}/rounds/1/deals/")
    assert second_response.content == response.content
    assert second_response["Content-Type"] == "application/x-ndjson"
