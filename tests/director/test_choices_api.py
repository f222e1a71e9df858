"""What a tournament can be made of is served to everybody, as the services take it."""

from __future__ import annotations

import pytest

import engine
from tests.support.caller import Caller
from tournaments.domain.pairing import FORMATS
from tournaments.domain.tiebreaks import CRITERIA

pytestmark = pytest.mark.django_db


NOT_ALONE = {"cards_each", "deals"}
"""Options whose bounds fit no pack, or need another option beside them."""


def is_taken(rules: engine.Ruleset, name: str, value: object) -> bool:
    """Return whether a record takes an option."""
    seats = list(rules.seats)
    record = {"format": "baza/1", "ruleset": rules.name, "seats": seats, "hands": []}
    try:
        engine.parse_record({**record, "options": {name: value}})
    except engine.RecordError as error:
        return error.fault.code != "record.option"
    return True


def test_the_options_of_a_ruleset_are_those_that_its_records_take() -> None:
    rows = {row["name"]: row for row in Caller().read("rulesets/")}
    assert set(rows) == set(engine.RULESETS)
    for name, rules in engine.RULESETS.items():
        assert rows[name]["identity"] == rules.identity
        for option in rows[name]["options"]:
            assert option["meaning"]
            values = option["choices"] or [option["least"], option["most"]]
            taken = [value for value in values if is_taken(rules, option["name"], value)]
            assert option["choices"] in (None, taken), "every choice that is listed is taken"
            assert option["least"] is not None or option["value"] in taken
            assert taken or option["name"] in NOT_ALONE, option
    lengths = {option["name"]: option for option in rows["cuatro"]["options"]}
    assert (lengths["to"]["value"], lengths["to"]["most"]) == (3, 500)


def test_formats_and_criteria_are_all_there_in_the_language_asked_for() -> None:
    formats = {row["name"]: row for row in Caller(language="es").read("formats/")}
    assert set(formats) == set(FORMATS)
    swiss = formats["swiss"]
    assert (swiss["title"], swiss["seats"], swiss["max_entrants"]) == ("suizo", 2, None)
    assert set(swiss["rules"]) <= set(FORMATS["swiss"].settings)
    criteria = {row["code"]: row for row in Caller(language="de").read("criteria/")}
    assert set(criteria) == set(CRITERIA)
    assert criteria["buchholz"]["family"] == "opponents"
    assert set(swiss["order"]) <= set(criteria)
