"""Submissions that come in the same moment are written together; what becomes of each stays."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction

from tests.clubs import (
    SYSTEM,
    club_night_lines,
    organiser,
    program,
    record,
    text,
    the_liguilla,
    the_match,
)
from tournaments.crowd import crowd
from tournaments.errors import Refusal
from tournaments.models import AuditEvent, Hand, Match, Record, Result, Submission, Tournament
from tournaments.permissions import Actor
from tournaments.queries.standings import standings_page
from tournaments.services import together
from tournaments.services.readings import read
from tournaments.services.records import submit_record
from tournaments.services.together import Asked, Line, line_of

pytestmark = pytest.mark.django_db(transaction=True)

Act = Callable[[], str]
FOUR = range(4)


@pytest.fixture
def liguilla() -> Tournament:
    """The club night's first round, of four tables."""
    return the_liguilla(published=1)


def tables(tournament: Tournament) -> list[Match]:
    """The four tables of the first round."""
    return [the_match(tournament, 1, table) for table in (1, 2, 3, 4)]


@contextmanager
def while_one_is_written(line: Line) -> Iterator[None]:
    """Let nobody be written within; then all who wait."""
    with line.moved:
        line.is_busy = True
    try:
        yield
    finally:
        with line.moved:
            line.is_busy = False
            line.moved.notify_all()


def told(act: Act) -> str:
    """Do an act as a request does, and tell what became of it."""
    try:
        return act()
    except (Refusal, OperationalError) as error:
        return getattr(error, "code", type(error).__name__)
    finally:
        connection.close()


def in_the_same_moment(tournament: Tournament, *acts: Act) -> list[str]:
    """Do all acts while another record is written, and let them go when all of them wait."""
    line = line_of(tournament)
    with ThreadPoolExecutor(len(acts)) as pool:
        with while_one_is_written(line):
            futures = [_waiting(pool, line, act, told) for act in acts]
        return [future.result() for future in futures]


def _waiting(
    pool: ThreadPoolExecutor, line: Line, act: Act, told: Callable[[Act], str]
) -> Future[str]:
    """Begin an act, and return when it waits, so that they wait in the order of the acts."""
    before = len(line.waiting)
    future = pool.submit(told, act)
    while len(line.waiting) == before and not future.done():
        time.sleep(0.001)
    return future


def sends(match: Match, body: str, key: str | None = None, actor: Actor = SYSTEM) -> Act:
    """Return the act of submitting a record."""
    return lambda: str(submit_record(actor, match, body, idempotency_key=key).outcome)


def test_all_tables_of_a_round_are_written_with_one_step_of_the_version(
    liguilla: Tournament,
) -> None:
    acts = [sends(match, club_night_lines()[at]) for at, match in enumerate(tables(liguilla))]
    assert in_the_same_moment(liguilla, *acts) == ["accepted"] * 4
    assert Tournament.objects.get().version == liguilla.version + 1
    assert Match.objects.filter(state="accepted").count() == 4
    call_command("audit_verify")


def test_the_first_waits_for_those_who_are_on_their_way(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "GATHERING", 60.0)
    first, second, *_ = tables(liguilla)
    line, way = line_of(liguilla), crowd.set_out()

    def comes_later() -> str:
        with crowd.going(way):
            return told(sends(second, club_night_lines()[1]))

    with ThreadPoolExecutor(2) as pool:
        leads = _waiting(pool, line, sends(first, club_night_lines()[0]), told)
        assert not leads.done()
        follows = pool.submit(comes_later)
        assert [leads.result(), follows.result()] == ["accepted"] * 2
    assert Tournament.objects.get(pk=liguilla.pk).version == liguilla.version + 1


def test_more_than_go_together_go_one_group_after_another(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "MOST", 3)
    acts = [sends(match, club_night_lines()[at]) for at, match in enumerate(tables(liguilla))]
    assert in_the_same_moment(liguilla, *acts) == ["accepted"] * 4
    assert Tournament.objects.get(pk=liguilla.pk).version == liguilla.version + 2
    assert Record.objects.accepted().count() == 4


