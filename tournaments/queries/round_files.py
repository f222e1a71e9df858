"""A round of bots for whoever trusts nobody: its seed, and the records that were dealt from it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import engine
from tournaments.models import Match, Record, Round
from tournaments.permissions import Actor
from tournaments.queries.find import find_round, visible


def round_file(slug: str, number: int, viewer: Actor) -> bytes:
    """Return a closed round as JSON lines that `baza verify-round` reads (`baza-round/1`).

    Records of matches whose tables all play the same deals are not in it: these are dealt from the
    stage's own seed. Refuses NOT_FOUND, while the round is not closed too.
    """
    round_ = find_round(slug, number, viewer)
    records = list(_records(round_))
    visible(round_.state == Round.State.CLOSED and bool(records))
    header = engine.round_header(round_.label, bytes.fromhex(round_.seed))
    lines = [header, *(_line(record) for record in records)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _records(round_: Round) -> Iterator[Record]:
    """Yield the records of bots that count, with their matches: one query."""
    matches = Match.objects.filter(round=round_, boards=[])
    records = Record.objects.accepted().filter(match__in=matches, source=Record.Source.BOT)
    with_match = records.select_related("match__round__stage__tournament")
    yield from with_match.order_by("match__table", "coto").defer("verdict")


def _line(record: Record) -> dict[str, object]:
    return {"label": deals_label(record), "record": json.loads(record.text)}


def deals_label(record: Record) -> str:
    """Return what the deals of a bots' record were drawn under."""
    match = record.match
    if match.tournament.deal_sets:
        sides = 2 if match.third_id is None else 3
        return f"{match.label}/{(record.coto - 1) // sides + 1}"
    return f"{match.label}/{record.coto}" if match.tournament.cotos > 1 else match.label
