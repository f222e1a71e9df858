"""Random events of every format are played to the diploma, whatever happens on the way."""

import json
import os
from collections import Counter
from itertools import combinations
from random import Random
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client

from tests.audited import assert_history_is_complete
from tests.clubs import user
from tests.quick import long, slow
from tests.support.driver import PLANS, Event
from tools.verify_export import Report, check_proof
from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.next_stages import can_share_entrants
from tournaments.domain.pairing import FORMATS
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import TournamentRows
from tournaments.domain.stages import is_finished
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.contradictions import check_tournament
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import Match, Result

pytestmark = pytest.mark.django_db

WAYS = tuple(os.environ.get("BAZA_RANDOM_EVENTS_WAYS", "services api pages").split())
"""How events are played: a step by pages costs five times one by services."""
MANY = int(os.environ.get("BAZA_RANDOM_EVENTS", "0"))
"""Events of each format; `./baza test --long` plays these, the ordinary run one."""
FIRST = int(os.environ.get("BAZA_RANDOM_EVENTS_SEED", "0"))
SIZES = tuple(map(int, os.environ.get("BAZA_RANDOM_EVENTS_SIZES", "").split()))
"""Entrants of each event; by default from 2 to 17, in the ordinary run to 6."""

ORDINARY = [(name, 1 if name == "swiss, three boards" else 0) for name in PLANS]
"""One of each format. The seed decides the way: by pages, three boards take a quarter of a minute,
and two boards are played by them."""
EVENTS = [(name, seed) for seed in range(FIRST, FIRST + MANY) for name in PLANS] or ORDINARY

STEPS_A_MATCH = 4
"""A result, a dispute, its ruling and a result again."""


@pytest.fixture(autouse=True)
def fresh_quotas() -> None:
    cache.clear()


@pytest.mark.parametrize(("name", "seed"), [*EVENTS[:2], *slow(EVENTS[2:])])
def test_whatever_happens_an_event_can_be_finished_and_its_proof_holds(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = PLANS[name]
    words = f"{name} {seed}"
    chance = Random(words)
    largest = max(plan.least, min(plan.most, 17 if MANY else 6))
    size = chance.choice(SIZES or range(plan.least, largest + 1))
    size = min(max(size, plan.least), plan.most)
    seeds = SimpleNamespace(token_hex=lambda count: chance.randbytes(count).hex())
    # The rows' seeds come from the machine's chance; here they follow from the event's.
    for module in ("draws", "tournaments"):
        monkeypatch.setattr(f"tournaments.director.services.{module}.secrets", seeds)
    way = WAYS[(seed + list(PLANS).index(name)) % len(WAYS)]
    event = Event(plan, words, size, way, disturbances=chance.choice([0, size, 3 * size]))
    steps = 0
    while not event.is_over:
        event.step()
        steps += 1
        if "boards" in name:
            assert_tables_are_apart(event)
        assert steps < 5000 + 5 * size**2, "the event does not end"
    matches = event.matches().count()
    assert steps < 60 + 8 * size + STEPS_A_MATCH * matches, "there were idle steps"
    assert_sound(event)
    assert_standings_are_public(event, diplomas=MANY > 100 or way == "pages")


@pytest.mark.parametrize(
    "name", ["swiss", *slow(["groups, knockout"]), *long(["liguilla", "lives"])]
)
def test_every_act_that_changes_a_statement_is_known_to(name: str) -> None:
    """An act whose event is not in `signed_proof.CHANGING` would pass for a forgery."""
    event = Event(PLANS[name], f"stated {name}", 6, "services", disturbances=18)
    while not event.is_over:
        event.step()
        assert check_tournament(event.tournament).faults == (), event.done
        write_checkpoint(event.tournament.club_id)
    assert not check_tournament(event.tournament).is_to_sign


def assert_sound(event: Event) -> None:
    """Everybody sat once a round, only what is accepted counts, and the proof holds."""
    seats = Counter(
        (match.round.number, entry.pk)
        for match in event.matches().with_names()
        for side in match.sides
        for entry in side
    )
    assert not seats or max(seats.values()) == 1
    counting = Result.objects.counting().filter(match__round__stage__tournament=event.tournament)
    accepted = Match.objects.filter(round__stage__tournament=event.tournament, state="accepted")
    assert set(counting.values_list("match", flat=True)) == set(
        accepted.values_list("pk", flat=True)
    )
    assert_history_is_complete()
    rows = rows_of(event.tournament)
    first = rows.stages[0]
    assert {line.entrant for line in ranking(rows, first)} == set(first.entrants)
    assert_one_winner(rows)
    assert_nobody_is_on_two_boards(rows)
    proof = proof_file(event.tournament)
    findings = verify(bundle_from_bytes(proof))
    assert all_hold(findings), [finding for finding in findings if not finding.holds]
    report = Report()
    check_proof(report, json.loads(proof), set())
    assert report.faults == []


def assert_tables_are_apart(event: Event) -> None:
    """No two stages have matches at one table at the same time, and no entry in common."""
    playing = event.matches(round__state="published", away__isnull=False)
    rows = playing.values_list("round__stage", "table", "home", "away", "third")
    tables = {(stage, table) for stage, table, *_ in rows}
    seats = {(stage, entry) for stage, _, *match in rows for entry in match if entry}
    for taken in (tables, seats):
        assert len({number for _, number in taken}) == len(taken), (sorted(taken), event.done)


def assert_nobody_is_on_two_boards(rows: TournamentRows) -> None:
    """Stages that take different places of one table share nobody."""
    for one, other in combinations(rows.stages, 2):
        if not can_share_entrants(rows, one, other):
            assert not set(one.entrants) & set(other.entrants)


def assert_one_winner(rows: TournamentRows) -> None:
    """A bracket that was played out, the last match of it too, has one first."""
    stage = rows.stages[-1]
    if not FORMATS[stage.format].in_brackets or not is_finished(rows, stage):
        return
    last = [table for table in stage.published[-1].tables if not table.is_bye]
    if all(table.winner is not None for table in last):
        ranks = [line.rank for line in ranking(rows, stage)]
        assert ranks.count(1) == 1, ranks


def assert_standings_are_public(event: Event, *, diplomas: bool) -> None:
    """The last standings are shown to everybody, the diplomas to the organiser."""
    assert Client().get(event.page("tournament")).status_code == 200
    if diplomas:  # they take a second each
        client = Client()
        client.force_login(user("olga"))
        response = client.get(event.page("print-diplomas"))
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "application/pdf"
