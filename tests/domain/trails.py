"""Histories made by hand for tests: chained and signed, without a database."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournaments.domain.trail.chain import FIRST, Event, Texts, commitment, link, says
from tournaments.domain.trail.checking import ChainReport, Walk
from tournaments.domain.trail.checkpoints import Checkpoint, public_key, sign

SEED = "11" * 32
KEY = public_key(SEED)
VERBS = ("tournament.created", "entries.added", "round.published", "record.accepted")


def chained(event: Event, before: str) -> Event:
    """Give an event its commitment and its digest."""
    tied = replace(event, texts_digest=commitment(event.texts, event.salt))
    return replace(tied, digest=link(before, says(tied)))


def history(length: int) -> list[Event]:
    """A club's events, each with facts of its own."""
    events, before = [], FIRST
    for number in range(1, length + 1):
        texts = Texts(f"olga {number}", "Liga de Peñas", {"match": f"liga/1/{number}", "n": number})
        event = Event(
            club=3,
            tournament=5 if number > 1 else None,
            sequence=number,
            verb=VERBS[number % len(VERBS)],
            subject_type="match",
            subject_pk=40 + number,
            at=f"2026-11-21T20:15:{number:02d}.000000Z",
            texts=texts,
            salt=f"{number:032x}",
            texts_digest="",
            digest="",
        )
        events.append(chained(event, before))
        before = events[-1].digest
    return events


def checkpoint(events: Sequence[Event], number: int = 1, before: str = FIRST) -> Checkpoint:
    """Sign where these events end."""
    last = events[-1]
    stated = Checkpoint(3, number, last.sequence, last.digest, last.at, before, "")
    return sign(stated, SEED)


def rechained(events: Iterable[Event]) -> list[Event]:
    """Compute every digest again, as in an attempt to leave no trace."""
    chain: list[Event] = []
    for number, event in enumerate(events, start=1):
        before = chain[-1].digest if chain else FIRST
        chain.append(chained(replace(event, sequence=number), before))
    return chain


def walked(events: Iterable[Event], *checkpoints: Checkpoint) -> ChainReport:
    """Walk along events."""
    walk = Walk(
        (checkpoint.sequence, checkpoint.digest, checkpoint.number) for checkpoint in checkpoints
    )
    for event in events:
        walk.add_event(event)
    return walk.finish()


def first(chain_report: ChainReport) -> tuple[str, int]:
    """The first fault: its code and its event."""
    return chain_report.faults[0].code, chain_report.faults[0].sequence
