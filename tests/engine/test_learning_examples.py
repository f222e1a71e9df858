"""What is shown to who trains: an environment of PettingZoo, a table that learns."""

import warnings
from runpy import run_path

import pytest
from pettingzoo.test import api_test, seed_test

from engine import RULESETS
from tournaments.environment import ROOT

LEARNING = ROOT / "examples/learning"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_environment_passes_the_tests_of_pettingzoo(ruleset: str) -> None:
    environment = run_path(str(LEARNING / "tute_aec.py"))["TuteEnv"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends arrays, other names, a picture
        api_test(environment(ruleset), num_cycles=100)
        seed_test(lambda: environment(ruleset), num_cycles=50)


def test_a_table_learns_what_wins_against_chance() -> None:
    table, won = run_path(str(LEARNING / "tabular.py"))["learn"]("mano-a-mano", 150)
    assert won > 0.7
    assert len(table) > 100