def test_whoever_leads_is_in_his_group(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "MOST", 2)
    line, reading = line_of(liguilla), read(club_night_lines()[0])
    match = the_match(liguilla, 1, 1)
    early = [Asked(SYSTEM, match, reading, Record.Source.API) for _ in range(3)]
    late = Asked(SYSTEM, match, reading, Record.Source.API)
    line.waiting += early
    with line.turn(late) as group:
        assert list(group) == [early[2], late]
    assert line.waiting == early[:2]


def test_nobody_is_waited_for_for_ever(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "GATHERING", 0.0)
    way = crowd.set_out()
    try:
        act = sends(the_match(liguilla, 1, 1), club_night_lines()[0])
        assert act() == "accepted"
    finally:
        crowd.end(way)


def test_what_is_written_together_is_what_is_written_one_by_one() -> None:
    found = []
    for go in (in_the_same_moment, one_by_one):
        tournament = the_liguilla(published=1)
        acts = [
            sends(match, club_night_lines()[at], f"{go.__name__}-{at}")
            for at, match in enumerate(tables(tournament))
        ]
        assert go(tournament, *acts) == ["accepted"] * 4
        found.append(facts_of(tournament))
    assert found[0] == found[1]


def one_by_one(_: Tournament, *acts: Act) -> list[str]:
    """Do one act after another, each in a transaction of its own, in which nobody waits."""
    answers = []
    for act in acts:
        with transaction.atomic():
            answers.append(act())
    return answers


def facts_of(tournament: Tournament) -> list[object]:
    """Return all that the records of a tournament have left, keys and moments aside."""
    matches = {"match__round__stage__tournament": tournament}
    records = Record.objects.filter(**matches).order_by("match__table")
    results = Result.objects.filter(**matches).order_by("match__table")
    hands = Hand.objects.filter(record__in=records).order_by("record__match__table", "number")
    events = AuditEvent.objects.filter(tournament=tournament, verb="record.accepted")
    rows = standings_page(tournament.slug, SYSTEM).rows
    return [
        list(records.values("match__table", "text", "digest", "verdict", "said_by", "state")),
        list(records.values("source", "home_side", "submitter", "submitted_by", "sha256")),
        list(hands.values("number", "dealer", "trump", "deal", "play", "points", "winner")),
        list(results.values("version", "live", "depth", "winner", "home_hands", "away_hands")),
        list(results.values("home_points", "away_points", "hand_scores", "made_by")),
        [result.counts_from is not None for result in results],
        sorted(str({**event.facts, "rows": None}) for event in events),  # keys differ
        sorted(Submission.objects.values_list("answer__outcome", flat=True))[-4:],
        [(row.rank, row.name, row.match_points, row.values) for row in rows],
    ]


def test_the_same_record_twice_is_a_duplicate(liguilla: Tournament) -> None:
    first, second, *_ = tables(liguilla)
    acts = [
        sends(first, club_night_lines()[0]),
        sends(first, club_night_lines()[0]),
        sends(second, club_night_lines()[1]),
    ]
    assert in_the_same_moment(liguilla, *acts) == ["accepted", "duplicate", "accepted"]


def test_another_record_of_the_same_match_opens_a_dispute(liguilla: Tournament) -> None:
    first, second, *_ = tables(liguilla)
    other = text({**record(1), "seats": record(0)["seats"]})
    acts = [
        sends(first, club_night_lines()[0]),
        sends(first, other),
        sends(second, club_night_lines()[1]),
    ]
    assert in_the_same_moment(liguilla, *acts) == ["accepted", "contested", "accepted"]
    assert Match.objects.get(pk=first.pk).state == "disputed"


def test_a_record_of_another_table_is_refused_and_the_others_are_taken(
    liguilla: Tournament,
) -> None:
    first, second, third, _ = tables(liguilla)
    acts = [
        sends(first, club_night_lines()[0]),
        sends(second, club_night_lines()[2]),
        sends(third, club_night_lines()[2]),
    ]
    assert in_the_same_moment(liguilla, *acts) == ["accepted", "refused", "accepted"]
    refused = Record.objects.get(state="refused")
    assert (refused.match_id, refused.code) == (second.pk, "pairing_mismatch")


