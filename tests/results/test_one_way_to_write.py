"""Every submitted record is written by one function, whichever way it comes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

import tournaments
from tests.clubs import SYSTEM, a_bot_liguilla, club_night_lines, organiser, the_liguilla, the_match
from tournaments.accounts.services.invitations import issue_token
from tournaments.arena.services.playing import play_match, play_matches
from tournaments.core.permissions import Actor
from tournaments.models import AuditEvent, Hand, Match, Record, Result, Tournament
from tournaments.results.services import results
from tournaments.results.services.submit import (
    Source,
    submit_lines,
    submit_record,
    submit_to_tournament,
)

pytestmark = pytest.mark.django_db

Way = Callable[[Actor, Tournament, str], None]


def _by_match(actor: Actor, tournament: Tournament, line: str) -> None:
    submit_record(actor, the_match(tournament, 1, 1), line)


def _by_tournament(actor: Actor, tournament: Tournament, line: str) -> None:
    submit_to_tournament(actor, tournament, line)


def _by_key(actor: Actor, tournament: Tournament, line: str) -> None:
    submit_record(actor, the_match(tournament, 1, 1), line, idempotency_key="k-1")


def _by_import(actor: Actor, tournament: Tournament, line: str) -> None:
    submit_to_tournament(actor, tournament, line, source=Source.IMPORT)


def _in_bulk(actor: Actor, tournament: Tournament, line: str) -> None:
    assert submit_lines(actor, tournament, [(1, line.encode())]).has_new


def _on_the_page(actor: Actor, tournament: Tournament, line: str) -> None:
    client = Client()
    assert actor.user is not None
    client.force_login(actor.user)
    match = the_match(tournament, 1, 1)
    response = client.post(f"/matches/{match.pk}/submit/", {"text": line})
    assert response.status_code in {200, 302}


def _over_the_api(actor: Actor, tournament: Tournament, line: str) -> None:
    assert actor.user is not None
    scopes = ["games:submit"]
    _, token = issue_token(SYSTEM, tournament.club, actor.user, name="phone", scopes=scopes)
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k-2"}
    path = f"/api/v1/matches/{the_match(tournament, 1, 1).pk}/records/"
    response = Client().post(path, line, content_type="application/json", headers=headers)
    assert response.status_code == 201, response.content


WAYS: dict[str, Way] = {
    "to its match": _by_match,
    "to its tournament": _by_tournament,
    "under a key": _by_key,
    "imported": _by_import,
    "in bulk": _in_bulk,
    "on the page": _on_the_page,
    "over the API": _over_the_api,
}


def rows_of(tournament: Tournament) -> dict[str, Any]:
    """All rows that a record leaves, but for keys, moments and the way it came (token, page)."""
    match = the_match(tournament, 1, 1)
    events = AuditEvent.objects.filter(tournament=tournament, subject_type="record")
    return {
        "records": list(
            Record.objects.filter(match=match).values(
                *("coto", "said_by", "state", "text", "sha256", "digest", "home_side", "verdict"),
                *("code", "params", "submitted_by__username"),
            )
        ),
        "hands": list(
            Hand.objects.filter(record__match=match).values(
                *("number", "dealer", "trump", "deal", "play", "points", "winner")
            )
        ),
        "results": list(
            Result.objects.filter(match=match).values(
                *("version", "live", "counts_from", "counts_until", "depth", "home_hands"),
                *("away_hands", "home_points", "away_points", "winner", "hand_scores"),
                *("reported_for", "confirmed_by", "reason"),
            )
        ),
        "match": Match.objects.filter(pk=match.pk).values("state", "lease_token").get(),
        "version": Tournament.objects.get(pk=tournament.pk).version - tournament.version,
        "events": [
            (event.verb, event.user_id, event.facts["digest"], event.facts["score"])
            for event in events.order_by("sequence")
        ],
    }


@pytest.fixture
def writers(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """For each result row that is made: the functions that were under way."""
    texts: list[set[str]] = []
    find_winner = results.winner_of  # called once for every row

    def record_caller(*arguments: Any) -> Result.Winner:
        texts.append({frame.function for frame in inspect.stack()})
        return find_winner(*arguments)

    monkeypatch.setattr(results, "winner_of", record_caller)
    return texts


def test_a_record_leaves_the_same_rows_whichever_way_it_comes(writers: list[set[str]]) -> None:
    line, result = club_night_lines()[0], {}
    tournament = the_liguilla(published=1)
    actor = organiser(tournament.club, "olga")
    for name, way in WAYS.items():
        other = the_liguilla(tournament.club, published=1)
        way(actor, other, line)
        result[name] = rows_of(other)
    first = result["to its match"]
    assert first["results"]
    assert first["events"]
    for name, rows in result.items():
        assert rows == first, name
    assert len(writers) == len(WAYS)
    assert all("write_decisions" in functions for functions in writers)


def test_bots_write_by_the_same_function_alone_and_together(writers: list[set[str]]) -> None:
    alone, *others = a_bot_liguilla(entries=6).stages.get().rounds.get(number=1).matches.all()
    type(alone.round).objects.update(play_requested_at=alone.round.published_at)
    assert play_match(alone.pk) == "accepted"
    play_matches(*(match.pk for match in others))
    assert Result.objects.count() == len(writers) == 3
    assert all("write_decisions" in functions for functions in writers)


def test_rows_of_records_are_made_in_one_place() -> None:
    """Import of whole tournaments and dumps read rows; nothing else makes them."""
    root = Path(tournaments.__file__).parent
    makers = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if "return Record(" in file.read_text(encoding="utf-8")
        or "Record.objects.create" in file.read_text(encoding="utf-8")
        or "Record.objects.bulk_create" in file.read_text(encoding="utf-8")
    }
    assert makers == {"results/services/write.py"}
