"""Finds rows of a tournament that contradict its history, its signed statement, or each other."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.db.models import Exists, OuterRef

import engine
from tournaments.domain.trail.rows import RowFault
from tournaments.exchange.queries.statements import compare_statement
from tournaments.exchange.queries.trails import check_rows
from tournaments.models import (
    AuditEvent,
    Dispute,
    Match,
    Record,
    Result,
    Round,
    Stage,
    Tournament,
)
from tournaments.models.results import UNRULED_STATES
from tournaments.results.queries.records import BATCH, consistent_snapshot

NOT_COMPARED: Final = (
    "before a round is signed: seeding order and ratings, lots, absences, requested byes",
    "before a round is signed: names, and the players of a pair",
    "a tournament's state, visibility and terms, and how amounts of prizes follow its entries",
    "drafts, the reasons of pairings, substitutes, refused records",
    "the hands and verdict of a record, which follow from its text (`audit` replays them)",
    "names of pairs and players that no entry bears, and whether a season is closed",
    "settings and links of a sign-up, codes and contacts of its tickets, who was told",
    "clocks, check-in, announcements, accounts",
    "comparisons of a bot's versions: one event, no rows of theirs",
)
"""What no check of `audit_verify` covers (docs/operators/audit.md)."""

DRAWING_VERBS: Final = ("tournament.drawn", "round.drawn", "stage.drawn_again")

UNPLAYED: Final = (Match.State.PENDING, Match.State.REPORTED)


@dataclass(frozen=True, slots=True)
class CheckedTournament:
    """The faults of a tournament, and whether it has changed since it was signed, legally."""

    faults: tuple[RowFault, ...]
    is_to_sign: bool


def check_tournament(tournament: Tournament) -> CheckedTournament:
    """Compare a tournament with its history and its newest statement, in one snapshot."""
    with consistent_snapshot():
        read = Tournament.objects.select_related("club").filter(pk=tournament.pk).first()
        if read is None:  # discarded meanwhile
            return CheckedTournament((), is_to_sign=False)
        faults = (*check_unsigned(read), *_changed_texts(read))
        compared = compare_statement(read)
    if compared.event is None or not compared.is_contradicted:
        return CheckedTournament(faults, bool(compared.differing))
    fault = RowFault("statement_differs", "tournament", tournament.pk, compared.event.sequence)
    return CheckedTournament((*faults, fault), is_to_sign=False)


def check_unsigned(tournament: Tournament) -> tuple[RowFault, ...]:
    """Return the faults of a tournament that are found without its statement."""
    return (*check_rows(tournament), *_changed_draws(tournament), *_wrong_matches(tournament))


def _changed_texts(tournament: Tournament) -> Iterator[RowFault]:
    """Yield the records whose text is not that of its hash, or gives another digest.

    Some milliseconds for each record. The rows' `words` bind the hash, and names with it.
    """
    records = Record.objects.filter(match__round__stage__tournament=tournament)
    counted = records.exclude(state=Record.State.REFUSED).order_by("pk")
    rows = counted.values_list("pk", "text", "sha256", "digest").iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        bodies = [text.encode("utf-8", "surrogatepass") for _, text, _, _ in batch]
        verdicts = engine.audit_many(bodies)
        for (key, _, sha256, digest), body, verdict in zip(batch, bodies, verdicts, strict=True):
            if hashlib.sha256(body).hexdigest() != sha256 or verdict.digest != digest:
                yield RowFault("record_text", "record", key)


def _changed_draws(tournament: Tournament) -> Iterator[RowFault]:
    """Yield the stages with a draw that the history did not commit to, or with another seed."""
    events = AuditEvent.objects.filter(tournament=tournament, verb__in=DRAWING_VERBS)
    commitments: dict[int, dict[int, object]] = {}
    for facts in events.values_list("facts", flat=True):
        stage, number = facts.get("stage", 1), facts.get("draw")
        if isinstance(stage, int) and isinstance(number, int):  # imports bring any JSON
            commitments.setdefault(stage, {})[number] = facts.get("draw_commitment")
    for row in tournament.stages.select_related("tournament").order_by("number"):
        if not _draws_hold(row, commitments.get(row.number, {})):
            yield RowFault("draw_changed", "stage", row.pk)


def _draws_hold(stage: Stage, commitments: Mapping[int, object]) -> bool:
    """Return whether the draws open their commitments, and the last one gives the stage its seed.

    Releases before the commitments left draws without one.
    """
    first = min(commitments, default=len(stage.draws) + 1)
    try:
        for number, draw in enumerate(stage.draws, start=1):
            label = f"{stage.label}/draw/{number}"
            commitment = engine.commitment(label, bytes.fromhex(draw["seed"]))
            if number >= first and commitment != commitments.get(number):
                return False
        return not stage.draws or stage.seed in ("", stage.draws[-1]["seed"])
    except (LookupError, TypeError, ValueError):
        return False


def _wrong_matches(tournament: Tournament) -> Iterator[RowFault]:
    """Yield the matches whose state contradicts their results, disputes or round."""
    of_match = {"match": OuterRef("pk")}
    matches = Match.objects.filter(round__stage__tournament=tournament).order_by("pk")
    compared = matches.values_list(
        "pk",
        "state",
        "round__state",
        Exists(Result.objects.counting().filter(**of_match)),
        Exists(Dispute.objects.open().filter(**of_match)),
        Exists(Dispute.objects.exclude(state__in=UNRULED_STATES).filter(**of_match)),
    )
    waiting = []
    for key, state, round_state, counts, is_disputed, was_ruled in compared:
        if not _agrees(state, counts=counts, is_disputed=is_disputed):
            yield RowFault("match_state", "match", key)
        elif round_state == Round.State.CLOSED and state in UNPLAYED and not was_ruled:
            waiting.append(key)
    # Legal when it was postponed; a ruling may also have voided the result.
    postponed = AuditEvent.objects.filter(
        tournament=tournament, verb="match.postponed", subject_type="match", subject_pk__in=waiting
    )
    for key in sorted(set(waiting) - set(postponed.values_list("subject_pk", flat=True))):
        yield RowFault("match_open", "match", key)


def _agrees(state: str, *, counts: bool, is_disputed: bool) -> bool:
    """Return whether a match in this state may have a counting result, and an open dispute."""
    if state == Match.State.DISPUTED:
        return is_disputed
    return not is_disputed and counts == (state == Match.State.ACCEPTED)
