"""Writes the result of a match: always a new version, the old ones kept.

One version is live, the one that is shown. It counts for standings and pairings once it is
confirmed: accepted matches have a result that counts, and so do those whose accepted result is
disputed, until the arbiter rules. All functions that write need the match locked.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final, NamedTuple

from django.db.models import Max
from django.utils import timezone

import engine
from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import raise_version
from tournaments.core.jobs import Job, post
from tournaments.core.permissions import Actor
from tournaments.director.queries.rows import score_in
from tournaments.director.services.drafts import refresh_drafts
from tournaments.domain.match_parts import Coto, DealSet, coto_of, decided_by, tally
from tournaments.domain.rows import LevelCut
from tournaments.domain.scores import SEATS, Score, sides_of
from tournaments.domain.sides import SCORES, SIDES
from tournaments.models import Dispute, Match, Record, Result, Round, Schedule, Tournament


class NewResult(NamedTuple):
    """An unsaved version to write for its locked match (:func:`make_result`).

    ``before`` are the existing versions, if they were read after the match was locked.
    """

    row: Result
    counts: bool = True
    before: Collection[Result] | None = None


def replace_result(row: Result, *, counts: bool = True) -> Result:
    """Give a match a new live result, which counts at once or waits for confirmation.

    Raises the tournament's version whenever a counting result changes.
    """
    write_results(row.match.tournament, [NewResult(row, counts)])
    return row


def write_results(
    tournament: Tournament, new: Sequence[NewResult], *, end_leases: bool = False
) -> None:
    """Write new live results of matches of a locked tournament, and the states of the matches.

    The tournament's version rises by one for all of them. ``end_leases`` ends the workers' leases
    of the matches.

    The order matters: the version rises first, since the old versions count until it and the new
    ones from it on; old versions stop being live before the new ones are inserted, since a match
    has one live version by constraint; drafts are drawn again last, from what is written.
    """
    before = {
        row.match_id: list(row.match.results.order_by()) if versions is None else versions
        for row, _, versions in new
    }
    changes_standings = any(new_result.counts for new_result in new) or any(
        version.counts for versions in before.values() for version in versions
    )
    if changes_standings:
        raise_version(tournament)
    _end_versions(tournament, before)
    for row, counts, _ in new:
        row.version = max((version.version for version in before[row.match_id]), default=0) + 1
        row.counts_from = tournament.version if counts else None
    Result.objects.bulk_create([new_result.row for new_result in new])
    lease = {"lease_token": "", "lease_until": None} if end_leases else {}
    for counts, state in ((True, Match.State.ACCEPTED), (False, Match.State.REPORTED)):
        _set_states([result.row.match for result in new if result.counts is counts], state, **lease)
    if changes_standings:
        refresh_drafts(tournament, "result")


def _end_versions(tournament: Tournament, before: Mapping[int, Collection[Result]]) -> None:
    """Let the versions of matches count until the tournament's version, and be live no longer.

    A match without such a version costs no query: most results are the first of their match.
    """
    counting = [match for match, versions in before.items() if any(v.counts for v in versions)]
    live = [match for match, versions in before.items() if any(v.live for v in versions)]
    if counting:
        of_matches = Result.objects.filter(match__in=counting)
        of_matches.counting().update(counts_until=tournament.version)
    if live:
        Result.objects.filter(match__in=live).live().update(live=False)


def store_contradicting(row: Result) -> Result:
    """Store a result that contradicts the live one, as a version that does not count."""
    last = row.match.results.aggregate(last=Max("version"))["last"] or 0
    row.version, row.live = last + 1, False
    row.save(force_insert=True)
    return row


def reinstate_result(
    actor: Actor, match: Match, result: Result, *, reason: str, decided: str | None = None
) -> Result:
    """Make a version count again, as a new version with the same content and a reason.

    ``decided`` is the side that goes on, if that is another now.
    """
    row = make_result(
        actor,
        match,
        score_in(result),
        Result.Depth(result.depth),
        record=result.record,
        reason=reason,
        hand_scores=result.hand_scores,
        forfeits=result.forfeits,
        decided=result.decided if decided is None else decided,
        reported_for=result.reported_for,
    )
    return replace_result(row)


def confirm(actor: Actor, match: Match, result: Result, **facts: Any) -> Result:
    """Make the reported live result of a match count."""
    raise_version(match.tournament)
    result.counts_from = match.tournament.version
    result.confirmed_by, result.confirmed_at = actor.label, timezone.now()
    result.save(update_fields=["counts_from", "confirmed_by", "confirmed_at"])
    _set_states([match], Match.State.ACCEPTED)
    refresh_drafts(match.tournament, "result")
    write_match_event(actor, "result.confirmed", result, match, result=score_facts(result), **facts)
    return result


def withdraw_result(match: Match) -> None:
    """Make the live result of a match, if any, a past version that does not count."""
    counted = match.results.counting().exists()
    if counted:
        raise_version(match.tournament)
        match.results.counting().update(counts_until=match.tournament.version)
    match.results.live().update(live=False)
    if counted:
        refresh_drafts(match.tournament, "result")


def contest_result(
    actor: Actor,
    match: Match,
    reason: str,
    *,
    record: Record | None = None,
    result: Result | None = None,
) -> Dispute | None:
    """Open a dispute about the live result; one that counts goes on counting.

    Otherwise any player could take a result out of the standings by an objection. The match's round
    stays open until the arbiter rules. ``None`` when a dispute is unsettled already.
    """
    if match.disputes.unsettled().exists():
        return None
    dispute = Dispute.objects.create(
        match=match, record=record, result=result, reason=reason, opened_by=actor.label
    )
    _set_states([match], Match.State.DISPUTED)
    write_match_event(actor, "dispute.opened", dispute, match, reason=reason)
    return dispute


def counts_at_once(side: str, match: Match) -> bool:
    """Return whether a result from this side (empty: the club) needs no confirmation."""
    return not side or match.is_of_bots or not match.tournament.confirmation


def is_own_report(match: Match, live: Result, side: str) -> bool:
    """Return whether the live result waits for confirmation and was reported by this side."""
    return match.state == Match.State.REPORTED and bool(side) and live.reported_for == side


def refuse_impossible(score: Score, match: Match, *, finished: bool = False) -> None:
    """Refuse IMPOSSIBLE_SCORE for a score that the match cannot have, even if cut short.

    Places are stated at tables alone (the format); where results are typed only, so are points.
    With ``finished``, also SCORE_UNFINISHED: the match must have come to its end.
    """
    length = match.length
    if _is_typed(score, match):
        kind = match.round.stage.kind
        if "typed_only" in kind.settings and score.is_typed(len(match.sides)):
            return
        raise Refusal(Reason.IMPOSSIBLE_SCORE, text=format_score(score))
    if len(score.hands) != len(match.sides) or not length.allows(score):
        raise Refusal(Reason.IMPOSSIBLE_SCORE, text=format_score(score))
    if finished and not (score.cut or length.ends_with(score)):
        raise Refusal(Reason.SCORE_UNFINISHED, text=format_score(score))


def with_places(score: Score, match: Match) -> Score:
    """Return a possible score with its places, where results are typed and only points were."""
    return score.ranked if _is_typed(score, match) else score


def _is_typed(score: Score, match: Match) -> bool:
    return score.places is not None or match.round.stage.rules.typed_only


def cut_by_time(score: Score, match: Match) -> Score:
    """Return the score of a match that time ended; one that was over by then is not cut.

    Refuses LEVEL_CUT for a level one where the stage has one more hand played, POINTS_MISSING for
    one without card points where they decide.
    """
    if _is_typed(score, match) or match.length.ends_with(score):
        return score
    rule = match.round.stage.rules.level_cut
    if score.winner is None and rule is LevelCut.HAND:
        raise Refusal(Reason.LEVEL_CUT, text=format_score(score))
    lacks_points = any(score.hands) and not score.has_points
    if score.winner is None and rule is LevelCut.POINTS and lacks_points:
        raise Refusal(Reason.POINTS_MISSING)
    return replace(score, cut=True)


def refuse_without_deals(match: Match, hand_scores: Sequence[Mapping[str, Any]]) -> None:
    """Refuse DEALS_MISSING for a score without hands where deals are compared between tables."""
    if match.compares_deals and not hand_scores:
        raise Refusal(Reason.DEALS_MISSING)


def refuse_without_points(score: Score, match: Match) -> None:
    """Refuse POINTS_MISSING for hands without card points where a result has to state them."""
    if match.needs_points and any(score.hands) and not score.has_points:
        raise Refusal(Reason.POINTS_MISSING)


def board_scores(match: Match, verdict: engine.Verdict, side: str) -> tuple[dict[str, Any], ...]:
    """Return the hands of a duplicate table's record by their deals; empty for other tables."""
    names = sides_of(side)
    return tuple(
        {
            **{key: (hand.points or {})[name] for key, name in zip(SIDES, names, strict=False)},
            "board": board,
        }
        for board, hand in zip(match.boards, verdict.hands, strict=False)
    )


