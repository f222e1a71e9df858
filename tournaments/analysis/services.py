"""Analyses accepted records hand by hand, and notes an arbiter's reviews."""

import time
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Now

import engine
from tournaments.core.audit import write_event
from tournaments.core.cache import get_many_cached, set_cached
from tournaments.core.find import not_found_unless
from tournaments.core.jobs import Job, post
from tournaments.core.names import validate_remark
from tournaments.core.permissions import Actor, is_member, may_arbitrate, refuse_unless
from tournaments.domain.names import fold_name
from tournaments.domain.scores import sides_of
from tournaments.models import (
    AnalysedHand,
    AnalysedSeat,
    Analysis,
    Club,
    Hand,
    HandAnalysis,
    Match,
    Player,
    Record,
    Review,
)
from tournaments.models.analyses import ATTEMPTS, LEASE
from tournaments.ratings.queries.history import seats_of

# --- Analyses -------------------------------------------------------------------------------------
# Queueing and analysing records; each hand's analysis is stored as it is found.
#
# A hand is done in two steps: what its page shows at first look, for all hands that wait, and then
# its judgement, which takes about as long.
#
# The rows hold the progress, so that an interrupted analysis continues where it stopped and a
# message delivered twice changes nothing. Hands are solved outside transactions and never during a
# page request.


BUDGET: Final = 20.0
"""Seconds during which one task starts hands; after them it posts itself a message."""

MAX_AT_ONCE: Final = 200
"""Records that one sweep wakes at most."""

LOOK: Final = 30
"""Seconds for which a look at a page counts: a page that waits asks every three seconds."""

LOOKED_AT: Final = "analysis-looked-at:{}"
"""The cached key of a look, by match."""

NO_COMPILER: Final = "no_compiler"
"""Code of a record not analysed because numba is missing: without it a hand takes minutes."""

GIVEN_UP: Final = "given_up"
"""Code of an analysis that failed because it broke off too often."""

State = Analysis.State


class AnalysisOutcome(StrEnum):
    """Outcome of an attempt at a record."""

    SKIPPED = "skipped"
    """Not due, or leased by another worker."""
    GOES_ON = "goes_on"
    """The time budget was used up: another message has been posted."""
    FINISHED = "finished"


def analyse_when_accepted(*records: Record) -> None:
    """Queue the analysis of newly accepted records, unless the match is between bots.

    No message is sent: the sweep finds them within seconds, so the submission need not wait.
    """
    records = tuple(record for record in records if not record.match.is_of_bots)
    if settings.ENVIRONMENT.analysis and records:
        Analysis.objects.bulk_create(
            Analysis(record_id=row.pk, version=engine.ANALYSIS_VERSION) for row in records
        )


def queue_analysis(record: Record) -> None:
    """Queue the analysis of a record and wake a worker."""
    reset_analysis(record)
    post(Job.ANALYSE, record.pk)


def reset_analysis(record: Record) -> None:
    """Put a record into the queue, even if its analysis was given up."""
    Analysis.objects.update_or_create(
        record=record,
        defaults={
            "state": State.WAITING,
            "code": "",
            "version": engine.ANALYSIS_VERSION,
            "attempts": 0,
            "woken_at": None,
        },
    )


@transaction.atomic
def request_analysis(actor: Actor, match: Match) -> int:
    """Queue the analysis of a match's accepted records; returns how many.

    Records analysed already are left alone. Refuses SIGN_IN, FORBIDDEN, and NOT_FOUND where
    analysis is switched off (`BAZA_ANALYSIS`).
    """
    refuse_unless(is_member(actor, match.tournament.club), actor)
    not_found_unless(settings.ENVIRONMENT.analysis)
    records = match.records.accepted()
    missing = records.exclude(analysis__state__in=(State.WAITING, State.DONE))
    queue = list(missing.order_by("coto"))
    for record in queue:
        queue_analysis(record)
    return len(queue)


@transaction.atomic
def wake_due() -> int:
    """Send a message for every analysis that is due and was not woken lately; returns how many."""
    if not settings.ENVIRONMENT.analysis:
        return 0
    due = Analysis.objects.due().unleased().without_recent_message()
    locked_rows = due.select_for_update(of=("self",), no_key=True, skip_locked=True)
    rows = list(locked_rows.order_by("asked_at", "pk").values_list("pk", "record")[:MAX_AT_ONCE])
    Analysis.objects.filter(pk__in=[pk for pk, _ in rows]).update(woken_at=Now())
    for _, record in rows:
        post(Job.ANALYSE, record)
    return len(rows)


def note_look(match_pk: int) -> None:
    """Note that a page waits for the analysis of a match; not whose."""
    set_cached(LOOKED_AT.format(match_pk), True, seconds=LOOK)


