"""Records of a match of several cotos: one for each, in order, until a side has won enough.

Until then the match has no result and waits to be played on; with the deciding coto it gets one, as
a match of a single record does. Which coto a record is about, its tag ``coto`` says; without that,
it is the one that comes next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from tournaments.domain.cotos import Coto, coto_of, decided_by, leads_to, tally
from tournaments.domain.scores import Score
from tournaments.errors import Reason, Refusal
from tournaments.models import Match, Record, Result, Round
from tournaments.models.matches import SIDES
from tournaments.permissions import Actor
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.results import (
    SETTLED,
    confirm,
    counts_at_once,
    end_lease,
    is_own_report,
    replace_result,
    score_facts,
    score_in,
    withdraw_result,
)
from tournaments.services.sent import CLUB, Sent

TAG: Final = "coto"
"""The tag of a record that says which coto of its match it is, from 1."""

TWO: Final = 2


def judge_coto(sent: Sent, closed: Refusal | None) -> Submitted:
    """Decide about a valid record of a locked match; ``closed`` is why it takes none now, if so."""
    match = sent.match
    records = accepted_cotos(match)
    live = match.results.live().first()
    same = next((record for record in records if sent.says_the_same_as(record)), None)
    if same is not None:
        return _again(sent, same, live)
    coming = len(records) + 1
    number = _number(sent, coming)
    if refusal := closed or _unwanted(sent, live, records, number):
        return sent.refused(refusal)
    if number < coming:
        return _instead(sent, number, live, records)
    return _next(sent, number, live, records)


def accepted_cotos(match: Match) -> tuple[Record, ...]:
    """Return the records that the match has so far, coto by coto."""
    return tuple(match.records.accepted().order_by("coto"))


def cotos_of(records: Iterable[Record]) -> tuple[Coto, ...]:
    """Return how the cotos of accepted records ended."""
    return tuple(coto_of(record.verdict, record.home_side) for record in records)


def standing(match: Match) -> Score | None:
    """Return how a match of several cotos stands by its records; ``None`` without any."""
    records = accepted_cotos(match) if match.tournament.cotos > 1 else ()
    return tally(cotos_of(records), len(match.sides)) if records else None


def coto_rows(cotos: Iterable[Coto]) -> tuple[dict[str, Any], ...]:
    """Return cotos as a result keeps them: the points of each side, and who won it."""
    return tuple(
        {**dict(zip(SIDES, coto.points, strict=False)), "winner": SIDES[coto.winner]}
        for coto in cotos
    )


def settle(
    actor: Actor, match: Match, *, counts: bool, reason: str = "", **more: Any
) -> Result | None:
    """Give a match the result that its cotos come to; without enough of them it is played on.

    What was played after the match was decided is superseded.
    """
    records = accepted_cotos(match)
    end = decided_by(cotos_of(records), match.tournament.cotos)
    if end is None:
        play_on(match)
        return None
    surplus = [record.pk for record in records[end:]]
    match.records.filter(pk__in=surplus).update(state=Record.State.SUPERSEDED)
    cotos = cotos_of(records[:end])
    return replace_result(
        actor,
        match,
        tally(cotos, len(match.sides)),
        depth=Result.Depth.RECORD,
        counts=counts,
        record=records[end - 1],
        reason=reason,
        hand_scores=coto_rows(cotos),
        **more,
    )


def play_on(match: Match) -> None:
    """Let a match wait for its next coto, or to be begun again; what result it had is withdrawn."""
    withdraw_result(match)
    is_late = match.round.state == Round.State.CLOSED and match.postponed_to is not None
    match.state = Match.State.POSTPONED if is_late else Match.State.PENDING
    match.save(update_fields=["state"])


def _number(sent: Sent, coming: int) -> int:
    """Return which coto the record says that it is."""
    tags = sent.reading.record.tags if sent.reading.record else {}
    written = str(tags.get(TAG, ""))
    is_number = written.isascii() and written.isdigit() and len(written) <= TWO
    return int(written) if is_number else coming


def _unwanted(
    sent: Sent, live: Result | None, records: Sequence[Record], number: int
) -> Refusal | None:
    """Return why no such coto is taken now, if it is not."""
    match, cotos = sent.match, cotos_of(records)
    if live is not None and live.depth in SETTLED:
        return Refusal(Reason.SETTLED)
    coming = len(records) + 1
    if number < coming and number > 0:
        return None
    if decided_by(cotos, match.tournament.cotos) is not None:
        won = tally(cotos, len(match.sides)).hands
        return Refusal(Reason.MATCH_DECIDED, text="-".join(map(str, won)))
    if number != coming:
        return Refusal(Reason.OTHER_COTO, expected=coming, found=number)
    return Refusal(Reason.ALREADY_DISPUTED) if match.state == Match.State.DISPUTED else None


def _again(sent: Sent, accepted: Record, live: Result | None) -> Submitted:
    """Answer with the record that is there; once another side has said them all, that confirms."""
    sent.said_too(accepted)
    match = sent.match
    if live is None or match.state != Match.State.REPORTED or live.depth != Result.Depth.RECORD:
        return sent.known(accepted)
    if is_own_report(match, live, sent.party) or not _agreed(accepted_cotos(match)):
        return sent.known(accepted)
    confirm(sent.actor, match, live)
    return Submitted(Outcome.CONFIRMED, sent.reading, match, accepted)


def _agreed(records: Iterable[Record]) -> bool:
    """Tell whether the club, or two sides, have said every coto."""
    return all(CLUB in record.said_by or len(record.said_by) >= TWO for record in records)


def _new(sent: Sent) -> Coto:
    return coto_of(sent.reading.verdict_json, sent.side)


def _next(sent: Sent, number: int, live: Result | None, records: Sequence[Record]) -> Submitted:
    """Take the coto that comes next, if it does not contradict what was reported of the match."""
    match = sent.match
    cotos = (*cotos_of(records), _new(sent))
    is_own = live is not None and is_own_report(match, live, sent.party)
    if live is not None and not leads_to(cotos, match.tournament.cotos, score_in(live)):
        if not is_own:
            return sent.contested(number)
        play_on(match)
        live = None
    row = sent.kept(number)
    if decided_by(cotos, match.tournament.cotos) is None:
        counts = counts_at_once(sent.party, match)
        return sent.taken(row, standing_facts(match, cotos), counts=counts)
    if live is None or is_own:
        return _decided(sent, row)
    confirmed_by = live.made_by if match.state == Match.State.REPORTED else live.confirmed_by
    return _decided(sent, row, confirmed_by=confirmed_by, agrees=True)


def _decided(sent: Sent, row: Record, *, confirmed_by: str = "", agrees: bool = False) -> Submitted:
    """Give the match its result, its last coto being there."""
    match = sent.match
    was_reported = match.state == Match.State.REPORTED
    counts = agrees or counts_at_once(sent.party, match) or _agreed(accepted_cotos(match))
    end_lease(match)
    result = settle(
        sent.actor,
        match,
        counts=counts,
        reported_for=sent.party,
        confirmed_by=confirmed_by,
    )
    answer = sent.taken(row, score_facts(result), counts=counts)
    if agrees and was_reported:
        return Submitted(Outcome.CONFIRMED, answer.reading, match, row)
    return answer


def _instead(sent: Sent, number: int, live: Result | None, records: Sequence[Record]) -> Submitted:
    """Set a record against that of the same coto: one's own is put right, another is contested."""
    match, wins = sent.match, sent.match.tournament.cotos
    cotos = [*cotos_of(records)]
    cotos[number - 1] = _new(sent)
    end = decided_by(cotos, wins)
    alone = bool(sent.party) and records[number - 1].said_by == [sent.party]
    is_own = live is None or is_own_report(match, live, sent.party)
    is_disputed = match.state == Match.State.DISPUTED
    if not alone or not is_own or is_disputed or end not in {None, len(cotos)}:
        return sent.contested(number)
    row = sent.kept(number)
    if end is not None:
        return _decided(sent, row)
    if live is not None:
        play_on(match)
    return sent.taken(row, standing_facts(match, cotos), counts=counts_at_once(sent.party, match))


def standing_facts(match: Match, cotos: Sequence[Coto]) -> dict[str, Any]:
    """Return how the match stands, for the event of a coto that does not decide it."""
    score = tally(cotos, len(match.sides))
    names = SIDES[: len(score.hands)]
    return {f"{name}_hands": n for name, n in zip(names, score.hands, strict=True)}
