"""Results that are reported without a record: the score of a match, or those of its hands.

The club's report counts at once. A side's report waits until another side reports the same or
confirms it, the club confirms it, or the waiting time is over. A report that contradicts the
result is stored beside it, and the arbiter decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.find import lock_match, or_404
from tournaments.core.permissions import (
    Actor,
    Scope,
    may_arbitrate,
    may_submit,
    may_submit_without_play,
    refuse_unless,
    side_of,
)
from tournaments.director.queries.rows import score_in
from tournaments.director.queries.state import match_facts, refuse_closed
from tournaments.domain.hands import (
    AmbiguousWinner,
    AuditedHands,
    HandScore,
    WithoutDealer,
    audit_hands,
)
from tournaments.domain.match_parts import Coto, decided_by, is_possible_coto, tally
from tournaments.domain.scores import Score
from tournaments.domain.sides import SIDES
from tournaments.domain.state import Role
from tournaments.models import Dispute, Match, Record, Result, Tournament
from tournaments.models.results import SETTLED_DEPTHS
from tournaments.results.services.results import (
    confirm,
    contest_result,
    coto_rows,
    counts_at_once,
    cut_by_time,
    format_score,
    is_own_report,
    make_result,
    refuse_impossible,
    refuse_without_deals,
    refuse_without_points,
    replace_result,
    score_facts,
    score_so_far,
    store_contradicting,
    with_places,
    write_match_event,
)
from tournaments.results.services.submission import OutcomeKind

Depth = Result.Depth
HandScores = Sequence[Mapping[str, Any]]

MAX_AT_ONCE: Final = 500
"""Results that one sweep confirms at most."""

MAX_HANDS: Final = 1000  # of one report; those after them are not read


@dataclass(frozen=True, slots=True)
class ReportOutcome:
    """The answer to a report: its outcome, and the version of the result that it is about.

    For a contested report, that is the version stored beside the live one.
    """

    outcome: OutcomeKind
    match: Match
    result: Result

    @property
    def refusal(self) -> Refusal | None:
        """The objection to a contested report: it differs from the result."""
        contested = self.outcome is OutcomeKind.CONTESTED
        return Refusal(Reason.CONFLICTING_REPORT) if contested else None

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        if self.refusal is not None:
            return self.refusal.status
        return 201 if self.outcome in {OutcomeKind.ACCEPTED, OutcomeKind.REPORTED} else 200


@transaction.atomic
def report_result(
    actor: Actor,
    match: Match,
    *,
    score: Score | None = None,
    hand_scores: HandScores = (),
    cut: bool = False,
) -> ReportOutcome:
    """Report how a match ended: its score, at tables perhaps by places, or the points of each hand.

    Where several cotos make a match, its hands are the cotos, each with its winner. A hand is
    ``{"home": 70, "away": 60}`` with ``third`` where three play, ``board`` (its deal) in
    duplicate, and ``winner`` (a side) where more points did not decide it. A side may correct
    its own report until it is confirmed. ``cut``: time ended the match, at any score. Refuses
    SIGN_IN, FORBIDDEN, NOTHING_TO_PLAY, ROUND_CLOSED, SETTLED, SCORE_MISSING, DEALS_MISSING,
    POINTS_MISSING, IMPOSSIBLE_SCORE, SCORE_UNFINISHED, LEVEL_CUT, BAD_HAND, IMPOSSIBLE_HAND,
    HAND_TOO_MANY, HAND_WINNER_MISSING; COTO_WINNER_MISSING, IMPOSSIBLE_COTO, COTO_TOO_MANY,
    COTOS_DIFFER, ALREADY_DISPUTED (a coto).
    """
    refuse_unless(may_submit(actor, match), actor)
    match = lock_match(match)
    if match.state == Match.State.BYE:
        raise Refusal(Reason.NOTHING_TO_PLAY)
    live = match.results.live().first()
    if live is not None and live.depth in SETTLED_DEPTHS and match.state == Match.State.ACCEPTED:
        raise Refusal(Reason.SETTLED)
    report = _checked_report(actor, match, score, hand_scores, cut=cut)
    if not report.is_in(live):
        refuse_closed("submit", match_facts(match))
    if live is None and match.state == Match.State.DISPUTED:  # one of several cotos
        raise Refusal(Reason.ALREADY_DISPUTED)
    if live is None or is_own_report(match, live, report.side):
        return _write_report(report, live)
    return _compare_report(report, live)


@transaction.atomic
def confirm_result(actor: Actor, match: Match, *, version: int | None = None) -> Result:
    """Confirm what a side reported, as another side or as the club. Repeating it changes nothing.

    ``version`` is the one that the actor saw; if another has replaced it, REPORT_CHANGED is
    refused. Refuses SIGN_IN, FORBIDDEN, NOTHING_TO_CONFIRM, ALREADY_DISPUTED, OWN_REPORT.
    """
    side = side_of(actor, match)
    plays = bool(side) and actor.allows(Scope.SUBMIT)
    is_of_the_club = may_submit_without_play(actor, match) or may_arbitrate(
        actor, match.tournament.club
    )
    refuse_unless(plays or is_of_the_club, actor)
    match = lock_match(match)
    live = match.results.live().first()
    is_confirmed = live is not None and match.state == Match.State.ACCEPTED
    if not is_confirmed:
        refuse_closed("confirm", match_facts(match, live), Role(side=side))
    live = or_404(live)
    if version is not None and version != live.version:
        raise Refusal(Reason.REPORT_CHANGED)
    return live if is_confirmed else confirm(actor, match, live)


def confirm_due() -> int:
    """Confirm the reported results whose waiting time, set by the tournament, is over.

    Idempotent, and safe to run concurrently. Returns how many were confirmed.
    """
    matches = Match.objects.filter(state=Match.State.REPORTED)
    tournaments = Tournament.objects.filter(pk__in=matches.values("round__stage__tournament"))
    match_pks = [
        match_pk
        for tournament in tournaments
        for match_pk in _due(tournament).order_by("made_at").values_list("match", flat=True)
    ]
    return sum(_confirm_overdue(match_pk) for match_pk in match_pks[:MAX_AT_ONCE])


@transaction.atomic
def _confirm_overdue(match_pk: int) -> bool:
    """Confirm the result of one match, if it is still due after locking the match."""
    match = lock_match(Match.objects.with_names().get(pk=match_pk))
    live = _due(match.tournament).filter(match=match).first()
    if live is None:
        return False
    confirm(Actor.system(), match, live, after_minutes=match.tournament.minutes_to_object)
    return True


def _due(tournament: Tournament) -> QuerySet[Result]:
    """Return the results whose waiting time is over, by the database's clock."""
    return Result.objects.live().filter(
        match__round__stage__tournament=tournament,
        match__state=Match.State.REPORTED,
        made_at__lte=Now() - timedelta(minutes=tournament.minutes_to_object),
    )


