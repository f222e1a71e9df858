"""What the database itself refuses of analyses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clubs import submitted, the_liguilla
from tests.models.test_constraints import refuses
from tournaments.models import AnalysedHand, AnalysedSeat, Analysis, HandAnalysis

pytestmark = pytest.mark.django_db

SAID: dict[str, Any] = {"par": 1, "result": 3, "luck": 1, "skill": 2, "answer": {}}


def of_a_hand(digest: str = "sha256:1", **more: Any) -> HandAnalysis:
    return HandAnalysis.objects.create(digest=digest, version=1, **(SAID | more))


def test_equal_hands_have_one_analysis_a_version() -> None:
    of_a_hand()
    refuses(of_a_hand, "equal_hands_analysed_once")


def test_an_analysis_has_figures_or_a_reason_why_not() -> None:
    refuses(lambda: of_a_hand(luck=None), "an_analysis_says_something")
    of_a_hand(code="capote", par=None, result=None, luck=None, skill=None)


def test_what_failed_failed_for_a_reason() -> None:
    submitted(the_liguilla(), 0)
    refuses(lambda: Analysis.objects.update(state="failed"), "an_analysis_fails_for_a_reason")


def test_a_seat_is_named_once_a_hand() -> None:
    record = submitted(the_liguilla(), 0).record
    assert record is not None
    hand = AnalysedHand.objects.create(hand=record.hands.all()[0], analysis=of_a_hand())

    def sit() -> AnalysedSeat:
        figures = dict.fromkeys(
            ("open_loss", "fair_loss", "choices", "fit", "slips", "mistakes", "blunders"), 0
        )
        return hand.seats.create(seat="A", role="mano", **figures)

    sit()
    refuses(sit, "a_seat_is_analysed_once")
