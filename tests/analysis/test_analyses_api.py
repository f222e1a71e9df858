"""Analyses through the API, every answer checked against the document."""

from __future__ import annotations

import pytest
from django.test import Client

import engine
from tests.analysing import analyse_all, analyse_hand
from tests.clubs import submitted, the_liguilla
from tests.support.caller import Caller
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def liguilla(db: None, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)
    tournament = the_liguilla()
    submitted(tournament, 0)
    return tournament


def played(tournament: Tournament) -> Match:
    return Match.objects.get(records__state="accepted", round__stage__tournament=tournament)


def test_a_hand_that_waits_says_so_and_nothing_else(liguilla: Tournament) -> None:
    body = Caller().read(f"matches/{played(liguilla).pk}/hands/1/analysis/")
    assert (body["state"], body["plays"], body["sides"]) == ("waiting", [], [])


def test_an_analysed_hand_shows_both_losses_of_every_card(liguilla: Tournament) -> None:
    analyse_all()
    match = played(liguilla)
    body = Caller().read(f"matches/{match.pk}/hands/1/analysis/")
    record = engine.parse_record(match.records.get().text)
    analysis = engine.analyse_hand(record, 0)
    assert body["state"] == "done"
    assert [(p["card"], p["open_loss"], p["fair_loss"]) for p in body["plays"]] == [
        (play.card, play.open_loss, play.fair_loss) for play in analysis.plays
    ]
    assert [(p["hand_loss"], p["hand_deals"], p["judgement"]) for p in body["plays"]] == [
        (play.hand_loss, play.hand_deals, play.judgement) for play in analysis.plays
    ]
    for side, sign in zip(body["sides"], (1, -1), strict=True):
        assert side["result"] == side["luck"] + side["skill"] == sign * analysis.result
        scaled = side["scaled"]
        assert scaled["luck"] + scaled["skill"] == pytest.approx(side["result"])
        expected = (1 - body["scale"]["value"]) * side["par"]
        assert side["luck"] - scaled["luck"] == pytest.approx(expected, abs=0.01)
    assert [card for trick in body["line"] for card in trick] == list(analysis.line)


def test_the_luck_of_a_tournament_sums_to_nothing_over_those_who_met(liguilla: Tournament) -> None:
    analyse_all()
    body = Caller().read(f"tournaments/{liguilla.slug}/luck/")
    assert body["analysed"] == body["total"] > 0
    assert len(body["rows"]) == 2
    for margin in ("result", "luck", "skill"):
        assert sum(row[margin] for row in body["rows"]) == 0
    assert [row["rank"] for row in body["rows"]] == [1, 2]
    assert f"/t/{liguilla.slug}/luck/" in Client().get(f"/t/{liguilla.slug}/").text


def test_a_players_average_loss_is_reported_by_role(liguilla: Tournament) -> None:
    analyse_all()
    match = played(liguilla)
    assert match.home.pair is not None
    player = match.home.pair.first
    body = Caller().read(f"players/{player.pk}/play/")
    total, *roles = body["rows"]
    assert total["role"] == ""
    assert total["hands"] == sum(row["hands"] for row in roles)
    assert total["hands"] == match.records.get().hands.count()
    assert Caller().read(f"players/{player.pk}/play/?ruleset=habanero")["rows"] == []
    assert Caller().read("bots/azar/play/")["rows"] == []
    assert Caller().get("players/999999/play/").status_code == 404
