"""Where rounds are drawn ahead, a change by hand in a draft plans the later drafts again."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Final

import pytest
from django.db import transaction

from tests.clubs import SYSTEM
from tests.support.draft_scenes import change_by_hand, played_out, scene, the_draft
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services import rounds as rounds_services
from tournaments.director.services.rounds import draw_again, give_bye, pin, swap, unpair
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.rows import Table
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Match, Round, Tournament

pytestmark = pytest.mark.django_db

AHEAD: Final = ("individual", "threes", "duplicate", "liguilla", "groups")


def drafts(tournament: Tournament) -> list[Round]:
    rows = Round.objects.filter(stage__tournament=tournament, state=Round.State.DRAFT)
    return list(rows.select_related("stage__tournament__club").order_by("number"))


def play_all(tournament: Tournament) -> None:
    while drafts(tournament):
        played_out(publish_round(SYSTEM, drafts(tournament)[0]))


def findings_of(tournament: Tournament) -> list[object]:
    findings = verify(bundle_from_bytes(proof_file(tournament)))
    assert all_hold(findings) == (not [f for f in findings if not f.holds])
    return [finding for finding in findings if not finding.holds]


def tables(tournament: Tournament) -> list[Table]:
    return [table for _, table in rows_of(tournament).stages[0].tables()]


def most(meetings: Iterable[frozenset[int]]) -> int:
    return max(Counter(meetings).values())


@pytest.mark.parametrize("name", AHEAD)
def test_the_proof_of_rounds_planned_after_a_swap_holds(name: str) -> None:
    tournament = scene(name, played=False)
    change_by_hand(tournament)
    played_out(publish_round(SYSTEM, the_draft(tournament)))
    change_by_hand(tournament)
    play_all(tournament)
    assert findings_of(tournament) == []


@pytest.mark.parametrize("name", AHEAD)
def test_a_proof_of_rounds_that_were_not_planned_after_a_swap_holds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the releases until November 2026 left them."""
    monkeypatch.setattr(rounds_services, "refresh_later_drafts", lambda _round: None)
    tournament = scene(name, played=False)
    change_by_hand(tournament)
    played_out(publish_round(SYSTEM, the_draft(tournament)))
    change_by_hand(tournament)
    play_all(tournament)
    assert findings_of(tournament) == []


def test_no_two_of_a_liguilla_meet_twice_after_a_swap() -> None:
    tournament = scene("liguilla", played=False)
    change_by_hand(tournament)
    play_all(tournament)
    meetings = [frozenset(table.entrants) for table in tables(tournament) if not table.is_bye]
    assert set(meetings) == {frozenset(two) for two in combinations(range(1, 9), 2)}
    assert most(meetings) == 1


def test_an_individual_repeats_no_partner_after_a_swap() -> None:
    tournament = scene("individual", played=False)
    change_by_hand(tournament)
    play_all(tournament)
    partners = [frozenset(side) for table in tables(tournament) for side in table.sides]
    assert most(pair for pair in partners if len(pair) > 1) == 1


def test_a_later_draft_that_was_changed_by_hand_is_marked() -> None:
    tournament = scene("individual", played=False)
    second = drafts(tournament)[1]
    one, other = second.matches.order_by("table")
    swap(SYSTEM, second, one.home, other.home)
    assert not any(draft.is_outdated for draft in drafts(tournament))
    change_by_hand(tournament)
    first, second, *later = drafts(tournament)
    assert (first.is_outdated, second.is_outdated) == (False, True)
    assert not any(draft.is_outdated for draft in later)
    publish_round(SYSTEM, first)
    with refusal(Reason.DRAFT_OUTDATED):
        publish_round(SYSTEM, second)
    draw_again(SYSTEM, second)
    play_all(tournament)
    assert findings_of(tournament) == []


@pytest.mark.parametrize("name", ["swiss", "ladder", "lives", "liguilla"])
def test_byes_given_by_hand_stay_when_they_are_pinned(name: str) -> None:
    tournament = scene(name, played=False)
    draft = the_draft(tournament)
    match = draft.matches.with_names().get(table=1)
    unpair(SYSTEM, match)
    assert match.away is not None
    byes = {match.home.number: "pairing", match.away.number: "half"}
    for entry, bye in ((match.home, "pairing"), (match.away, "half")):
        pin(SYSTEM, give_bye(SYSTEM, draft, entry, bye))
    draft = draw_again(SYSTEM, draft)
    rows = draft.matches.filter(state=Match.State.BYE).select_related("home")
    assert {row.home.number: row.bye for row in rows} == byes
    assert all(row.pinned and row.edited for row in rows)
    played_out(publish_round(SYSTEM, draft))
    assert findings_of(tournament) == []


def test_an_unpinned_bye_goes_when_the_draft_is_drawn_again() -> None:
    tournament = scene("swiss", played=False)
    draft = the_draft(tournament)
    match = draft.matches.with_names().get(table=1)
    unpair(SYSTEM, match)
    for side in match.sides:
        give_bye(SYSTEM, draft, side[0])
    with transaction.atomic():
        assert draw_again(SYSTEM, draft, keep_all=True).matches.filter(state="bye").count() == 2
        transaction.set_rollback(True)
    assert not draw_again(SYSTEM, draft).matches.filter(state="bye").exists()
