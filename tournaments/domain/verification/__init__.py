"""Checking a tournament from its file alone: rounds are drawn again, standings computed again.

A round that nobody changed must be exactly what the draw gives from what was known then. Of a round
that the arbiter changed (`Edit`) the tables that differ are checked for what makes a pairing legal.
What does not hold is said with its place; nothing is put right.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine import Verdict
from tournaments.domain.proof import Bundle, Drawing
from tournaments.domain.verification.edits import breaches
from tournaments.domain.verification.findings import NOTES, Finding, Findings, all_hold
from tournaments.domain.verification.records import (
    check_records,
    check_standings,
    missing_standings,
    rules_of_before,
)
from tournaments.domain.verification.rounds import (
    check_qualifiers,
    check_round,
    check_seeding,
    rows_at_draw,
)
from tournaments.domain.verification.signatures import check_contents, check_draws, check_signature
from tournaments.domain.verification.sources import check_sources

__all__ = ["NOTES", "Finding", "Findings", "all_hold", "breaches", "verify"]


def verify(
    bundle: Bundle,
    verdicts: Mapping[str, Verdict] | None = None,
    keys: Collection[str] = (),
    sources: Sequence[Bundle] = (),
) -> Findings:
    """Check everything that a tournament file states, and return what was found, in its order.

    ``verdicts`` are those of its records by their digests, where the records are at hand. With
    ``keys``, public keys that are trusted, the proof has to be signed with one of them. ``sources``
    are the tournaments at hand from which entrants came through. Everything holds when every
    finding does.
    """
    findings = [*check_contents(bundle), *check_signature(bundle, keys), *check_draws(bundle)]
    drawings = {drawing.round: drawing for drawing in bundle.proof.drawings}
    for stage in bundle.rows.stages:
        for index, round_ in enumerate(stage.published):
            drawing = drawings.get(round_.number, Drawing(round_.number))
            if not index:
                old_rows = rows_at_draw(bundle, stage, drawing)
                findings += check_seeding(bundle.rows, stage, old_rows)
                findings += check_qualifiers(bundle, old_rows, stage, drawing)
            findings += check_round(bundle.rows, stage, round_, drawings)
    for standings in bundle.proof.standings:
        findings += check_standings(bundle.rows, standings)
    findings += rules_of_before(bundle.rows)
    findings += missing_standings(bundle)
    findings += check_records(bundle, verdicts)
    findings += check_sources(bundle, sources)
    return tuple(findings)
