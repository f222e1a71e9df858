"""Analyses a record hand by hand, so that finished hands can be stored and reused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.analysis.answer import Analysis, HandAnalysis, Terms
from engine.analysis.digests import hand_digest
from engine.analysis.hands import USUAL, analyse_hand
from engine.auditor import digest
from engine.solver import solve
from engine.view import position_at

if TYPE_CHECKING:
    from engine.notation import Record

Known = Callable[[str], HandAnalysis | None]
"""Looks up the stored analysis of a hand by its digest."""


def analyse(record: Record, terms: Terms = USUAL, known: Known | None = None) -> Analysis:
    """Analyses a match; hands that ``known`` returns under the same terms are not computed again.

    Takes a quarter to half a second a hand; :func:`analyse_hands` yields them one by one.
    """
    rules = record.ruleset
    return Analysis(
        digest(record),
        rules.name,
        terms,
        tuple(analyse_hands(record, terms, known)),
        dict(zip(rules.seats, record.seats, strict=True)),
    )


def analyse_hands(
    record: Record, terms: Terms = USUAL, known: Known | None = None
) -> Iterator[HandAnalysis]:
    """The hands of a record in order, each analysed when it is asked for, unless it is known."""
    for index in range(len(record.hands)):
        stored = None if known is None else _stored(record, index, terms, known)
        yield analyse_hand(record, index, terms) if stored is None else stored


def _stored(record: Record, index: int, terms: Terms, known: Known) -> HandAnalysis | None:
    digest_of_hand = hand_digest(record, index)
    found = known(digest_of_hand)
    if found is None or not found.answers(digest_of_hand, terms):
        return None
    return replace(found, number=index + 1)


def best_line(record: Record, index: int, token: int) -> tuple[str, ...]:
    """One line of best play with all cards seen, from before ``token`` of a hand to its end.

    Raises ``IndexError`` where the hand does not get that far, and
    :class:`~engine.solver.SolverError` where it cannot be solved there.
    """
    return solve(position_at(record, index, token), line=True).line
