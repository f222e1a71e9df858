"""The proof bundle: what holds is said to hold, and what does not, with its round and table."""

import json
import tomllib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.tournaments_drawn import tournaments
from tests.quick import examples
from tournaments.domain.file import FileError
from tournaments.domain.file.proofs import bundle_from_bytes, bundle_to_bytes
from tournaments.domain.messages import message
from tournaments.domain.proof import (
    PROGRAM,
    Bundle,
    Drawing,
    Edit,
    FactsWhenDrawn,
    TableRecord,
    differences,
    digest_of,
    prove,
    published_standings,
    rows_before_draw,
)
from tournaments.domain.rows import (
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.stages import next_draw, stage_of, with_round, with_stage
from tournaments.domain.verification import Finding, all_hold, verify
from tournaments.environment import ROOT


def event(format_: str = "liguilla", entrants: int = 5, rounds: int = 3) -> TournamentRows:
    """An event played by its own draws, the lower number winning every match."""
    rows = begun(format_, entrants)
    for _ in range(rounds):
        rows = played(with_round(rows, 1, next_draw(rows, stage=1).tables))
    return rows


def begun(format_: str, entrants: int) -> TournamentRows:
    people = tuple(Entrant(number, f"Pareja {number}") for number in range(1, entrants + 1))
    stage = Stage(1, format_, StageRules(), tuple(e.number for e in people), seed="5eed")
    return TournamentRows("Torneo", "parejas-online", entrants=people, stages=(stage,))


def played(rows: TournamentRows) -> TournamentRows:
    stage = rows.stages[-1]
    return with_stage(rows, replace(stage, rounds=tuple(map(round_played, stage.rounds))))


def round_played(round_: Round) -> Round:
    return replace(round_, tables=tuple(map(table_played, round_.tables)))


def table_played(table: Table) -> Table:
    if table.is_bye or table.marks:
        return table
    best = min(table.entrants)
    marks = (Mark(3, 250 + best) if best in side else Mark(1, 200) for side in table.sides)
    return replace(table, marks=tuple(marks))


def changed(rows: TournamentRows, round_: int, table: int, **fields: Any) -> TournamentRows:
    """The rows with one table of a round changed."""

    def one(old: Table) -> Table:
        return replace(old, **fields) if old.number == table else old

    def of_round(old: Round) -> Round:
        return replace(old, tables=tuple(map(one, old.tables))) if old.number == round_ else old

    stages = (replace(s, rounds=tuple(map(of_round, s.rounds))) for s in rows.stages)
    return replace(rows, stages=tuple(stages))


def bad(findings: tuple[Finding, ...]) -> list[tuple[str, int, int]]:
    return [
        (finding.code, finding.round, finding.table) for finding in findings if not finding.holds
    ]


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


def test_a_tournament_as_it_was_drawn_and_ranked_holds() -> None:
    findings = verify(prove(event()))
    unproved = ["unsigned", "no_draws"]
    assert codes(findings) == ["contents", *unproved, "round", "round", "round", "standings"]
    assert all_hold(findings)


def test_a_file_without_a_proof_is_checked_by_its_rounds_and_does_not_hold() -> None:
    findings = verify(Bundle(event()))
    assert codes(findings) == ["no_proof", "round", "round", "round", "no_standings"]
    assert not all_hold(findings)


def test_a_proof_whose_standings_were_taken_out_does_not_hold() -> None:
    bundle = prove(two_stages())
    (first, second), proof = bundle.proof.standings, bundle.proof
    for left, stages in (((), [1, 2]), ((first,), [2]), ((second,), [1])):
        findings = verify(replace(bundle, proof=replace(proof, standings=left)))
        wrong = [finding for finding in findings if not finding.holds]
        assert [(finding.code, finding.stage) for finding in wrong] == [
            ("no_standings", stage) for stage in stages
        ]


def test_a_draft_is_not_checked() -> None:
    assert codes(verify(Bundle(begun("liguilla", 4)))) == ["no_proof", "no_standings"]


def test_two_who_changed_tables_are_named_with_round_and_table() -> None:
    rows = event(rounds=2)
    first, second = rows.stages[0].rounds[1].tables[:2]
    rows = changed(rows, 2, 1, sides=(first.sides[0], second.sides[0]))
    rows = changed(rows, 2, 2, sides=(first.sides[1], second.sides[1]))
    findings = verify(Bundle(rows))
    assert bad(findings)[1:] == [("table_differs", 2, 1), ("table_differs", 2, 2)]


def test_a_result_changed_after_the_proof_is_found_in_contents_and_standings() -> None:
    bundle = prove(event())
    rows = changed(bundle.rows, 1, 1, marks=(Mark(0, 10), Mark(3, 200)))
    findings = verify(replace(bundle, rows=rows))
    assert {code for code, *_ in bad(findings)} == {"contents_changed", "standing_differs"}


def test_standings_that_do_not_follow_name_the_entrant_and_the_number() -> None:
    bundle = prove(event())
    (standing,) = bundle.proof.standings
    line = {**standing.lines[0], "match_points": 99}
    proof = replace(bundle.proof, standings=(replace(standing, lines=(line, *standing.lines[1:])),))
    (wrong,) = [f for f in verify(replace(bundle, proof=proof)) if not f.holds]
    assert wrong.code == "standing_differs"
    assert wrong.entrants == (standing.lines[0]["entrant"],)
    assert (wrong.facts["field"], wrong.facts["stated"]) == ("match_points", 99)


def test_standings_with_a_line_too_few_or_of_no_round_are_refused() -> None:
    bundle = prove(event())
    (standing,) = bundle.proof.standings
    for wrong, expected in (
        (replace(standing, lines=standing.lines[:-1]), ["lines_missing"]),
        (replace(standing, after=9), ["no_such_round", "no_standings"]),
        (replace(standing, stage=9), ["no_such_round", "no_standings"]),
    ):
        proof = replace(bundle.proof, standings=(wrong,))
        assert expected == [code for code, *_ in bad(verify(replace(bundle, proof=proof)))]


# --- rounds changed by hand --------------------------------------------------------------------


def swapped() -> TournamentRows:
    """Round 2 with its first two opponents exchanged between two tables."""
    rows = event(entrants=6, rounds=2)
    first, second = rows.stages[0].rounds[1].tables[:2]
    rows = changed(rows, 2, 1, sides=(first.sides[0], second.sides[1]))
    return changed(rows, 2, 2, sides=(second.sides[0], first.sides[1]))


def test_a_round_that_the_arbiter_changed_need_not_be_as_drawn() -> None:
    edit = Edit("Marta", "the bar closes early for pair 3")
    findings = verify(prove(swapped(), edits={2: edit}))
    unproved = ["unsigned", "no_draws"]
    assert codes(findings) == ["contents", *unproved, "round", "edited", "standings"]
    assert all_hold(findings)
    assert findings[4].facts == {"by": "Marta", "reason": edit.reason, "tables": 2}


def test_a_changed_round_must_have_everybody_at_a_table() -> None:
    rows = swapped()
    stage = rows.stages[0]
    last = replace(stage.rounds[1], tables=stage.rounds[1].tables[:-1])
    rows = with_stage(rows, replace(stage, rounds=(stage.rounds[0], last)))
    edit = Edit("Marta", "")
    assert set(bad(verify(prove(rows, edits={2: edit})))) == {("without_table", 2, 0)}
    accepted = replace(edit, accepts=("without_table",))
    findings = verify(prove(rows, edits={2: accepted}))
    assert all_hold(findings)
    assert "accepted" in codes(findings)


def test_a_changed_round_must_not_bring_together_those_who_are_apart() -> None:
    rows = swapped()
    pair = rows.stages[0].rounds[1].tables[0].entrants
    rows = replace(
        rows,
        entrants=tuple(
            replace(e, apart=("Ruiz",)) if e.number in pair else e for e in rows.entrants
        ),
    )
    assert ("apart", 2, 1) in bad(verify(prove(rows, edits={2: Edit()})))


def test_a_changed_round_must_not_bring_opponents_together_again_unless_accepted() -> None:
    rows = event("swiss", entrants=6, rounds=1)
    rematches = tuple(replace(t, marks=None) for t in rows.stages[0].rounds[0].tables)
    rows = with_round(rows, 1, rematches)
    assert bad(verify(prove(rows, edits={2: Edit("Marta", "")}))) == [
        ("rematch", 2, 1),
        ("rematch", 2, 2),
        ("rematch", 2, 3),
    ]
    assert all_hold(verify(prove(rows, edits={2: Edit("Marta", "", ("rematch",))})))


def test_a_changed_round_must_not_seat_a_person_who_is_away() -> None:
    rows = swapped()
    entrant = rows.stages[0].rounds[1].tables[0].entrants[0]
    rows = replace(
        rows,
        entrants=tuple(
            replace(e, absences=((2, None),)) if e.number == entrant else e for e in rows.entrants
        ),
    )
    assert ("not_here", 2, 1) in bad(verify(prove(rows, edits={2: Edit()})))


# --- what was known then -----------------------------------------------------------------------


def test_a_correction_after_the_next_round_was_paired_does_not_break_the_proof() -> None:
    before = event("swiss", entrants=8, rounds=1)
    rows = played(with_round(before, 1, next_draw(before).tables))
    lost = rows.stages[0].rounds[0].tables[0]
    assert lost.marks is not None
    rows = changed(rows, 1, 1, marks=lost.marks[::-1])
    assert not all_hold(verify(prove(rows)))
    bundle = prove(rows, before={2: before})
    assert bundle.proof.drawings == (Drawing(2, FactsWhenDrawn(tables=((1, lost),))),)
    assert all_hold(verify(bundle))
    assert all_hold(verify(bundle_from_bytes(bundle_to_bytes(bundle))))


def test_a_pair_that_came_later_was_not_there_when_the_first_round_was_drawn() -> None:
    before = begun("liguilla", 4)
    rows = event(entrants=4, rounds=1)
    late = Entrant(5, "Tardones", joined=2)
    rows = replace(rows, entrants=(*rows.entrants, late))
    rows = with_stage(rows, replace(rows.stages[0], entrants=(1, 2, 3, 4, 5)))
    bundle = prove(rows, before={1: before})
    assert bundle.proof.drawings == (Drawing(1, FactsWhenDrawn(later=(5,))),)
    assert all_hold(verify(bundle))


@given(tournaments(), st.data())
@settings(max_examples=examples(60))
def test_then_is_now_with_its_differences(rows: TournamentRows, data: st.DataObject) -> None:
    numbers = [r.number for stage in rows.stages for r in stage.rounds if r.state != "draft"]
    if not numbers:
        return
    number = data.draw(st.sampled_from(numbers))
    earlier_rows = data.draw(altered(rows_before_draw(rows, Drawing(number)), number))
    was = differences(rows, earlier_rows, number)
    assert rows_before_draw(rows, Drawing(number, was)) == earlier_rows
    bundle = Bundle(rows, replace(prove_nothing(), drawings=(Drawing(number, was),)))
    assert bundle_from_bytes(bundle_to_bytes(bundle)) == bundle


def prove_nothing() -> Any:
    return Bundle(TournamentRows("")).proof


@st.composite
def altered(draw: st.DrawFn, rows: TournamentRows, number: int) -> TournamentRows:
    """Rows as they might have been before: fewer entrants, other results and other facts."""
    stages = []
    for stage in rows.stages:
        rounds = tuple(
            replace(r, tables=tuple(draw(altered_tables(t)) for t in r.tables))
            for r in stage.rounds
        )
        stages.append(replace(stage, rounds=rounds))
    entrants = tuple(replace(e, joined=draw(st.integers(1, 3))) for e in rows.entrants)
    penalties = rows.penalties[: draw(st.integers(0, 2))]
    return replace(rows, stages=tuple(stages), entrants=entrants, penalties=penalties)


def altered_tables(table: Table) -> st.SearchStrategy[Table]:
    if table.is_bye:
        return st.just(table)
    return st.sampled_from([table, replace(table, marks=None, forfeits=())])


def test_the_program_names_its_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"{project['name']} {project['version']}" == PROGRAM


# --- from one stage to the next ----------------------------------------------------------------


def two_stages() -> TournamentRows:
    rows = event(entrants=4, rounds=3)
    final = Stage(2, "liguilla", StageRules(take=2), entrants=(1, 2), seed="f1")
    rows = replace(rows, stages=(*rows.stages, final))
    return played(with_round(rows, 2, next_draw(rows, stage=2).tables))


def test_those_who_qualified_are_those_whom_the_table_sends_on() -> None:
    findings = verify(prove(two_stages()))
    assert "qualified" in codes(findings)
    assert all_hold(findings)


def test_a_person_who_did_not_qualify_is_named() -> None:
    rows = two_stages()
    final = rows.stages[1]
    other = Round(4, (Table(1, ((1,), (3,))),))
    rows = with_stage(rows, replace(final, entrants=(1, 3), rounds=(other,)))
    (wrong,) = [finding for finding in verify(prove(rows)) if not finding.holds]
    assert (wrong.code, wrong.stage, wrong.entrants) == ("not_qualified", 2, (2, 3))
    edit = Edit("Marta", "pair 2 went home", ("qualified",))
    assert all_hold(verify(prove(rows, edits={4: edit})))


def test_those_who_qualified_in_another_order_are_named_by_both_orders() -> None:
    rows = two_stages()
    final = rows.stages[1]
    other = Round(4, (Table(1, ((2,), (1,))),))
    rows = with_stage(rows, replace(final, entrants=(2, 1), rounds=(other,)))
    (wrong,) = [finding for finding in verify(prove(rows)) if not finding.holds]
    assert (wrong.code, wrong.entrants) == ("other_order", ())
    text = message("en", f"verify.{wrong.code}", all="", **wrong.facts)
    assert text.endswith("in another order: [1, 2]; the file has [2, 1].")


# --- the file ----------------------------------------------------------------------------------


def test_a_bundle_survives_its_file() -> None:
    rows = swapped()
    record = TableRecord(1, 1, "sha256:" + "0a" * 32, ("BD", "AC"))
    was = FactsWhenDrawn(
        penalties=(),
        field=(),
        seed="",
        rules=StageRules(turns=2),
        later=(6,),
        rounds=(Round(1, ()),),
    )
    bundle = prove(rows, "baza 0.1.0", edits={1: Edit("a", "b", ("apart",))}, records=[record])
    drawings = (*bundle.proof.drawings, Drawing(2, was))
    bundle = replace(bundle, proof=replace(bundle.proof, drawings=drawings))
    file = bundle_to_bytes(bundle)
    assert bundle_from_bytes(file) == bundle
    assert bundle_to_bytes(bundle_from_bytes(file)) == file


def test_the_digest_does_not_depend_on_how_the_file_was_typed() -> None:
    rows = event()
    document = json.loads(bundle_to_bytes(Bundle(rows)))
    for stage in document["stages"]:
        del stage["rules"]["turns"]
    typed = json.dumps(document, indent=7)
    assert digest_of(bundle_from_bytes(typed).rows) == digest_of(rows)


def test_the_digest_is_of_every_fact() -> None:
    rows = event()
    others = [
        replace(rows, name="Otro"),
        replace(rows, penalties=(Penalty(1, 1, Points(1)),)),
        changed(rows, 1, 1, marks=None),
        with_stage(rows, replace(rows.stages[0], seed="00")),
    ]
    assert len({digest_of(variant) for variant in [rows, *others]}) == 5


@pytest.mark.parametrize(
    ("proof", "code", "path"),
    [
        ({"nonsense": 1}, "unknown_field", "/proof/nonsense"),
        ({"digest": "md5:1"}, "wrong_type", "/proof/digest"),
        ({"drawings": [{"round": 9}]}, "unknown_round", "/proof/drawings/0/round"),
        ({"drawings": [{}]}, "missing_field", "/proof/drawings/0"),
        ({"drawings": [{"round": 1}, {"round": 1}]}, "twice", "/proof/drawings/1/round"),
        (
            {"drawings": [{"round": 1, "was": {"later": [77]}}]},
            "unknown_entrant",
            "/proof/drawings/0/was",
        ),
        (
            {"drawings": [{"round": 1, "edited": {"accepts": ["anything"]}}]},
            "unknown_choice",
            "/proof/drawings/0/edited/accepts/0",
        ),
        (
            {"drawings": [{"round": 1, "was": {"tables": [{"sides": [[1], [2]]}]}}]},
            "missing_field",
            "/proof/drawings/0/was/tables/0",
        ),
        ({"standings": [{"stage": 1}]}, "missing_field", "/proof/standings/0"),
        ({"records": [{"round": 1, "table": 1}]}, "missing_field", "/proof/records/0"),
    ],
)
def test_a_proof_that_cannot_be_is_refused_with_its_place(
    proof: dict[str, Any], code: str, path: str
) -> None:
    document = json.loads(bundle_to_bytes(Bundle(event()))) | {"proof": proof}
    with pytest.raises(FileError) as refused:
        bundle_from_bytes(json.dumps(document))
    assert (refused.value.code, refused.value.path) == (code, path)


@given(st.integers(2, 7), st.integers(1, 6))
@settings(max_examples=examples(25))
def test_export_and_import_give_the_same_standings_byte_for_byte(
    entrants: int, rounds: int
) -> None:
    rows = event(entrants=entrants, rounds=min(rounds, entrants - 1))
    bundle = prove(rows)
    second_bundle = bundle_from_bytes(bundle_to_bytes(bundle))
    table = [
        json.dumps(published_standings(source.rows, stage_of(source.rows, 1)).lines)
        for source in (bundle, second_bundle)
    ]
    assert table[0] == table[1]
