"""What becomes of a draft when something changes that it was drawn from: format by format.

A draft that nobody has changed by hand is drawn again. One that was changed keeps its tables and is
marked as outdated: it is drawn again on request, or published as it is where all of it may play.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import transaction

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM
from tests.quick import IS_LONG, slow
from tests.support.day import entry
from tests.support.draft_scenes import (
    change_by_hand,
    refusal_of,
    result_of,
    scene,
    the_draft,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.outdated import is_by_hand
from tournaments.director.queries.tournaments import lots_due, open_tournament
from tournaments.director.services.absences import (
    check_in,
    close_check_in,
    expel,
    penalise,
    withdraw,
)
from tournaments.director.services.entries import describe_entry, enter_late
from tournaments.director.services.restoring import draw_lots
from tournaments.director.services.rounds import draw_again, undo_move
from tournaments.director.services.tournaments import (
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, Entry, Match, Pair, Player, Round, Tournament
from tournaments.results.services.matches import (
    correct_result,
    dispute_result,
    forfeit,
    rule_on_dispute,
)

pytestmark = pytest.mark.django_db


def first_match(tournament: Tournament) -> Match:
    """The first table of the last round that was played, of the stage before if there is one."""
    played = Match.objects.filter(round__stage__tournament=tournament, away__isnull=False)
    last = played.exclude(round__state="draft").order_by("-round__number", "table")[0]
    return Match.objects.with_names().get(pk=last.pk)


def winner(tournament: Tournament) -> Entry:
    numbers = [side[0].number for side in first_match(tournament).sides]
    return entry(tournament, min(numbers))


def reversed_result(match: Match) -> dict[str, Any]:
    """The result of a match as if its last side had won, or the first if that one has."""
    numbers = [side[0].number for side in match.sides]
    return result_of(match, len(numbers) - 1 if numbers[0] == min(numbers) else 0)


# --- causes -----------------------------------------------------------------------------------


def a_correction(tournament: Tournament) -> None:
    match = first_match(tournament)
    correct_result(SYSTEM, match, **reversed_result(match), reason="the other way round")


def a_ruling(tournament: Tournament) -> None:
    match = first_match(tournament)
    dispute = dispute_result(SYSTEM, match, "the other way round")
    rule_on_dispute(SYSTEM, dispute, "amend", **reversed_result(match), reason="heard both")


def a_void_result(tournament: Tournament) -> None:
    dispute = dispute_result(SYSTEM, first_match(tournament), "not played")
    rule_on_dispute(SYSTEM, dispute, "void", reason="to be played again")


def a_forfeit(tournament: Tournament) -> None:
    match = first_match(tournament)
    is_home = match.home.number == winner(tournament).number
    forfeit(SYSTEM, match, ["home" if is_home else "away"], reason="wrong people")


def a_penalty(tournament: Tournament) -> None:
    penalise(SYSTEM, winner(tournament), round_number=1, match_points=9, reason="noise")


def lots(tournament: Tournament) -> None:
    draw_lots(SYSTEM, tournament.stages.get(number=1))


def a_withdrawal(tournament: Tournament) -> None:
    withdraw(SYSTEM, winner(tournament))


def an_expulsion(tournament: Tournament) -> None:
    expel(SYSTEM, winner(tournament), "noise")


def a_label(tournament: Tournament) -> None:
    match = the_draft(tournament).matches.filter(away__isnull=False).order_by("table")[0]
    for number in (match.home.number, match.away.number):  # type: ignore[union-attr]
        describe_entry(SYSTEM, entry(tournament, number), apart=["family"])


def a_late_entry(tournament: Tournament) -> None:
    unit = Player if tournament.unit == Tournament.Unit.PLAYER else Pair
    entered = tournament.entries.values("player" if unit is Player else "pair")
    people = unit.objects.filter(club=tournament.club).exclude(pk__in=entered)
    enter_late(SYSTEM, tournament, people.order_by("code")[0])


def a_closed_check_in(tournament: Tournament) -> None:
    missing = winner(tournament).number
    for number in tournament.entries.exclude(number=missing).values_list("number", flat=True):
        check_in(SYSTEM, entry(tournament, number))
    close_check_in(SYSTEM, tournament, absent="withdraw")


def going_back(tournament: Tournament) -> None:
    """A result is corrected after a change by hand, and then the change is undone."""
    change_by_hand(tournament)
    a_correction(tournament)
    undo_move(SYSTEM, the_draft(tournament))


CAUSES: Final[dict[str, Callable[[Tournament], None]]] = {
    "correction": a_correction,
    "ruling": a_ruling,
    "void": a_void_result,
    "forfeit": a_forfeit,
    "penalty": a_penalty,
    "lots": lots,
    "withdrawal": a_withdrawal,
    "expulsion": an_expulsion,
    "label": a_label,
    "late entry": a_late_entry,
    "check-in": a_closed_check_in,
    "going back": going_back,
}


# --- what becomes of the draft ----------------------------------------------------------------


def outcome(tournament: Tournament, cause: Callable[[Tournament], None]) -> str:
    """Let something happen, and say in a word what became of the draft.

    ``same``: nothing; ``again``: drawn again by itself; ``gone``: no longer to be played;
    ``waits``: it cannot be drawn until a result comes; ``hand``: changed by hand, it is outdated,
    and can be drawn again or published as it is; ``again only``: it can only be drawn again;
    ``refused``: it cannot happen.
    """
    before = the_draft(tournament)
    if (reason := refusal_of(lambda: cause(tournament))) is not None:
        assert reason in (Reason.NO_LATE_ENTRY, Reason.NO_SHARED_PLACE)
        return "refused"
    assert_history_is_complete()
    drafts = Round.objects.filter(stage__tournament=tournament, state="draft")
    if not drafts.filter(stage=before.stage_id).exists():
        return "gone"
    draft = the_draft(tournament)
    if is_by_hand(before):
        assert draft.pk == before.pk or cause is going_back
        assert tables_of(draft) == tables_of(before)
    if draft.pk != before.pk and "again" in draft.drawn:
        assert not is_by_hand(draft)
        published(draft)
        return "again"
    if not draft.is_outdated:
        published(draft)
        return "same"
    with refusal(Reason.DRAFT_OUTDATED):
        publish_round(SYSTEM, draft)
    with transaction.atomic():
        reason = refusal_of(lambda: publish_round(SYSTEM, draw_again(SYSTEM, draft)))
        transaction.set_rollback(True)
    if reason is not None:
        assert reason is Reason.CANNOT_DRAW
        return "waits"
    reason = refusal_of(lambda: publish_round(SYSTEM, the_draft(tournament), as_is=True))
    if reason is not None:
        assert reason is Reason.ROUND_IMPOSSIBLE
        return "again only"
    event = AuditEvent.objects.filter(verb="round.published").latest("pk")
    assert event.facts["as_is"] in ("result", "entry", "penalty", "lots", "restored")
    return "hand"


def tables_of(draft: Round) -> list[tuple[int, int, int | None]]:
    return [(m.table, m.home_id, m.away_id) for m in draft.matches.order_by("table")]


def published(draft: Round) -> None:
    """It can be published, and is a draft again afterwards."""
    with transaction.atomic():
        publish_round(
            SYSTEM, Round.objects.select_related("stage__tournament__club").get(pk=draft.pk)
        )
        transaction.set_rollback(True)


TABLE: Final = """
                 correct ruled void forfeit penalty lots leaves expelled label late check-in back