def test_a_key_that_comes_twice_is_one_request(liguilla: Tournament) -> None:
    first, second, *_ = tables(liguilla)
    acts = [
        sends(first, club_night_lines()[0], "k-1"),
        sends(first, club_night_lines()[0], "k-1"),
        sends(second, club_night_lines()[1], "k-2"),
    ]
    assert in_the_same_moment(liguilla, *acts) == ["accepted"] * 3
    assert Record.objects.count() == Submission.objects.count() == 2
    assert AuditEvent.objects.filter(verb="record.accepted").count() == 2


def test_a_key_used_for_two_requests_refuses_the_second_alone(liguilla: Tournament) -> None:
    first, second, third, _ = tables(liguilla)
    acts = [
        sends(first, club_night_lines()[0], "k-1"),
        sends(second, club_night_lines()[1], "k-1"),
        sends(third, club_night_lines()[2], "k-3"),
    ]
    outcomes = in_the_same_moment(liguilla, *acts)
    assert outcomes[2] == "accepted"
    assert Counter(outcomes[:2]) == {"accepted": 1, "idempotency_mismatch": 1}


def test_an_answer_kept_for_many_is_given_again_to_each(liguilla: Tournament) -> None:
    acts = [
        sends(match, club_night_lines()[at], f"k-{at}") for at, match in enumerate(tables(liguilla))
    ]
    in_the_same_moment(liguilla, *acts)
    for at, match in enumerate(tables(liguilla)):
        again = submit_record(SYSTEM, match, club_night_lines()[at], idempotency_key=f"k-{at}")
        assert again.replayed
        assert again.record == match.records.get()


def test_each_event_names_who_sent_it(liguilla: Tournament) -> None:
    club = liguilla.club
    senders = [SYSTEM, organiser(club, "olga"), program(club, "games:submit", of="otto")]
    acts = [
        sends(match, club_night_lines()[at], actor=senders[at])
        for at, match in enumerate(tables(liguilla)[:3])
    ]
    assert in_the_same_moment(liguilla, *acts) == ["accepted"] * 3
    told = AuditEvent.objects.filter(verb="record.accepted").order_by("sequence")
    assert [event.actor for event in told] == [sender.label for sender in senders]
    assert [event.token_id for event in told] == [None, None, senders[2].token.pk]  # type: ignore[union-attr]


def test_what_a_side_sends_waits_for_the_other_side(liguilla: Tournament) -> None:
    first, second, *_ = tables(liguilla)
    acts = [
        sends(first, club_night_lines()[0], actor=Actor.of_entry(first.home)),
        sends(second, club_night_lines()[1]),
    ]
    assert in_the_same_moment(liguilla, *acts) == ["reported", "accepted"]
    assert Match.objects.get(pk=first.pk).state == "reported"


def test_a_transaction_that_is_undone_takes_nobody_elses_record_with_it(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_group: Sequence[together.Asked]) -> None:
        monkeypatch.undo()
        raise OperationalError("the server has gone")

    monkeypatch.setattr(together, "write_together", breaks)
    acts = [sends(match, club_night_lines()[at]) for at, match in enumerate(tables(liguilla))]
    outcomes = Counter(in_the_same_moment(liguilla, *acts))
    assert outcomes == {"accepted": 3, "OperationalError": 1}
    assert Record.objects.accepted().count() == 3


def test_nobody_waits_with_a_connection_in_his_hands(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *_ = tables(liguilla)
    line, empty = line_of(liguilla), list[bool]()
    waits = line.moved.wait_for

    def watched(is_over: Callable[[], bool]) -> bool:
        empty.append(connection.connection is None)
        return waits(is_over)

    monkeypatch.setattr(line.moved, "wait_for", watched)
    acts = [sends(match, club_night_lines()[at]) for at, match in enumerate((first, second))]
    assert in_the_same_moment(liguilla, *acts) == ["accepted"] * 2
    assert empty == [True, True]