def next_record(record_pk: int) -> int:
    """Return the record to analyse at a message about one: a message is only a wake-up.

    First those with hands for a first look, then those to be judged, then those of an older
    version, which are done whole. Among them those whose pages are waited for come first, also of
    an older version, then those that were asked for first; ``record_pk`` where nothing is due.
    """
    due = Analysis.objects.due().unleased().annotate(match=F("record__match"))
    order = F("state").desc(), "-unseen", "asked_at", "pk"
    rows = list(
        due.annotate(unseen=Exists(_unseen_hands(OuterRef("record"))))
        .order_by(*order)
        .values_list("record", "match", "state", "unseen")[:MAX_AT_ONCE]
    )
    looked_at = get_many_cached(LOOKED_AT.format(match) for _record, match, *_ in rows)

    def place(row: tuple[int, int, str, bool]) -> tuple[bool, bool, bool]:
        _record, match, state, unseen = row
        waited_for = LOOKED_AT.format(match) in looked_at
        renewed = state != State.WAITING and not waited_for
        return renewed, not renewed and not unseen, not waited_for

    return min(rows, key=place)[0] if rows else record_pk


def analyse_record(
    record_pk: int, budget: float = BUDGET, *, gives_way: bool = True
) -> AnalysisOutcome:
    """Analyse the missing hands of a record for about ``budget`` seconds, then judge them.

    With ``gives_way`` no hand is judged while another record waits for a first look. An exception
    ends the attempt: stored hands stay, and the sweep tries again.
    """
    analysis = _claim(record_pk)
    if analysis is None:
        return AnalysisOutcome.SKIPPED
    if not engine.warm_solver():
        _finish(analysis, State.NOTHING, NO_COMPILER)
        return AnalysisOutcome.FINISHED
    record = Record.objects.with_match().get(pk=record_pk)
    parsed = engine.parse_record(record.text)
    people = _people_at(record, dict(zip(parsed.ruleset.seats, parsed.seats, strict=True)))
    start = time.monotonic()
    for hand in _unseen_hands(record.pk).order_by("number"):
        if time.monotonic() - start >= budget:
            return _go_on(analysis, record_pk)
        _store_hand_analysis(analysis, hand, _analysis_of(parsed, hand.number - 1), people)
    for hand in record.hands.filter(analysed__analysis__answer__judged=False).order_by("number"):
        if time.monotonic() - start >= budget or (gives_way and _others_wait(analysis)):
            return _go_on(analysis, record_pk)
        _judge_hand(analysis, parsed, hand)
    _store_final_state(analysis, record)
    return AnalysisOutcome.FINISHED


def _go_on(analysis: Analysis, record_pk: int) -> AnalysisOutcome:
    """Give a record back, with a message."""
    rows = Analysis.objects.filter(pk=analysis.pk)
    rows.update(lease_until=None, woken_at=Now(), attempts=0)
    post(Job.ANALYSE, record_pk)
    return AnalysisOutcome.GOES_ON


def _others_wait(analysis: Analysis) -> bool:
    """Return whether a new record that no worker holds waits for a first look."""
    due = Analysis.objects.due().unleased().filter(state=State.WAITING).exclude(pk=analysis.pk)
    return due.filter(Exists(_unseen_hands(OuterRef("record")))).exists()


# --- the row of a record -------------------------------------------------------------------------


@transaction.atomic
def _claim(record_pk: int) -> Analysis | None:
    """Lease a record for one attempt; gives it up after too many attempts without progress."""
    rows = Analysis.objects.due().unleased().filter(record=record_pk)
    analysis = rows.select_for_update(of=("self",), no_key=True).first()
    if analysis is None:
        return None
    if analysis.attempts >= ATTEMPTS:
        _finish(analysis, State.FAILED, GIVEN_UP)
        return None
    count = Hand.objects.filter(record=record_pk).count()
    Analysis.objects.filter(pk=analysis.pk).update(
        lease_until=Now() + LEASE, attempts=F("attempts") + 1, hands=count
    )
    return analysis


def _store_final_state(analysis: Analysis, record: Record) -> None:
    """Set the final state: if no hand could be analysed, with the code of the first hand."""
    codes = AnalysedHand.objects.filter(hand__record=record).order_by("hand__number")
    analysis_codes = list(codes.values_list("analysis__code", flat=True))
    if analysis_codes and all(analysis_codes):
        _finish(analysis, State.NOTHING, analysis_codes[0])
    else:
        _finish(analysis, State.DONE)


def _finish(analysis: Analysis, state: Analysis.State, code: str = "") -> None:
    Analysis.objects.filter(pk=analysis.pk).update(
        state=state, code=code, version=engine.ANALYSIS_VERSION, attempts=0, lease_until=None
    )


# --- the hands -----------------------------------------------------------------------------------


def _unseen_hands(record_pk: int | OuterRef) -> QuerySet[Hand]:
    """Return the hands of a record without an analysis of this version."""
    analysed_hands = AnalysedHand.objects.filter(
        hand=OuterRef("pk"), analysis__version=engine.ANALYSIS_VERSION
    )
    return Hand.objects.filter(~Exists(analysed_hands), record=record_pk)


