"""The live events of a tournament: in order, without a gap, and nothing that is private."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    csv,
    disputed_lines,
    organiser,
    submitted,
    the_liguilla,
    the_match,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.domain.scores import Score
from tournaments.live.queries.feed import (
    events_after,
    open_feed,
    public_event,
    sequence_of,
    token_of,
)
from tournaments.models import AuditEvent, Tournament
from tournaments.results.services.matches import correct_result
from tournaments.results.services.submit import submit_record

if TYPE_CHECKING:
    from tournaments.domain.feed import PublicEvent

pytestmark = pytest.mark.django_db


def events_of(
    tournament: Tournament, sequence: int = 0, count: int = 1000
) -> tuple[PublicEvent, ...]:
    return events_after(open_feed(tournament.slug, NOBODY), sequence, count)


def test_a_night_is_reported_from_its_beginning() -> None:
    night = the_liguilla(published=1)
    submitted(night, 0)
    match = the_match(night, 1, 1)
    assert [(event.type, event.kind, event.id) for event in events_of(night)] == [
        ("tournament.changed", "tournament", None),
        ("entry.changed", "tournament", None),
        ("tournament.changed", "tournament", None),
        ("round.published", "round", 1),
        ("result.accepted", "match", match.pk),
    ]


def test_refused_records_drafts_and_names_are_not_reported() -> None:
    night = the_liguilla(published=1)
    before = events_of(night)
    refused = submit_record(SYSTEM, the_match(night, 1, 1), disputed_lines()[0])
    assert refused.outcome == "refused"
    assert events_of(night) == before
    correct_result(SYSTEM, the_match(night, 1, 2), Score(3, 1, 300, 200), reason="SECRETO")
    (last,) = events_of(night, before[-1].sequence)
    assert (last.type, last.standings) == ("result.corrected", True)
    assert set(asdict(last)) == {"sequence", "type", "at", "kind", "id", "standings"}
    assert "SECRETO" not in json.dumps(asdict(last), default=str)


def test_from_any_token_all_that_follows_comes_once_in_order() -> None:
    night = the_liguilla(published=2)
    for index in range(6):
        submitted(night, index)
    everything = events_of(night)
    for place, event in enumerate(everything, start=1):
        assert events_of(night, event.sequence) == everything[place:]
        assert events_of(night, event.sequence, 2) == everything[place : place + 2]


def test_a_page_costs_a_query_for_each_kind_of_subject() -> None:
    night = the_liguilla(published=2)
    for index in range(6):
        submitted(night, index)
    feed = open_feed(night.slug, NOBODY)
    with CaptureQueriesContext(connection) as queries:
        events_after(feed, 0, 100)
    assert len(queries) == 3  # the events, rounds, records


def test_a_row_that_is_no_more_is_informed_of_the_tournament() -> None:
    night = the_liguilla(published=1)
    event = AuditEvent.objects.get(verb="round.published")
    event.subject_pk = 999_999
    public = public_event(event)
    assert public is not None
    assert (public.type, public.kind, public.id) == ("round.published", "tournament", None)
    assert events_of(night)[-1].id == 1


def test_two_tournaments_of_a_club_have_feeds_of_their_own() -> None:
    club = a_club()
    liguilla = the_liguilla(club, published=1)
    other = a_draft(club, name="Otra")
    import_entries(SYSTEM, other, csv("players.csv"), csv("pairs.csv"))
    draw(SYSTEM, other)
    submitted(liguilla, 0)
    numbers = {event.sequence for event in events_of(liguilla)}
    assert numbers
    assert not numbers & {event.sequence for event in events_of(other)}


def test_a_draft_is_there_for_its_club_alone() -> None:
    club = a_club()
    draft = a_draft(club)
    with refusal(Reason.NOT_FOUND):
        open_feed(draft.slug, NOBODY)
    feed = open_feed(draft.slug, organiser(club))
    assert feed.hidden
    assert [event.type for event in events_after(feed, 0, 9)] == ["tournament.changed"]


def test_a_token_is_stable_and_good_for_its_tournament_alone() -> None:
    tokens = [token_of(7, number) for number in (0, 1, 2, 300, 2**63)]
    assert tokens == [token_of(7, number) for number in (0, 1, 2, 300, 2**63)]
    assert [sequence_of(7, token) for token in tokens] == [0, 1, 2, 300, 2**63]
    assert [sequence_of(8, token) for token in tokens] == [None] * 5
    assert len({len(token) for token in tokens}) == 1


@pytest.mark.parametrize("text", ["", "1", "x" * 24, "é" * 24, "A" * 23, "A" * 25, "=" * 24, "\0"])
def test_what_is_no_token_is_none(text: str) -> None:
    assert sequence_of(7, text) is None


def test_a_token_that_was_touched_is_none() -> None:
    token = token_of(7, 12)
    for place in range(len(token)):
        for other in "AZ_-!":
            if token[place] != other:
                assert sequence_of(7, token[:place] + other + token[place + 1 :]) is None
                assert sequence_of(7, token[:place] + other + token[place:]) is None
