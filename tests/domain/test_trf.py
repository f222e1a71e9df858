"""FIDE's report file: its columns, what it holds, and what it refuses to hold."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tournaments.domain.file import FileError
from tournaments.domain.pairing import FORMATS
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Scale,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.trf import loss_messages, lost_facts, read_trf, rows_to_trf


def player(number: int, name: str, rating: int, points: str, rank: int, *cells: str) -> str:
    """A line 001: every field at the columns that the format gives it."""
    fields = {5: f"{number:4}", 15: name, 49: f"{rating:4}", 81: f"{points:>4}", 86: f"{rank:4}"}
    fields |= {92 + 10 * index: cell for index, cell in enumerate(cells)}
    line = "001"
    for column, text in fields.items():
        line = line.ljust(column - 1) + text
    return line


ROUND_DATES = "132".ljust(91) + "26/03/01"
REPORT = "\n".join(
    (
        "012 Torneo de prueba",
        "022 Burgos",
        "042 2026/03/01",
        "092 Individual: Swiss-System",
        ROUND_DATES,
        "XXR 3",
        "### a remark",
        player(1, "Alonso, Ana", 1900, "2.0", 1, "   4 w 1", "   2 b +"),
        player(2, "Blanco, Bea", 1800, "0.5", 3, "0000 - H", "   1 w -"),
        player(3, "Castro, Carmen", 1700, "1.5", 2, "0000 - U", "   4 b ="),
        player(4, "Diaz, Dora", 1600, "0.5", 3, "   1 b 0", "   3 w ="),
        "XXP 1 3",
        "",
    )
)


def rows_from_trf(source: bytes | str) -> TournamentRows:
    """Read a report without the notes on it."""
    return read_trf(source)[0]


def bea(report: TournamentRows, round_: int) -> list[Table]:
    tables = report.stages[0].rounds[round_ - 1].tables
    return [table for table in tables if 2 in table.entrants]


def test_a_report_is_read_column_by_column() -> None:
    rows = rows_from_trf(REPORT)
    assert rows.name == "Torneo de prueba"
    assert [(e.number, e.name, e.rating) for e in rows.entrants][:2] == [
        (1, "Alonso, Ana", 1900.0),
        (2, "Blanco, Bea", 1800.0),
    ]
    (stage,) = rows.stages
    assert (stage.format, stage.rules.rounds) == ("swiss", 3)
    assert stage.rounds[0].tables == (
        Table(1, ((1,), (4,)), marks=(Mark(1), Mark(0))),
        Table(2, ((2,),), bye=Bye.HALF),
        Table(3, ((3,),), bye=Bye.PAIRING),
    )


def test_white_is_the_first_side() -> None:
    (table,) = bea(rows_from_trf(REPORT), 2)
    assert table.sides == ((2,), (1,))
    assert table.forfeits == (0,)


def test_points_are_one_a_half_and_nothing_where_nothing_else_is_said() -> None:
    rows = rows_from_trf(REPORT)
    points = {line.entrant: line.match_points for line in ranking(rows, rows.stages[0])}
    half = Points(1, 2)
    assert points == {1: 2, 2: half, 3: 1 + half, 4: half}


def test_what_concerns_the_event_comes_back_in_the_report() -> None:
    report = rows_to_trf(rows_from_trf(REPORT)).decode()
    assert "\r\n022 Burgos\r\n042 2026/03/01\r\n" in report
    assert ROUND_DATES in report.splitlines()


def test_forbidden_pairs_keep_apart() -> None:
    rows = rows_from_trf(REPORT)
    assert {e.number: e.apart for e in rows.entrants if e.apart} == {1: ("260-1",), 3: ("260-1",)}
    assert "\r\n260 001 003    1    3\r\nXXP 1 3\r\n" in rows_to_trf(rows).decode()


def test_a_report_is_written_in_fides_columns() -> None:
    line = next(x for x in rows_to_trf(rows_from_trf(REPORT)).decode().split("\r\n") if "Dora" in x)
    assert line[:3] == "001"
    assert line[4:8] == "   4"
    assert line[14:47].strip() == "Diaz, Dora"
    assert line[48:52] == "1600"
    assert line[80:84] == " 0.5"
    assert line[85:89] == "   3"
    assert line[91:99] == "   1 b 0"
    assert line[101:109] == "   3 w ="


def test_the_scale_is_stated_where_it_is_not_chesss() -> None:
    rows = rows_from_trf(REPORT)
    assert "162" not in {line[:3] for line in rows_to_trf(rows).decode().splitlines()}
    stage = rows.stages[0]
    tute = replace(stage, rules=StageRules(rounds=3))
    report = rows_to_trf(replace(rows, stages=(tute,))).decode()
    assert "162  W 2.0    D 1.0    L 0.0    P 2.0\r\n" in report
    assert "XXS W=2.0 D=1.0 WL=0.0 BL=0.0 PAB=2.0\r\n" in report
    assert rows_from_trf(report).stages[0].rules.scale == Scale()


def test_a_scale_in_the_older_notation_is_read_too() -> None:
    rows = rows_from_trf(REPORT + "XXS W=3 D=1 PAB=3\n")
    scale = rows.stages[0].rules.scale
    assert [scale.win, scale.tie, scale.bye, scale.forfeit_win] == [3, 1, 3, 3]


def test_byes_of_a_round_to_come_are_requests() -> None:
    rows = rows_from_trf(REPORT + "240 H 003    4\n")
    assert rows.by_number[4].byes == ((3, Bye.HALF),)
    assert "240 H 003    4\r\n" in rows_to_trf(rows).decode()


def test_a_last_column_of_byes_says_who_will_not_be_there() -> None:
    lines = [line + "  0000 - Z" if "Dora" in line else line for line in REPORT.splitlines()]
    rows = rows_from_trf("\n".join(lines))
    assert len(rows.stages[0].rounds) == 2
    assert rows.by_number[4].byes == ((3, Bye.ZERO),)


def test_penalties_are_record_299() -> None:
    rows = replace(rows_from_trf(REPORT), penalties=(Penalty(3, 2, Points(1)),))
    report = rows_to_trf(rows)
    assert b"299          -1.0  002    3\r\n" in report
    assert rows_from_trf(report).penalties == rows.penalties


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("001    2", "001    1", "bad_line"),
        ("001    2", "001    x", "bad_line"),
        ("001", "901", "no_players"),
    ],
)
def test_a_file_that_does_not_say_who_is_who_is_refused(old: str, new: str, code: str) -> None:
    with pytest.raises(FileError) as refused:
        rows_from_trf(REPORT.replace(old, new))
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("1900", "19o0", "bad_line", 8),
        ("4 w 1", "4 w ?", "bad_line", 8),
        ("4 w 1", "4 x 1", "bad_line", 8),
        ("4 w 1", "9 w 1", "not_mutual", 8),
        ("4 w 1", "4 w 0", "not_mutual", 8),
        ("4 w 1", "1 w 1", "not_mutual", 8),
        ("0000 - U", "0000 - 1", "bad_line", 10),
        ("XXP 1 3", "XXP 1 9", "unknown_entrant", 12),
        ("XXP 1 3", "XXP one two", "bad_line", 12),
        ("XXP 1 3", "XXS W", "bad_line", 12),
        ("XXP 1 3", "XXS W=much", "bad_line", 12),
        ("XXP 1 3", "162  A 1.0", "no_such_bye", 12),
        ("XXP 1 3", "240 U 003    1", "bad_line", 12),
        ("XXP 1 3", "299 Q         1.0  001    1", "bad_line", 12),
        ("XXP 1 3", "299 D         1.0  001    1", "bad_line", 12),
        ("XXP 1 3", "299          -1.0  001    9", "unknown_entrant", 12),
        ("XXP 1 3", "142 1.0 0.5", "bad_line", 12),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line_and_nobody_is_lost(
    old: str, new: str, code: str, line: int
) -> None:
    rows, notes = read_trf(REPORT.replace(old, new))
    assert (code, line) in {(note.code, note.facts["line"]) for note in notes}
    assert [entrant.number for entrant in rows.entrants] == [1, 2, 3, 4]


def points_of(rows: TournamentRows) -> dict[int, Points]:
    return {line.entrant: line.match_points for line in ranking(rows, rows.stages[0])}


def test_one_record_299_about_a_result_loses_none_of_250_participants() -> None:
    lines = [player(n, f"P{n}", 1500, "1.0", n, f"{n + 1:4} w 1") for n in range(1, 251, 2)]
    lines += [player(n, f"P{n}", 1500, "0.0", n, f"{n - 1:4} b 0") for n in range(2, 251, 2)]
    rows, notes = read_trf("\n".join([*lines, "299 L         0.5  001    2    4"]))
    assert (len(rows.entrants), notes) == (250, ())
    half = Points(1, 2)
    assert [points_of(rows)[n] for n in (1, 2, 3, 4, 6)] == [1, half, 1, half, 0]


def test_a_forfeit_without_an_opponent_is_a_bye_of_its_worth() -> None:
    # TRF16: who came while nobody else did has ``0000 - +``, and who did not ``0000 - -``.
    for cell, worth in (("0000 - +", 1), ("0000 - -", 0), ("     - +", 1)):
        rows, notes = read_trf(REPORT.replace("0000 - U", cell))
        assert notes == ()
        assert points_of(rows)[3] == worth + Points(1, 2)
        assert len(rows.entrants) == 4


def test_who_will_be_absent_in_a_report_of_2020_gets_no_opponent() -> None:
    rows, notes = read_trf(REPORT + "XXZ 2 4\nXXC rank white1\nXXS WW=1 BW=1 FPB=1 HPB=0.5 PAB=1\n")
    assert notes == ()
    assert [rows.by_number[entrant].byes for entrant in (2, 4)] == [((3, Bye.ZERO),)] * 2


@pytest.mark.parametrize(
    ("ours", "theirs", "points"),
    [("1", "1", (1, 1)), ("0", "0", (0, 0)), ("=", "0", (Points(1, 2), 0)), ("1", "", (1, 0))],
)
def test_each_side_keeps_the_points_of_its_own_line_where_two_do_not_fit(
    ours: str, theirs: str, points: tuple[Points, Points]
) -> None:
    lines = player(1, "A", 0, "", 1, f"   2 w {ours}"), player(2, "B", 0, "", 2, f"   1 b {theirs}")
    rows, notes = read_trf("\n".join(lines))
    assert [note.code for note in notes] == ["not_mutual"]
    assert tuple(points_of(rows).values()) == points


def test_who_met_one_who_says_otherwise_keeps_the_points() -> None:
    rows, _ = read_trf(REPORT.replace("4 w 1", "9 w 1"))
    assert points_of(rows)[1] == 2


def test_a_fault_has_its_line_and_column() -> None:
    _, (note,) = read_trf(REPORT.replace("1800", "18oo"))
    assert (note.facts["line"], note.facts["column"]) == (9, 49)


def of_stage(**fields: Any) -> TournamentRows:
    entrants = tuple(Entrant(number) for number in range(1, 5))
    return TournamentRows(
        "x", entrants=entrants, stages=(Stage(1, "swiss", entrants=(1, 2, 3, 4), **fields),)
    )


def test_three_at_a_table_do_not_fit_into_a_report() -> None:
    rows = of_stage(rounds=(Round(1, (Table(1, ((1,), (2,), (3,))),)),))
    with pytest.raises(FileError, match="not_two_sides"):
        rows_to_trf(rows)


def test_partners_do_not_fit_into_a_report() -> None:
    rows = of_stage(rounds=(Round(1, (Table(1, ((1, 2), (3, 4))),)),))
    with pytest.raises(FileError, match="not_two_sides"):
        rows_to_trf(rows)


def test_a_half_bye_worth_something_else_is_refused_where_a_person_had_one() -> None:
    rules = StageRules(scale=Scale(half=Points(3, 2)))
    bye = Round(1, (Table(1, ((1,), (2,))), Table(2, ((3,),), bye=Bye.HALF)))
    assert rows_to_trf(of_stage(rules=rules))
    with pytest.raises(FileError, match="no_such_bye"):
        rows_to_trf(of_stage(rules=rules, rounds=(bye,)))


def test_a_third_of_a_point_is_refused() -> None:
    rules = StageRules(scale=Scale(tie=Points(1, 3)))
    with pytest.raises(FileError, match="out_of_range"):
        rows_to_trf(of_stage(rules=rules))


def test_of_two_stages_one_must_be_asked_for() -> None:
    rows = of_stage(rounds=(Round(1, ()),))
    rows = replace(rows, stages=(*rows.stages, Stage(2, "swiss", rounds=(Round(2, ()),))))
    with pytest.raises(FileError, match="not_alone"):
        rows_to_trf(rows)
    assert b"XXR" not in rows_to_trf(rows, 1)
    with pytest.raises(FileError, match="unknown_stage"):
        rows_to_trf(rows, 3)


def test_what_a_report_loses_is_said() -> None:
    assert lost_facts(rows_from_trf(REPORT)) == ()
    table = Table(1, ((1,), (2,)), marks=(Mark(3, 250), Mark(1, 190)))
    rows = of_stage(rounds=(Round(1, (table,)),))
    assert lost_facts(rows) == ("hands", "points")
    longer = (Entrant(1, "x" * 34, ("Ana", "Luis"), club="Bar"), *rows.entrants[1:])
    assert lost_facts(replace(rows, entrants=longer)) == (
        "hands",
        "points",
        "players",
        "clubs",
        "names",
    )


def test_a_report_of_another_format_loses_the_format_by_name() -> None:
    table = Table(1, ((1,), (2,)), marks=(Mark(1), Mark(0)))
    rows = of_stage(rounds=(Round(1, (table,)),))
    rows = replace(rows, stages=(replace(rows.stages[0], format="knockout"),))
    assert lost_facts(rows) == ("format",)
    (loss,) = loss_messages(rows, None, "en")
    assert loss.startswith("a TRF knows Swiss and round robin only: this stage (knock-out board)")
    report_rows, _ = read_trf(rows_to_trf(rows))
    assert [stage.format for stage in report_rows.stages] == ["swiss"]


@st.composite
def reported(draw: st.DrawFn) -> TournamentRows:
    """Tournaments of meetings of two, at least one in every round."""
    count = draw(st.integers(2, 9))
    ratings = st.sampled_from([0, 1500, 1600])
    entrants = tuple(
        Entrant(
            n,
            f"Pareja {n}",
            rating=float(draw(ratings)),
            apart=draw(st.sampled_from([(), (), ("a",)])),
        )
        for n in range(1, count + 1)
    )
    rounds = [draw(rounds_of(number, count)) for number in range(1, draw(st.integers(1, 4)) + 1)]
    scale = draw(st.sampled_from([Scale(), Scale(bye=Points(3, 2))]))
    penalties = draw(st.sampled_from([(), (Penalty(1, 1, Points(1, 2)),)]))
    kind = draw(st.sampled_from(["swiss", "liguilla"]))
    rules = replace(FORMATS[kind].rules, scale=scale, rounds=draw(st.sampled_from([None, 7])))
    numbers = tuple(draw(st.permutations(range(1, count + 1))))
    stage = Stage(1, kind, rules, numbers, tuple(rounds))
    return TournamentRows("Torneo ñ", entrants=entrants, stages=(stage,), penalties=penalties)


@st.composite
def rounds_of(draw: st.DrawFn, number: int, count: int) -> Round:
    order = draw(st.permutations(range(1, count + 1)))
    meetings = draw(st.integers(1, count // 2))
    tables = [draw(meeting(order[2 * n], order[2 * n + 1])) for n in range(meetings)]
    for entrant in order[2 * meetings :]:
        bye = draw(st.sampled_from([None, *Bye]))
        if bye is not None:
            tables.append(Table(0, ((entrant,),), bye=bye))
    return Round(number, tuple(replace(table, number=n) for n, table in enumerate(tables, 1)))


def meeting(one: int, other: int) -> st.SearchStrategy[Table]:
    marks = st.sampled_from([None, (Mark(3, 9), Mark(1)), (Mark(0), Mark(2)), (Mark(1), Mark(1))])
    forfeits: Any = st.sampled_from([(), (), (), (0,), (1,), (0, 1)])
    sides = st.just(((one,), (other,)))
    decided: Any = st.sampled_from([None, None, 1])
    return st.one_of(
        st.builds(Table, st.just(0), sides, marks=marks),
        st.builds(Table, st.just(0), sides, forfeits=forfeits),
        st.builds(Table, st.just(0), sides, marks=st.just((Mark(1), Mark(1))), decided=decided),
    )


@given(reported())
@settings(max_examples=examples(150))
def test_a_report_of_a_report_is_the_same_report(rows: TournamentRows) -> None:
    report = rows_to_trf(rows)
    read = rows_from_trf(report)
    assert rows_from_trf(rows_to_trf(read)) == read
    assert rows_to_trf(rows_from_trf(rows_to_trf(read))) == rows_to_trf(read)


@given(reported())
@settings(max_examples=examples(100))
def test_points_survive_the_report(rows: TournamentRows) -> None:
    read = rows_from_trf(rows_to_trf(rows))
    tables = [
        {line.entrant: (line.match_points, line.won, line.tied, line.lost) for line in lines}
        for lines in (ranking(event_rows, event_rows.stages[0]) for event_rows in (rows, read))
    ]
    assert tables[0] == tables[1]


@given(st.text("0123456789 \n\r=+-wbHFUZ1XSP", max_size=200), st.integers(0, 700))
@settings(max_examples=examples(200))
def test_nothing_but_a_file_error_comes_of_a_torn_report(junk: str, at: int) -> None:
    torn = REPORT[:at] + junk + REPORT[at + len(junk) :]
    try:
        rows = rows_from_trf(torn)
    except FileError as error:
        assert error.code  # noqa: PT017
    else:
        assert rows.entrants