@dataclass(frozen=True)
class _CheckedReport:
    """A checked report about a locked match; ``side`` is the actor's, empty for the club."""

    actor: Actor
    match: Match
    side: str
    score: Score
    depth: Result.Depth
    hand_scores: tuple[dict[str, Any], ...] = ()

    def row(self, confirmed_by: str = "") -> Result:
        """Return the report as an unsaved version of the result."""
        return make_result(
            self.actor,
            self.match,
            self.score,
            self.depth,
            hand_scores=self.hand_scores,
            reported_for=self.side,
            confirmed_by=confirmed_by,
        )

    def agrees_with(self, result: Result) -> bool:
        """Return whether a version has the same score."""
        return score_in(result).agrees_with(self.score)

    def is_possible_after(self, partial_score: Score) -> bool:
        """Return whether a match with these cotos so far can have ended with this score."""
        pairs = zip(partial_score.hands, self.score.hands, strict=True)
        return all(before <= after for before, after in pairs)

    def is_in(self, result: Result | None) -> bool:
        """Return whether a version already holds all of this report."""
        return result is not None and self.agrees_with(result) and not self.is_deeper_than(result)

    def corrects_hands(self, result: Result) -> bool:
        """Return whether single hands differ from the version's."""
        return self.depth == result.depth == Depth.HANDS and (
            list(self.hand_scores) != result.hand_scores
        )

    def is_deeper_than(self, result: Result) -> bool:
        """Return whether this has more detail: hands instead of a score, points instead of none."""
        if result.depth != Depth.SCORE:
            return False
        return self.depth == Depth.HANDS or (
            self.score.has_points and not score_in(result).has_points
        )


