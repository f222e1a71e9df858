"""Refusals: one table, every row complete."""

import re

import pytest
from django.utils import translation

from tournaments.core.errors import ImportFault, Reason, Refusal
from tournaments.core.faults import IMPORT_FAULTS, NAME_FAULTS


def test_every_code_is_a_stable_word_of_its_own() -> None:
    codes = [reason.code for reason in Reason]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in codes)


@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_has_a_status_and_a_sentence(reason: Reason) -> None:
    assert 400 <= reason.status <= 507
    with translation.override("en"):
        assert str(reason.text).endswith((".", "%(why)s", "%(text)s"))


def test_a_refusal_says_its_parameters_in_its_sentence() -> None:
    refusal = Refusal(Reason.ROUND_UNFINISHED, round=3, count=2)
    with translation.override("en"):
        assert refusal.message == "Round 3 cannot be closed yet. Matches without a final result: 2."
    assert (refusal.code, refusal.status) == ("round_unfinished", 409)
    assert refusal.code in str(refusal)


def test_an_import_fault_says_what_is_wrong_with_its_line() -> None:
    fault = ImportFault("pairs", 3, "unknown_player", "J9")
    with translation.override("en"):
        assert fault.message == "no player has the code J9"
    assert all(ImportFault("players", 1, code, "x").message for code in IMPORT_FAULTS)
    assert set(NAME_FAULTS) <= set(IMPORT_FAULTS)
