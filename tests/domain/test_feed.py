"""Every verb of the history is public, or for members alone; none is left out."""

from __future__ import annotations

import pytest

from tests.director.test_verbs_pages import FOUND
from tournaments.core.templatetags import EVENT_NAMES
from tournaments.domain.feed import PRIVATE, PUBLIC, STANDINGS, TYPES, public_type


@pytest.mark.parametrize("verb", sorted({*FOUND, *EVENT_NAMES}))
def test_a_verb_that_a_service_writes_down_is_public_or_private(verb: str) -> None:
    assert (verb in PUBLIC) != (verb in PRIVATE), "say in domain/feed.py who hears of it"


def test_no_verb_is_reported_that_nobody_writes_down() -> None:
    assert {*PUBLIC, *PRIVATE} == set(EVENT_NAMES)


def test_every_public_type_is_reported_by_something_and_explained() -> None:
    assert set(PUBLIC.values()) == set(TYPES)
    assert set(TYPES) >= STANDINGS


def test_nobody_hears_of_drafts_refusals_and_people() -> None:
    for verb in ("round.drawn", "draft.swapped", "record.refused", "member.added", "no.such"):
        assert public_type(verb, {}) is None


def test_a_report_that_counts_at_once_is_a_result() -> None:
    assert public_type("result.reported", {"counts": False}) == "result.reported"
    assert public_type("result.reported", {"counts": True}) == "result.accepted"
