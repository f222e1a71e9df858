"""Checks of the places by which entrants came through from other tournaments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tournaments.domain.proof import Bundle, SourcePlace, digest_of
from tournaments.domain.ranking import CannotRank
from tournaments.domain.rows import TournamentRows
from tournaments.domain.season import final_places
from tournaments.domain.verification.findings import Finding, facts_of


def check_sources(bundle: Bundle, sources: Sequence[Bundle]) -> Iterator[Finding]:
    """Each stated place follows from the file of its source; a source corrected since is named.

    The file of a source has the digest that was noted, or its short name in the labels of its
    draws.
    """
    digests = [digest_of(source.rows) for source in sources]
    by_digest = {digest: source.rows for digest, source in zip(digests, sources, strict=True)}
    by_slug = {
        draw.label.partition("/")[0]: digest
        for digest, source in zip(digests, sources, strict=True)
        for draw in source.proof.draws
    }
    places: dict[str, list[SourcePlace]] = defaultdict(list)
    corrected: dict[str, list[int]] = defaultdict(list)
    missing: list[int] = []
    stated = tuple(one.entrant for one in bundle.proof.sources if not one.number)
    if stated:
        yield Finding("source_stated", holds=True, entrants=stated)
    for one in bundle.proof.sources:
        if not one.number:
            continue
        digest = one.digest if one.digest in by_digest else by_slug.get(one.slug, "")
        if not digest:
            missing.append(one.entrant)
            continue
        places[digest].append(one)
        if one.digest and one.digest != digest:
            corrected[digest].append(one.entrant)
    for digest, came in places.items():
        rows = by_digest[digest]
        if digest in corrected:
            facts = facts_of(name=rows.name)
            entrants = tuple(corrected[digest])
            yield Finding("source_corrected", holds=True, entrants=entrants, facts=facts)
        yield from _check_places(rows, came)
    if missing:
        yield Finding("source_missing", holds=True, entrants=tuple(missing))


def _check_places(rows: TournamentRows, came: Sequence[SourcePlace]) -> Iterator[Finding]:
    """The places follow from a source.

    A file does not say who was expelled, after whom the next move up, only who has left for good.
    """
    try:
        ranks = {place.who: place.rank for place in final_places(rows)}
    except CannotRank:
        ranks = {}
    left = {e.number for e in rows.entrants if any(end is None for _, end in e.absences)}
    wrong = False
    for one in came:
        rank = ranks.get(one.number, 0)
        ahead = sum(ranks[number] < rank for number in left & ranks.keys())
        if not rank or not rank - ahead <= one.place <= rank:
            wrong = True
            facts = facts_of(name=rows.name, stated=one.place, found=rank or "-")
            yield Finding("source_place", holds=False, entrants=(one.entrant,), facts=facts)
    if not wrong:
        entrants = tuple(one.entrant for one in came)
        yield Finding("sources", holds=True, entrants=entrants, facts=facts_of(name=rows.name))