liguilla         -       -     -    -       -       -    x      x        -     x    x        -
groups           -       -     -    -       -       -    x      x        -     /    x        -
knockout         x       x     w    x       -       -    x      x        -     /    x        x
double           a       a     w    a       -       -    x      x        -     /    x        a
repesca          a       a     w    a       -       -    x      x        -     /    x        a
lives            a       a     w    a       -       -    x      x        -     x    x        a
swiss            a       a     a    a       -       -    x      x        a     x    x        a
individual       -       -     -    -       -       -    x      x        a     x    x        -
threes           -       -     -    -       -       -    x      x        a     x    x        -
duplicate        -       -     -    -       -       -    x      x        -     x    x        -
ladder           a       a     a    a       -       -    x      x        a     x    x        a
groups,knockout  a       a     w    a       x       /    x      x        -     /    x        a
swiss,liguilla   x       x     w    x       x       /    x      x        -     x    x        x
"""
"""What becomes of a draft, by format and by what happens. In double elimination and in the repesca
who lost the first match plays on, and in the groups it is their seeds that change: none is out."""

CELLS: Final = {
    "-": ("same", "same"),
    "a": ("again", "hand"),
    "x": ("again", "again only"),
    "w": ("waits", "waits"),
    "/": ("refused", "refused"),
}
"""A draft that nobody changed by hand, and one that was changed."""


ROWS: Final = list(enumerate(TABLE.splitlines()[2:]))


@pytest.mark.parametrize(
    ("number", "row"), [*ROWS[-1:], *slow(ROWS[:-1])], ids=lambda value: str(value).split()[0]
)
def test_a_draft_follows_what_it_was_drawn_from(number: int, row: str) -> None:
    name, *expected = row.split()
    tournament = scene(name)
    for column, ((word, cause), cell) in enumerate(zip(CAUSES.items(), expected, strict=True)):
        # Every other draft of a format, and every other one of a cause, is changed by hand: what
        # happens takes a third of a second, and both ways in each cell would be a minute more.
        for by_hand in (False, True) if IS_LONG else ((number + column) % 2 == 1,):
            with transaction.atomic():
                if by_hand:
                    change_by_hand(tournament)
                found = outcome(tournament, cause)
                transaction.set_rollback(True)
            assert found == CELLS[cell][by_hand], word


def test_lots_after_a_correction_decide_who_is_in_the_draft() -> None:
    tournament = scene("groups,knockout")
    for match in Match.objects.with_names().filter(
        round__stage__tournament=tournament, round__state="closed"
    ):
        score = Score(2, 2, 200, 200)
        correct_result(SYSTEM, match, score=score, reason="they shared the hands")
    draft = the_draft(tournament)
    assert draft.is_outdated
    with refusal(Reason.CANNOT_DRAW):
        draw_again(SYSTEM, draft)
    due = lots_due(open_tournament(tournament.slug, SYSTEM).head)
    assert due is not None
    draw_lots(SYSTEM, tournament.stages.get(number=due.stage))
    draft = the_draft(tournament)
    assert (draft.is_outdated, draft.drawn["again"]) == (False, "lots")
    publish_round(SYSTEM, draft)


def test_a_stage_that_begins_again_by_itself_has_its_draw_in_the_history() -> None:
    tournament = scene("groups,knockout")
    a_correction(tournament)
    stage = tournament.stages.get(number=2)
    event = AuditEvent.objects.get(verb="stage.drawn_again")
    assert (event.facts["stage"], event.facts["draw"], event.facts["cause"]) == (2, 2, "result")
    assert event.facts["draw_commitment"] == stage.draws[-1]["commitment"]
    assert event.facts["next_commitment"] == stage.next_commitment
    assert_history_is_complete()