def format_score(score: Score) -> str:
    """Return a score as text for a refusal: ``3-1 (300-250)``, or ``3-1`` without points.

    Places stand where these were stated instead of hands.
    """
    hands = "-".join(map(str, score.places or score.hands))
    points = "-".join(map(str, score.points))
    return f"{hands} ({points})" if any(score.points) else hands


def winner_of(
    score: Score, forfeits: Sequence[str] = (), decided: str = "", sides: int = 2
) -> Result.Winner:
    """Return the winner: by decision, by the others' forfeit, else the side with most hands."""
    if decided:
        return Result.Winner(decided)
    if forfeits:
        present_sides = [side for side in SIDES[:sides] if side not in forfeits]
        if not present_sides:
            return Result.Winner.NOBODY
        return Result.Winner(present_sides[0]) if len(present_sides) == 1 else Result.Winner.TIE
    return Result.Winner.TIE if score.winner is None else Result.Winner(SIDES[score.winner])


def score_facts(result: Result | None) -> dict[str, Any] | None:
    """Return a result as the facts of an event."""
    if result is None:
        return None
    facts = {
        "version": result.version,
        "depth": str(result.depth),
        **{name: value for name in SCORES if (value := getattr(result, name)) is not None},
        "winner": str(result.winner),
    }
    if result.places is not None:
        facts["places"] = list(result.places)
    if result.forfeits:
        facts["forfeits"] = list(result.forfeits)
    if result.cut:
        facts["cut"] = True
    return facts