def _checked_report(
    actor: Actor, match: Match, score: Score | None, hand_scores: HandScores, *, cut: bool
) -> _CheckedReport:
    """Check a report and return it with its score."""
    if (score is None) == (not hand_scores):
        raise Refusal(Reason.SCORE_MISSING)
    side = side_of(actor, match)
    if score is not None:
        refuse_without_deals(match, hand_scores)
        if cut:
            score = cut_by_time(score, match)
        refuse_impossible(score, match, finished=True)
        refuse_without_points(score, match)
        return _CheckedReport(actor, match, side, with_places(score, match), Depth.SCORE)
    total, hands = validate_hands(match, hand_scores, finished=not cut)
    if cut:
        total = cut_by_time(total, match)
    return _CheckedReport(actor, match, side, total, Depth.HANDS, hands)


def _write_report(report: _CheckedReport, live: Result | None) -> ReportOutcome:
    """Write the first report, or a side's correction of its own."""
    if live is not None and report.is_in(live) and not report.corrects_hands(live):
        return ReportOutcome(OutcomeKind.DUPLICATE, report.match, live)
    match, counts = report.match, counts_at_once(report.side, report.match)
    before = score_facts(live)
    if live is not None:
        match.records.accepted().update(state=Record.State.SUPERSEDED)
    elif (partial_score := score_so_far(match)) is not None and not report.is_possible_after(
        partial_score
    ):
        raise Refusal(Reason.COTOS_DIFFER, text="-".join(map(str, partial_score.hands)))
    result = replace_result(report.row(), counts=counts)
    _note(report, result, before=before)
    return ReportOutcome(OutcomeKind.ACCEPTED if counts else OutcomeKind.REPORTED, match, result)


def _compare_report(report: _CheckedReport, live: Result) -> ReportOutcome:
    """Compare a report with the existing result: confirm it, contest it, or change nothing.

    The club's report adds the points that a result that counts lacks.
    """
    match = report.match
    if not report.agrees_with(live):
        return _contest_result(report)
    if match.state == Match.State.ACCEPTED and not report.side and report.is_deeper_than(live):
        return _write_report(report, live)
    if match.state != Match.State.REPORTED:
        return ReportOutcome(OutcomeKind.DUPLICATE, match, live)
    if not report.is_deeper_than(live):
        return ReportOutcome(OutcomeKind.CONFIRMED, match, confirm(report.actor, match, live))
    before = score_facts(live)
    result = replace_result(report.row(confirmed_by=live.made_by))
    _note(report, result, before=before, confirms=live.made_by)
    return ReportOutcome(OutcomeKind.CONFIRMED, match, result)


def _contest_result(report: _CheckedReport) -> ReportOutcome:
    """Store a report that contradicts the result, and open a dispute; a ruling on it stays.

    A report from before a ruling to play again is a new contradiction of the new result.
    """
    match = report.match
    heard = match.disputes.exclude(state=Dispute.State.VOIDED)
    disputed = match.results.filter(live=False, counts_from__isnull=True, disputes__in=heard)
    stored_result = next((result for result in disputed if report.agrees_with(result)), None)
    result = stored_result or store_contradicting(report.row())
    if stored_result is None:
        facts = score_facts(result)
        write_match_event(
            report.actor, "result.contested", result, match, result=facts, side=report.side
        )
        contest_result(report.actor, match, Reason.CONFLICTING_REPORT.code, result=result)
    return ReportOutcome(OutcomeKind.CONTESTED, match, result)


def _note(report: _CheckedReport, result: Result, **facts: Any) -> None:
    counts = result.counts_from is not None
    facts = {"result": score_facts(result), "side": report.side, "counts": counts, **facts}
    write_match_event(report.actor, "result.reported", result, report.match, **facts)


# --- the hands ----------------------------------------------------------------------------------


