"""The tournament file: what is read is what was written, and what cannot be is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.tournaments_drawn import tournaments
from tests.quick import examples
from tournaments.domain.file import FileError, rows_from_bytes, rows_to_bytes
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Points,
    Scale,
    Stage,
    StageRules,
    State,
    Table,
    TournamentRows,
)

CHESS: dict[str, Any] = {
    "format": "baza-tournament/1",
    "name": "Four friends",
    "entrants": [{"name": "Ana"}, {"name": "Bea"}, {"name": "Carmen"}],
    "stages": [
        {
            "format": "liguilla",
            "rules": {"scale": {"win": 1, "tie": 0.5, "bye": "1/2", "bye_mark": {"points": 50}}},
            "rounds": [
                {"tables": [{"sides": [[1], [2]], "hands": [1, 0], "points": [420, 380]}]},
                {"tables": [{"sides": [[3], [1]]}, {"sides": [[2]], "bye": "pairing"}]},
            ],
        }
    ],
}


def file_bytes(**changes: Any) -> bytes:
    return json.dumps(CHESS | changes).encode()


def test_a_match_of_one_game_with_game_scores_is_short_to_type() -> None:
    rows = rows_from_bytes(file_bytes())
    assert [entrant.number for entrant in rows.entrants] == [1, 2, 3]
    (stage,) = rows.stages
    assert stage.entrants == (1, 2, 3)
    assert stage.rules.scale.bye == Points(1, 2)
    assert stage.rules.scale.bye_mark == Mark(0, 50)
    assert stage.rounds[0].tables == (Table(1, ((1,), (2,)), marks=(Mark(1, 420), Mark(0, 380))),)
    assert [(r.number, r.state) for r in stage.rounds] == [(1, State.CLOSED), (2, State.CLOSED)]
    assert stage.rounds[1].tables == (Table(1, ((3,), (1,))), Table(2, ((2,),), bye=Bye.PAIRING))


def test_rounds_run_on_through_the_stages() -> None:
    second_stage = {"format": "liguilla", "rounds": [{"tables": []}]}
    rows = rows_from_bytes(file_bytes(stages=[*CHESS["stages"], second_stage]))
    assert [stage.number for stage in rows.stages] == [1, 2]
    assert rows.stages[1].rounds[0].number == 3


def test_the_file_is_written_for_people() -> None:
    rows = TournamentRows(
        name="Noche de Tute",
        entrants=(Entrant(1, "Ñandú", ("Ana", "Luis"), byes=((2, Bye.HALF),)), Entrant(2)),
        stages=(
            Stage(1, "liguilla", StageRules(turns=2, scale=Scale(bye=Points(0))), entrants=(1, 2)),
        ),
    )
    assert rows_to_bytes(rows).decode() == (
        "{\n"
        ' "entrants": [\n'
        '  {"byes": {"2": "half"}, "name": "Ñandú", "number": 1, "players": ["Ana", "Luis"]},\n'
        '  {"number": 2}\n'
        " ],\n"
        ' "format": "baza-tournament/1",\n'
        ' "name": "Noche de Tute",\n'
        ' "stages": [\n'
        '  {"entrants": [1, 2], "format": "liguilla", "number": 1, "rounds": [],'
        ' "rules": {"turns": 2}}\n'
        " ]\n"
        "}\n"
    )


@given(tournaments())
@settings(max_examples=examples(150))
def test_every_tournament_survives_its_file(rows: TournamentRows) -> None:
    file = rows_to_bytes(rows)
    assert rows_from_bytes(file) == rows
    assert rows_to_bytes(rows_from_bytes(file)) == file
    assert file.endswith(b"}\n")


@given(tournaments())
@settings(max_examples=examples(50))
def test_the_explicit_file_says_the_same_without_the_formats_defaults(rows: TournamentRows) -> None:
    file = rows_to_bytes(rows, explicit=True)
    assert rows_from_bytes(file) == rows
    for stage in json.loads(file)["stages"]:
        assert {"turns", "scale", "scoring", "edition"} <= set(stage["rules"])


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    *above, last = path.split("/")[1:]

    def make(document: dict[str, Any]) -> None:
        inner: Any = document
        for key in above:
            inner = inner[int(key) if isinstance(inner, list) else key]
        if isinstance(inner, list) and int(last) == len(inner):
            inner.append(value)
        else:
            inner[int(last) if isinstance(inner, list) else last] = value

    return make


ROUND = "/stages/0/rounds/0"
TABLE = f"{ROUND}/tables/0"


@pytest.mark.parametrize(
    ("path", "value", "code", "at"),
    [
        ("/format", "baza-tournament/2", "unknown_choice", "/format"),
        ("/naem", "x", "unknown_field", "/naem"),
        ("/name", 3, "wrong_type", "/name"),
        ("/name", "x" * 201, "too_long", "/name"),
        ("/entrants", {}, "wrong_type", "/entrants"),
        ("/entrants", [{}] * 5001, "wrong_length", "/entrants"),
        ("/entrants/1", {"number": 1}, "twice", "/entrants/1/number"),
        ("/entrants/1", {"number": 0}, "out_of_range", "/entrants/1/number"),
        ("/entrants/1", "Bea", "wrong_type", "/entrants/1"),
        ("/entrants/0/absences", [[3, 3]], "out_of_order", "/entrants/0/absences/0/1"),
        ("/entrants/0/absences", [[None, 3]], "wrong_type", "/entrants/0/absences/0/0"),
        ("/entrants/0/byes", {"0": "half"}, "wrong_type", "/entrants/0/byes/0"),
        ("/entrants/0/byes", {"2": "third"}, "unknown_choice", "/entrants/0/byes/2"),
        ("/entrants/0/rating", "1500", "wrong_type", "/entrants/0/rating"),
        ("/stages/0/format", "ludo", "unknown_choice", "/stages/0/format"),
        ("/stages/0/entrants", [1, 2, 9], "unknown_entrant", "/stages/0/entrants"),
        ("/stages/0/entrants", [1, 2, 3, 1], "twice", "/stages/0/entrants/3"),
        ("/stages/0/rules", {"source": 1}, "unknown_stage", "/stages/0/rules/source"),
        ("/stages/0/rules", [], "wrong_type", "/stages/0/rules"),
        ("/stages/0/rules/turns", 0, "out_of_range", "/stages/0/rules/turns"),
        ("/stages/0/seed", "xyz", "wrong_type", "/stages/0/seed"),
        ("/stages/0/lots", {"9": 1}, "unknown_entrant", "/stages/0/lots"),
        ("/stages/0/rounds", 3, "wrong_type", "/stages/0/rounds"),
        ("/stages/0/rounds/1/number", 1, "out_of_order", "/stages/0/rounds/1/number"),
        ("/stages/1", {"format": "liguilla", "number": 1}, "twice", "/stages/1/number"),
        (f"{ROUND}/state", "over", "unknown_choice", f"{ROUND}/state"),
        (f"{ROUND}/tables/1", {"sides": [[2], [3]]}, "seated_twice", f"{ROUND}/tables/1/sides"),
        (f"{ROUND}/tables/1", {"sides": [[3]]}, "bye_alone", f"{ROUND}/tables/1"),
        (f"{TABLE}/bye", "full", "bye_alone", TABLE),
        (f"{TABLE}/sides", [[1], []], "wrong_length", f"{TABLE}/sides/1"),
        (f"{TABLE}/sides", [1, 2], "wrong_type", f"{TABLE}/sides/0"),
        (f"{TABLE}/sides", [[1], [7]], "unknown_entrant", f"{TABLE}/sides"),
        (f"{TABLE}/hands", [1], "one_a_side", f"{TABLE}/hands"),
        (f"{TABLE}/points", [1, 2, 3], "one_a_side", f"{TABLE}/points"),
        (f"{TABLE}/hands", [1, 0.5], "wrong_type", f"{TABLE}/hands/1"),
        (f"{TABLE}/forfeits", [2], "no_such_side", f"{TABLE}/forfeits"),
        (f"{TABLE}/forfeits", [1, 1], "twice", f"{TABLE}/forfeits/1"),
        (f"{TABLE}/decided", 2, "no_such_side", f"{TABLE}/decided"),
        (f"{TABLE}/board_points", [[1, 2]], "one_a_board", f"{TABLE}/board_points"),
        (
            TABLE,
            {"sides": [[1], [2]], "boards": [7, 8, 9], "board_points": [[1, 2], [3, 4], [5]]},
            "one_a_side",
            f"{TABLE}/board_points/2",
        ),
        ("/penalties", [{"entrant": 1}], "missing_field", "/penalties/0"),
        (
            "/penalties",
            [{"entrant": 8, "round": 1}],
            "unknown_entrant",
            "/penalties/0/entrant",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    path: str, value: Any, code: str, at: str
) -> None:
    document = json.loads(json.dumps(CHESS))
    change(path, value)(document)
    with pytest.raises(FileError) as refused:
        rows_from_bytes(json.dumps(document))
    assert (refused.value.code, refused.value.path) == (code, at)


def test_a_bye_has_no_marks_of_its_own() -> None:
    document = json.loads(json.dumps(CHESS))
    document["stages"][0]["rounds"][1]["tables"][1]["hands"] = [1]
    with pytest.raises(FileError, match="bye_without_marks"):
        rows_from_bytes(json.dumps(document))


@pytest.mark.parametrize("missing", ["format", "name", "entrants", "stages"])
def test_a_file_names_its_format_its_entrants_and_its_stages(missing: str) -> None:
    document = {name: value for name, value in CHESS.items() if name != missing}
    with pytest.raises(FileError):
        rows_from_bytes(json.dumps(document))


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (b"", "bad_json"),
        (b"{", "bad_json"),
        (b"[]", "wrong_type"),
        (b'{"name": "a", "name": "b"}', "bad_json"),
        (b'{"rating": NaN}', "bad_json"),
        (b"\xff", "bad_json"),
        (b"[" * 100_000, "bad_json"),
        (b" " * (16 * 1024 * 1024 + 1), "too_large"),
    ],
)
def test_what_is_not_json_is_refused_as_such(source: bytes, code: str) -> None:
    with pytest.raises(FileError) as refused:
        rows_from_bytes(source)
    assert refused.value.code == code


def test_a_syntax_error_has_line_and_column() -> None:
    with pytest.raises(FileError) as refused:
        rows_from_bytes(b'{\n "name": ?')
    assert (refused.value.facts["line"], refused.value.facts["column"]) == (2, 10)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=5,
)


def places(value: Any, path: str = "") -> list[str]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    paths = []
    for key, item in inner:
        paths.append(f"{path}/{key}")
        if isinstance(item, dict | list):
            paths += places(item, f"{path}/{key}")
    return paths


@given(st.sampled_from(places(CHESS)), JUNK)
@settings(max_examples=examples(300))
def test_nothing_but_a_file_error_comes_of_junk(path: str, junk: Any) -> None:
    document = json.loads(json.dumps(CHESS))
    change(path, junk)(document)
    try:
        rows = rows_from_bytes(json.dumps(document))
    except FileError as error:
        assert error.code  # noqa: PT017
    else:
        assert rows_from_bytes(rows_to_bytes(rows)) == rows