def write_match_event(
    actor: Actor, verb: str, subject: Match | Dispute | Result, match: Match, **facts: Any
) -> None:
    """Write an event about a match, with all of its audited rows."""
    tournament = match.tournament
    write_tournament_event(
        actor, verb, subject, tournament, match=match.label, rows=rows_of(match), **facts
    )


def rows_of(match: Match, last: Record | None = None) -> list[Record | Result | Dispute]:
    """Return the rows of a match that the audit compares; three queries.

    A match of deal sets has hundreds of records: an event about one gives it as ``last``, and the
    others are left out.
    """
    results = list(match.results.order_by("pk"))
    for result in results:
        result.match = match
    if last is not None and match.tournament.deal_sets:
        return [last, *results]
    records = match.records.exclude(state=Record.State.REFUSED).order_by("pk")
    return [*records.defer("text", "verdict"), *results, *match.disputes.order_by("pk")]


def make_result(
    actor: Actor,
    match: Match,
    score: Score,
    depth: Result.Depth,
    *,
    record: Record | None = None,
    reason: str = "",
    hand_scores: Iterable[Mapping[str, Any]] = (),
    forfeits: Sequence[str] = (),
    decided: str = "",
    reported_for: str = "",
    confirmed_by: str = "",
) -> Result:
    """Return an unsaved version of a result: live, not counting, without its number."""
    if score.cut:
        at_time = score.winner_at_time(match.round.stage.rules.level_cut)
        decided = decided if at_time is None else SIDES[at_time]
    return Result(
        match=match,
        live=True,
        depth=depth,
        record=record,
        **asdict(score),
        winner=winner_of(score, forfeits, decided, len(score.hands)),
        forfeits=list(forfeits),
        decided=decided,
        hand_scores=[dict(hand) for hand in hand_scores],
        reported_for=reported_for,
        confirmed_by=confirmed_by[:200],
        confirmed_at=timezone.now() if confirmed_by else None,
        reason=reason,
        made_by=actor.label,
    )


def _set_states(matches: Sequence[Match], state: Match.State, **fields: Any) -> None:
    """Set the state of matches and the fields in ``fields``; may queue the closing of rounds."""
    if not matches:
        return
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(state=state, **fields)
    for match in matches:
        match.state = state
    if state == Match.State.ACCEPTED:
        for match in {match.round_id: match for match in matches}.values():
            _close_if_complete(match)


def _close_if_complete(match: Match) -> None:
    """Queue the closing of a scheduled round of bots when its last match is accepted."""
    round_ = match.round
    if round_.play_requested_at is not None:
        at_work = Schedule.objects.active().filter(tournament=match.tournament)
        if at_work.exists() and not round_.matches.unfinished().exists():
            post(Job.CLOSE_ROUND, round_.pk)


# --- Cotos ----------------------------------------------------------------------------------------
# One record for each, in order, until a side has won enough. Until then the match has no result and
# stays open; the deciding coto gives it one, as the record of a match of one record does. The tag
# ``coto`` of a record is its number; without the tag it is the next coto.


TAG: Final = "coto"
"""The tag of a record with the number of its coto, from 1."""


def cotos_of(records: Iterable[Record]) -> tuple[Coto, ...]:
    """Return how the cotos of accepted records ended."""
    return tuple(coto_of(record.verdict, record.home_side) for record in records)


