"""Score sheets: what is wrong with results without play."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.cli import main
from tests.engine.slips import legal_hand

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "hand,AC,BD,AC declared,BD declared,last,winner"


def faults(*rows: str, ruleset: str = "parejas-online", header: str = HEADER) -> list[str]:
    """Code, rule and line of everything that is wrong with the rows of a sheet."""
    verdict = engine.audit_sheet("\n".join([header, *rows]), ruleset)
    return [f"{fault.code} {fault.rule} {fault.facts['line']}" for fault in verdict.faults]


def test_a_sheet_that_adds_up_is_valid() -> None:
    rows = ["1,113,57,40,,AC,AC", "2,60,90,20o,,BD,BD", "3,66,64,,,,AC", "4,76,54,,,AC,AC"]
    assert faults(*rows, "score,3,1,,,,AC") == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1,120,60,40,,AC,AC", "score.points R7.1 2"),  # 180, where 170 are to be had
        ("1,65,65,40,,AC,AC", "score.points R7.1 2"),
        ("1,129,1,,,AC,AC", "score.impossible R7.1 2"),  # no card is worth one
        ("1,130,0,,,BD,AC", "score.impossible R7.1 2"),  # the last ten alone are 10
        ("1,100,30,,40,AC,AC", "score.points R7.1 2"),
        ("1,140,30,,40,AC,AC", "score.impossible R7.1 2"),  # BD has less than it declared
        ("1,190,0,40 20o,,AC,AC", ""),
        ("1,60,70,,,AC,AC", "score.winner R7.2 2"),
        ("1,65,65,,,BD,AC", "score.winner R7.3 2"),
        ("1,65,65,,,AC,AC", ""),
        ("1,65,65,,,,AC", ""),  # who won the last trick is unknown: either may have
        ("1,85,85,20o,20o,AC,AC", "declare.repeated R6.3 2"),
        ("1,105,105,40,40,AC,AC", "declare.repeated R6.3 2"),
        ("1,105,105,20o 20c,20e 20b,AC,AC", "declare.not_admitted R6.1 2"),
        ("1,105,105,20 20,20 20,AC,AC", "declare.not_admitted R6.1 2"),
        ("1,30,40,tuteR,,,AC", ""),
        ("1,30,40,tuteR,,,BD", "score.winner R7.2 2"),
        ("1,30,60,tuteR,20o,,AC", "declare.not_held R6.7 2"),  # nobody else ever held a rey
        ("1,30,110,tuteR,,,AC", "score.impossible R7.1 2"),  # the four reyes are not played
        ("1,65,65,101,,AC,AC", "declare.not_admitted R3 2"),
        ("1,65,x,,,AC,AC", "record.field F1 2"),
        ("1,65,,,,AC,AC", "record.field F1 2"),
        ("1,65,65,las 40,,AC,AC", "record.field F1 2"),
        ("1,65,65,,,A,AC", "record.field F1 2"),
        ("1,65,65,,,AC,nobody", "record.field F1 2"),
        ("1,65,65,,,AC,AC,,,", "record.field F1 2"),
    ],
)
def test_one_row_of_a_sheet(row: str, expected: str) -> None:
    assert faults(row) == ([expected] if expected else [])


def test_the_hands_are_counted_to_the_end_of_the_match() -> None:
    won = ["1,70,60,,,AC,AC", "2,70,60,,,AC,AC", "3,70,60,,,AC,AC"]
    assert faults(*won, "score,2,1,,,,AC") == ["score.match R7.4 5"]
    assert faults(*won, "score,3,0,,,,BD") == ["score.match R7.4 5"]
    assert faults(*won, "4,70,60,,,AC,AC") == ["match.over R7.4 5"]


def test_tute_of_caballos_is_not_admitted_in_parejas() -> None:
    assert faults("1,30,40,tuteC,,,AC", ruleset="parejas") == ["declare.not_admitted R6.7 2"]
    assert faults("1,30,40,tuteC,,,AC", ruleset="cuatro") == []


def test_a_race_is_won_with_101_over_two_deals() -> None:
    header = "hand,A,B,A declared,B declared,last,winner"
    rows = ["1,70,60,,,A,", "2,60,70,,,B,A"]  # 130 each: the sheet does not say who was first
    assert faults(*rows, ruleset="mano-a-mano", header=header) == []
    assert faults("1,70,60,,,A,A", ruleset="mano-a-mano", header=header) == ["score.winner R9.1 2"]
    assert faults("1,110,20,,,A,B", ruleset="mano-a-mano", header=header) == ["score.winner R9.1 2"]
    assert faults("1,50,20,capote,,A,B", ruleset="mano-a-mano", header=header) == []


def test_in_arrastrado_one_card_counts_for_nobody() -> None:
    header = "hand,A,B,C,A declared,B declared,C declared,last,winner"
    rows = ["1,60,40,30,,,,A,A", "2,60,40,19,,,,A,A", "3,60,40,25,,,,A,A"]
    assert faults(*rows, ruleset="arrastrado", header=header) == ["score.points R7.1 4"]


def test_columns_and_files_that_are_no_sheet_are_refused_with_their_line() -> None:
    assert faults("1,65,65", header="hand,AC,BD,puntos") == ["record.field F1 1"]
    assert faults("1,65", header="hand,AC") == ["record.field F1 1"]
    assert faults() == ["record.field F1 1"]
    for broken in ('{"hands": 1}', '{"hands": []}', '{"hands": [{}], "to": 0}', '{"x": 1}'):
        assert engine.audit_sheet(broken).faults[0].code in ("record.field", "record.option")
    assert engine.audit_sheet("{").faults[0].code == "record.syntax"
    assert engine.audit_sheet(b"\xff\x00\x00").faults[0].code == "record.syntax"
    assert engine.audit_sheet("hand,AC,BD\n1,65,65\n".encode("utf-16")).valid
    assert engine.audit_sheet('{"ruleset": ["mus"]}').faults[0].code == "record.ruleset"
    assert engine.audit_sheet("x" * (engine.MAX_BYTES + 1)).faults[0].code == "record.limit"


def test_the_same_sheet_in_json() -> None:
    hands = [
        {"hand": 1, "points": {"AC": 113, "BD": 57}, "declared": {"AC": "40"}, "last": "AC"},
        {"hand": 2, "points": {"AC": 65, "BD": 65}, "last": "BD", "winner": "AC"},
    ]
    sheet = {"ruleset": "cuatro", "deals": 2, "hands": hands, "score": {"AC": 1, "BD": 1}}
    verdict = engine.audit_sheet(json.dumps(sheet))
    (fault,) = verdict.as_dict("es")["faults"]
    assert (fault["code"], fault["rule"], fault["hand"]) == ("score.winner", "R7.3", 2)
    assert fault["message"] == "El acta da la mano a AC, pero la ganó BD"
    assert verdict.score == {"AC": 1, "BD": 1}
    assert verdict.winner is None


@pytest.mark.parametrize("rules", engine.RULESETS.values(), ids=lambda rules: rules.name)
def test_the_results_of_played_hands_always_add_up(rules: engine.Ruleset) -> None:
    rng = Random(f"sheets {rules.name}")
    for _ in range(40):
        hand, state = legal_hand(rng, rules, rng.choice(rules.seats))
        declared: dict[str, list[str]] = {side: [] for side in rules.sides}
        for action in state.declared:
            name = action.token.partition(":")[2]
            declared[rules.sides[rules.side_of(action.seat)]].append(name)
        last = None if state.last_side is None else rules.sides[state.last_side]
        row = {"points": hand["points"], "last": last, "winner": hand["winner"]}
        texts_by_side = {side: " ".join(names) for side, names in declared.items()}
        sheet = {"ruleset": rules.name, "hands": [{**row, "declared": texts_by_side}]}
        verdict = engine.audit_sheet(json.dumps(sheet))
        assert verdict.valid, (sheet, verdict.faults)


@given(st.one_of(st.text(), st.binary(), st.text('0123456789,\n;{}"ACBD')))
def test_no_text_at_all_breaks_the_reader(text: str | bytes) -> None:
    engine.audit_sheet(text)


@given(st.lists(st.lists(st.sampled_from(["1", "65", "40", "AC", "", "20o", "tuteR", "score"]))))
def test_no_rows_break_the_count(rows: list[list[str]]) -> None:
    verdict = engine.audit_sheet("\n".join([HEADER, *map(",".join, rows)]))
    for language in engine.LANGUAGES:
        assert len(verdict.as_dict(language)["faults"]) == len(verdict.faults)


def test_the_command_prints_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "mesa3.csv"
    sheet.write_text(f"# mesa 3\n{HEADER}\n1,65,65,,,BD,AC\n", encoding="utf-8")
    assert main(["sheet", str(sheet), "--lang", "es"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "✗ mesa3.csv  parejas-online  AC 0 – BD 1",
        "    score.winner (R7.3) línea 3",
        "      El acta da la mano a AC, pero la ganó BD",
    ]
    assert main(["sheet", str(sheet), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["faults"][0]["code"] == "score.winner"
    sheet.write_text(f"{HEADER}\n1,66,64,,,BD,AC\n", encoding="utf-8")
    assert main(["sheet", str(sheet)]) == 0
    sheet.write_text("nothing\n", encoding="utf-8")
    assert main(["sheet", str(sheet)]) == 2
    assert main(["sheet", str(tmp_path / "none.csv")]) == 2
