"""Checks of what a tournament file holds together: digest, signature, commitments, seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import engine
from tournaments.domain.proof import Bundle, StageDraw, digest_of
from tournaments.domain.signed_proof import matches_checkpoint, statement_of
from tournaments.domain.trail.checkpoints import is_signed
from tournaments.domain.verification.findings import Finding, facts_of


def check_contents(bundle: Bundle) -> Iterator[Finding]:
    """The tournament is the one that was proved; without a digest nothing is proved."""
    if not bundle.proof.digest:
        yield Finding("no_proof", holds=False)
        return
    now = digest_of(bundle.rows)
    is_same = now == bundle.proof.digest
    code = "contents" if is_same else "contents_changed"
    yield Finding(code, is_same, facts={"stated": bundle.proof.digest, "found": now})


def check_signature(bundle: Bundle, keys: Collection[str]) -> Iterator[Finding]:
    """A checkpoint of the club's history signs the tournament, up to its last closed round."""
    signed = bundle.proof.signed
    if signed is None:
        if bundle.proof.digest or keys:
            yield Finding("not_signed" if keys else "unsigned", holds=not keys)
        return
    key = signed.checkpoint.key
    if keys and key not in keys:
        yield Finding("unknown_key", holds=False, facts={"key": key})
    if not matches_checkpoint(signed) or not is_signed(signed.checkpoint):
        yield Finding("bad_signature", holds=False, facts={"key": key})
        return
    stated_facts = dict(signed.event.texts.facts)
    after = stated_facts.get("after")
    last = max((r.number for s in bundle.rows.stages for r in s.published), default=0)
    if not isinstance(after, int) or not 0 < after <= last:
        yield Finding(
            "signed_differs", False, facts=facts_of(field="after", stated=after, found=last)
        )
        return
    statement = statement_of(bundle.rows, bundle.proof.draws, bundle.proof.deals, after)
    differ = [name for name in statement if statement[name] != stated_facts.get(name)]
    for name in differ:
        facts = facts_of(field=name, stated=stated_facts.get(name), found=statement[name])
        yield Finding("signed_differs", holds=False, facts=facts)
    if not differ:
        facts = facts_of(at=signed.checkpoint.at, after=after, key=key)
        yield Finding("signed", holds=True, facts=facts)
    if not keys:
        yield Finding("own_key", holds=True, facts={"key": key})
    if after < last:
        yield Finding("signed_until", holds=True, facts={"after": after})


def check_draws(bundle: Bundle) -> Iterator[Finding]:
    """Each draw of a stage opens its commitment, and the last one is the seed of the stage."""
    proof = bundle.proof
    for stage in bundle.rows.stages:
        draws = [draw for draw in proof.draws if draw.stage == stage.number]
        for number, draw in enumerate(draws, start=1):
            fault = _draw_fault(draw, number)
            if not fault and draw is draws[-1] and stage.rounds and draw.seed != stage.seed:
                fault = "seed"
            facts = facts_of(
                number=draw.number, commitment=draw.commitment, reason=draw.reason or "–"
            )
            if fault:
                yield Finding("draw_differs", False, stage.number, facts=facts | {"field": fault})
            else:
                code = "drawn" if number == 1 else "drawn_again"
                yield Finding(code, holds=True, stage=stage.number, facts=facts)
        if not draws and stage.published and proof.digest:
            yield Finding("no_draws", holds=True, stage=stage.number)
    for (stage_, round_), count in Counter(
        (deal.stage, deal.round) for deal in proof.deals
    ).items():
        if count > 1:
            yield Finding("deals_again", True, stage_, round_, facts={"count": count})


def _draw_fault(draw: StageDraw, number: int) -> str:
    """Return the field of a draw that does not fit, the ``number``-th in its list; or nothing."""
    if draw.number != number:
        return "number"
    if not draw.label.endswith(f"/{draw.stage}/draw/{number}"):
        return "label"
    commitment = engine.commitment(draw.label, bytes.fromhex(draw.seed))
    return "" if commitment == draw.commitment else "commitment"