def score_so_far(match: Match) -> Score | None:
    """Return the score so far of a match of several cotos; ``None`` without records."""
    if match.tournament.cotos == 1:
        return None
    records = list(match.records.accepted().order_by("coto"))
    return tally(cotos_of(records), len(match.sides)) if records else None


def coto_rows(cotos: Iterable[Coto]) -> tuple[dict[str, Any], ...]:
    """Return cotos in the form of `Result.hand_scores`: the points of each side, and the winner."""
    return tuple(
        {**dict(zip(SIDES, coto.points, strict=False)), "winner": SIDES[coto.winner]}
        for coto in cotos
    )


def settle_cotos(actor: Actor, match: Match, reason: str) -> None:
    """Give a match the result of its cotos; without enough of them the match goes on.

    Records after the deciding coto are superseded.
    """
    records = list(match.records.accepted().order_by("coto"))
    end = decided_by(cotos_of(records), match.tournament.cotos)
    if end is None:
        continue_match(match)
        return
    surplus = [record.pk for record in records[end:]]
    match.records.filter(pk__in=surplus).update(state=Record.State.SUPERSEDED)
    cotos = cotos_of(records[:end])
    row = make_result(
        actor,
        match,
        tally(cotos, len(match.sides)),
        Result.Depth.RECORD,
        record=records[end - 1],
        reason=reason,
        hand_scores=coto_rows(cotos),
    )
    replace_result(row)


def continue_match(match: Match) -> None:
    """Withdraw the result of a match, if any, and let it wait for its next coto."""
    withdraw_result(match)
    is_late = match.round.state == Round.State.CLOSED and match.postponed_to is not None
    match.state = Match.State.POSTPONED if is_late else Match.State.PENDING
    match.save(update_fields=["state"])


def score_so_far_facts(match: Match, cotos: Sequence[Coto]) -> dict[str, Any]:
    """Return the score so far, for the event of a coto that does not decide the match."""
    score = tally(cotos, len(match.sides))
    names = SIDES[: len(score.hands)]
    return {f"{name}_hands": n for name, n in zip(names, score.hands, strict=True)}


# --- Deal sets ------------------------------------------------------------------------------------
# The records are numbered over sets and seatings. Their tags name their deals (``deals``, the label
# under which they were drawn) and their ``seating``. Accepted records stay, so that a repeated
# attempt goes on with the next one.


DEALS: Final = "deals"
SEATING: Final = "seating"
"""The tags of a record with the label of its deals, and the seating from 1."""


class SetPlace(NamedTuple):
    """A record's place in a match of deal sets: the set and the seating, both from 1.

    ``order`` gives the side of the match at each side of the table.
    """

    number: int
    set: int
    seating: int
    order: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The side of the table of each side of the match."""
        return tuple(self.order.index(side) for side in range(len(self.order)))

    @property
    def facts(self) -> dict[str, int]:
        """The facts of the event of a record that does not decide the match."""
        return {"set": self.set, "seating": self.seating}

    def label(self, match: Match) -> str:
        """Return the label under which its deals are drawn."""
        return f"{match.label}/{self.set}"

    def tags(self, match: Match) -> dict[str, str]:
        """Return the tags of its record."""
        return {DEALS: self.label(match), SEATING: str(self.seating)}


def place_of(match: Match, number: int) -> SetPlace:
    """Return the set and seating of a match's record by its number, from 1."""
    orders = engine.seatings(len(match.sides))
    before, seating = divmod(number - 1, len(orders))
    return SetPlace(number, before + 1, seating + 1, orders[seating])


def set_rows(sets: Iterable[DealSet]) -> tuple[dict[str, Any], ...]:
    """Return sets in the form of `Result.hand_scores`: points of each side, and any winner."""
    return tuple(
        {
            **dict(zip(SIDES, deal_set.points, strict=False)),
            **({} if deal_set.winner is None else {"winner": SIDES[deal_set.winner]}),
        }
        for deal_set in sets
    )


def is_at(match: Match, place: SetPlace, record: engine.Record, side: str) -> bool:
    """Return whether a record has the tags of this set and seating, and its seats."""
    sides: Sequence[str] = engine.RULESETS[match.tournament.ruleset].sides
    if len(place.order) > len(sides):  # four of arrastrado, of whom the dealer sits out
        sides = SEATS
    is_seated_so = sides_of(side) == tuple(sides[index] for index in place.seats)
    return is_seated_so and identify_part(record) == place.tags(match)


def identify_part(record: engine.Record) -> dict[str, str | None]:
    """Return the tags that identify a record within its match."""
    return {name: record.tags.get(name) for name in (DEALS, SEATING)}