def validate_hands(
    match: Match, hand_scores: HandScores, *, finished: bool = True
) -> tuple[Score, tuple[dict[str, Any], ...]]:
    """Return the score that follows from the hands of a match, and the hands as they are stored.

    Refuses BAD_HAND, IMPOSSIBLE_HAND, HAND_TOO_MANY, HAND_WINNER_MISSING, SCORE_UNFINISHED, of
    cotos COTO_WINNER_MISSING, IMPOSSIBLE_COTO, COTO_TOO_MANY, of deal sets PLAYED_BY_BOTS,
    where results are typed TYPED_ONLY.
    """
    tournament, sides = match.tournament, SIDES[: len(match.sides)]
    if tournament.deal_sets:
        raise Refusal(Reason.PLAYED_BY_BOTS)
    if match.round.stage.rules.typed_only:
        raise Refusal(Reason.TYPED_ONLY)
    if tournament.cotos > 1 and not match.boards:
        return _checked_cotos(match, hand_scores, finished=finished)
    hands = [_hand(row, sides, n) for n, row in enumerate(hand_scores[:MAX_HANDS], 1)]
    hands = _sort_by_board(hands, match)
    options = match.length.options(tournament.options)
    try:
        audit = audit_hands(tournament.ruleset, options, hands)
    except AmbiguousWinner as level:
        raise Refusal(Reason.HAND_WINNER_MISSING, hand=level.number) from level
    except WithoutDealer as wrong:
        raise _impossible(hands, wrong.number) from wrong
    score = _checked_total(audit, hands)
    if (finished or match.boards) and not audit.is_finished:
        raise Refusal(Reason.SCORE_UNFINISHED, text=format_score(score))
    return score, tuple(_storable_hand(hand, sides) for hand in audit.hands)


def _checked_cotos(
    match: Match, hands: HandScores, *, finished: bool
) -> tuple[Score, tuple[dict[str, Any], ...]]:
    """Return the score that follows from cotos, and the cotos as they are stored."""
    sides, length = SIDES[: len(match.sides)], match.length
    cotos: list[Coto] = []
    for number, row in enumerate(hands[:MAX_HANDS], 1):
        hand = _hand(row, sides, number)
        if hand.winner is None:
            raise Refusal(Reason.COTO_WINNER_MISSING, hand=number)
        if decided_by(cotos, length.cotos) is not None:
            raise Refusal(Reason.COTO_TOO_MANY, hand=number)
        cotos.append(Coto(hand.points, hand.winner))
        if not is_possible_coto(cotos[-1], length):
            text = "-".join(str(n) for n in hand.points)
            raise Refusal(Reason.IMPOSSIBLE_COTO, hand=number, text=text)
    score = tally(cotos, len(sides))
    if finished and decided_by(cotos, length.cotos) is None:
        raise Refusal(Reason.SCORE_UNFINISHED, text=format_score(score))
    return score, coto_rows(cotos)


def _hand(data: Mapping[str, Any], sides: Sequence[str], number: int) -> HandScore:
    points = [data.get(side) for side in sides]
    winner, board = data.get("winner"), data.get("board")
    # JSON's true and false are of `bool`, a subclass of `int`.
    if any(type(n) is not int for n in points) or not (board is None or type(board) is int):
        raise Refusal(Reason.BAD_HAND, hand=number)
    if winner is not None:
        refuse_unless_known(Reason.UNKNOWN_SIDE, str(winner), sides)
    return HandScore(
        tuple(n for n in points if n is not None),
        None if winner is None else sides.index(winner),
        board,
    )


def _sort_by_board(hands: list[HandScore], match: Match) -> list[HandScore]:
    """Return the hands of a duplicate table in the order of its deals; refuses duplicates.

    At other tables no deal is noted, whatever a program says.
    """
    boards = list(match.boards)
    if not boards:
        return [replace(hand, board=None) for hand in hands]
    for number, hand in enumerate(hands, 1):
        if hand.board not in boards or [other.board for other in hands].count(hand.board) > 1:
            raise Refusal(Reason.BAD_HAND, hand=number)
    return sorted(hands, key=lambda hand: boards.index(hand.board))


def _checked_total(audit: AuditedHands, hands: Sequence[HandScore]) -> Score:
    """Return the score of hands without a fault; else refuse the first fault."""
    if audit.score is not None:
        return audit.score
    fault = audit.verdict.faults[0]
    number = fault.hand or 1
    if fault.code == "match.over":
        raise Refusal(Reason.HAND_TOO_MANY, hand=number)
    raise _impossible(hands, number)


def _impossible(hands: Sequence[HandScore], number: int) -> Refusal:
    text = "-".join(str(n) for n in hands[number - 1].points)
    return Refusal(Reason.IMPOSSIBLE_HAND, hand=number, text=text)


def _storable_hand(hand: HandScore, sides: Sequence[str]) -> dict[str, Any]:
    document: dict[str, Any] = dict(zip(sides, hand.points, strict=True))
    if hand.winner is not None:
        document["winner"] = sides[hand.winner]
    return document if hand.board is None else {**document, "board": hand.board}