def _analysis_of(parsed: engine.Record, index: int) -> HandAnalysis:
    """Return the stored analysis of an equal hand, or that of a first look and store it."""
    digest, version = engine.hand_digest(parsed, index), engine.ANALYSIS_VERSION
    result = HandAnalysis.objects.filter(digest=digest, version=version).first()
    if result is not None:
        return result
    answer = engine.analyse_hand(parsed, index, judged=False)
    numbers = {}
    if answer.code is None:
        numbers = {name: getattr(answer, name) for name in ("par", "result", "luck", "skill")}
    row, _ = HandAnalysis.objects.get_or_create(
        digest=digest,
        version=version,
        defaults={
            "code": answer.code or "",
            "answer": answer.to_dict(),
            **numbers,
        },
    )
    return row


def _judge_hand(analysis: Analysis, parsed: engine.Record, hand: Hand) -> None:
    """Store the judgements of a hand, for all equal hands, and the progress of the record."""
    row = HandAnalysis.objects.get(hands__hand=hand)
    judged = engine.judge_hand(parsed, hand.number - 1, row.hand_analysis)
    with transaction.atomic():
        HandAnalysis.objects.filter(pk=row.pk).update(answer=judged.to_dict(), made_at=Now())
        for seat in judged.seats:
            equal_seats = AnalysedSeat.objects.filter(hand__analysis=row, seat=seat.seat)
            equal_seats.update(**_counts_of(seat))
        Analysis.objects.filter(pk=analysis.pk).update(attempts=0, lease_until=Now() + LEASE)


@transaction.atomic
def _store_hand_analysis(
    analysis: Analysis, hand: Hand, result: HandAnalysis, people: Mapping[str, dict[str, int]]
) -> None:
    """Store the analysis of a hand with its seats, and the progress of the record."""
    row, _ = AnalysedHand.objects.update_or_create(hand=hand, defaults={"analysis": result})
    result.refresh_from_db()  # another worker may have judged it since it was read
    row.seats.all().delete()
    AnalysedSeat.objects.bulk_create(
        AnalysedSeat(
            hand=row,
            seat=seat.seat,
            role=seat.role,
            open_loss=seat.open_loss,
            fair_loss=seat.fair_loss,
            choices=seat.choices,
            fit=seat.fit,
            **_counts_of(seat),
            **people.get(seat.seat, {}),
        )
        for seat in result.hand_analysis.seats
    )
    analysed_hands = AnalysedHand.objects.filter(
        hand__record=hand.record_id, analysis__version=engine.ANALYSIS_VERSION
    )
    Analysis.objects.filter(pk=analysis.pk).update(
        done=analysed_hands.count(), attempts=0, lease_until=Now() + LEASE
    )


def _counts_of(seat: engine.SeatAnalysis) -> dict[str, Any]:
    """Return the counts of a seat's cards by verdict as columns."""
    return {
        "slips": seat.marks["slip"],
        "mistakes": seat.marks["mistake"],
        "blunders": seat.marks["blunder"],
        "judgements": seat.judgements,
        "hand_loss": seat.hand_loss,
    }


def _people_at(record: Record, names: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return the player or bot at each seat as column and primary key, as far as known."""
    people: dict[str, dict[str, int]] = {}
    now = dict(zip(names, record.match.current_names(tuple(names.values())), strict=True))
    for side, keys in enumerate(seats_of(record.match)):
        keys_by_name = dict(zip(map(fold_name, record.match.names_at(side)), keys, strict=False))
        for seat in sides_of(record.home_side)[side]:
            key = keys_by_name.get(fold_name(now[seat]))
            if key is not None:
                column = "player_id" if key.startswith("p") else "bot_id"
                people[seat] = {column: int(key[1:])}
    return people


# --- Reviews --------------------------------------------------------------------------------------
# Notes of arbiters that a player's play was reviewed. They are never public.


MAX_NOTE_LENGTH = 2000  # characters; a longer note is cut


@transaction.atomic
def note_review(actor: Actor, club: Club, player: Player, *, hands: int, note: str) -> Review:
    """Note that a player's play over ``hands`` hands was reviewed; the note may be empty.

    Refuses SIGN_IN, FORBIDDEN also to arbiters who would review themselves, and BAD_REASON.
    """
    is_himself = actor.user is not None and player.user_id == actor.user.pk
    refuse_unless(may_arbitrate(actor, club) and not is_himself, actor)
    review = Review.objects.create(
        club=club,
        player=player,
        hands=hands,
        note=validate_remark(note)[:MAX_NOTE_LENGTH],
        made_by=actor.label,
    )
    write_event(actor, "play.reviewed", review, club=club, player=player.code, hands=hands)
    return review
