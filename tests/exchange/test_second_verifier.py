"""The second verifier finds what was changed in a proof or trail, also with a digest that fits."""

import copy
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.clubs import SYSTEM, play_the_club_night, the_liguilla, the_round
from tests.domain.test_proof_formats import begun, played
from tests.support.day import a_day, entry, late_pair
from tests.support.scene_rows import reuse_rows
from tools import verify_export
from tools.verify_export import Report, check_proof, layout, main
from tournaments.director.services.absences import penalise, withdraw
from tournaments.director.services.draws import draw_again, draw_next
from tournaments.director.services.entries import enter_late
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.file.proofs import bundle_to_bytes
from tournaments.domain.file.rules import WORDS
from tournaments.domain.pairing import FORMATS
from tournaments.domain.proof import prove
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import (
    Bye,
    Edition,
    LevelCut,
    Mark,
    Penalty,
    PlaceRule,
    Points,
    Scale,
    Scoring,
    StageRules,
    State,
    SumRule,
    SwitchRule,
    Table,
    TournamentRows,
)
from tournaments.domain.scores import Score
from tournaments.domain.stages import with_stage
from tournaments.domain.verification import verify
from tournaments.environment import ROOT
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.queries.trails import installation_key, trail_of_tournament
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import Match, Tournament
from tournaments.results.services.matches import correct_result

Json = dict[str, Any]
Capture = pytest.CaptureFixture[str]


def play(tournament: Tournament, number: int) -> None:
    """Publish a round, give each match another result, close it, and sign it."""
    round_ = publish_round(SYSTEM, the_round(tournament, number))
    for match in round_.matches.with_names().filter(state=Match.State.PENDING):
        away_hands = (match.table + number) % 3
        score = Score(3, away_hands, 300 + 10 * match.table, 150 + 20 * number)
        correct_result(SYSTEM, match, score, reason="as the table wrote it down")
    close_round(SYSTEM, round_)
    write_checkpoint(tournament.club_id)


@reuse_rows()
def an_evening() -> Tournament:
    """A Swiss of seven with byes, a late pair, a withdrawal, a penalty and a repeated draw."""
    tournament = a_day(7, late=2, rounds=4)
    draw_again(SYSTEM, tournament.stages.get(), reason="a pair was missing")
    play(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    enter_late(SYSTEM, tournament, late_pair(tournament))
    play(tournament, 2)
    penalise(SYSTEM, entry(tournament, 3), round_number=2, points=20, match_points=1, reason="late")
    withdraw(SYSTEM, entry(tournament, 2), reason="ill")
    draw_next(SYSTEM, tournament, after=2)
    play(tournament, 3)
    return tournament


def files_of(tournament: Tournament, folder: Path) -> tuple[Path, Path]:
    """Write the proof and the trail of a tournament."""
    proof, trail = folder / "proof.json", folder / "trail.ndjson"
    proof.write_bytes(proof_file(tournament))
    with trail_of_tournament(tournament.slug, SYSTEM).file as stream:
        trail.write_bytes(stream.read())
    return proof, trail


@pytest.fixture
def evening(db: None, tmp_path: Path) -> tuple[Path, Path]:
    return files_of(an_evening(), tmp_path)


def verified(capsys: Capture, *files: Path, key: bool = True) -> tuple[int, str]:
    options = ["--key", installation_key()] if key else []
    capsys.readouterr()
    code = main([*map(str, files), *options])
    return code, capsys.readouterr().out


def proved(document: Json) -> Json:
    """Return a document whose digest is made to fit."""
    rest = {name: value for name, value in document.items() if name != "proof"}
    text = "baza-tournament/1\n" + layout(rest) + "\n"
    document["proof"]["digest"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    return document


def test_an_evening_holds_and_what_is_not_checked_is_said(
    evening: tuple[Path, Path], capsys: Capture
) -> None:
    code, report = verified(capsys, *evening)
    assert (code, "✗" in report) == (0, False), report
    for line in (
        "✓ digest: as signed, up to round 3",
        "✓ seeds: as signed, up to round 3",
        "✓ stage 1, round 3: points and tie-breaks come out the same",
        "✓ the signed statement is the one in the trail",
        "· stage 1: draw 2, reason: a pair was missing",
    ):
        assert line in report.splitlines()
    assert "Not checked here:\n- that each round is what the draw gives" in report


@pytest.mark.django_db
def test_the_club_night_holds_for_the_second_verifier(tmp_path: Path, capsys: Capture) -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    write_checkpoint(tournament.club_id)
    proof, trail = files_of(tournament, tmp_path)
    code, report = verified(capsys, proof, trail)
    assert code == 0, report
    assert "points and tie-breaks come out the same" in report


ORDERS: dict[str, tuple[tuple[str, ...] | None, ...]] = {
    "swiss": (
        None,
        ("buchholz", "sonneborn_berger", "wins"),
        ("buchholz_cut2", "median_buchholz", "sonneborn_berger_cut1"),
        ("opponents_points", "median2", "direct_encounter"),
        ("match_points_v_game_points", "hands_for", "points_for"),
        ("progressive", "koya", "won", "wins", "buchholz", "hand_difference"),
    ),
    "liguilla": (None, ("sonneborn_berger", "won", "points_for"), ("koya", "progressive", "wins")),
}
"""Orders of criteria by format; where none is named, the format's own."""


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("edition", list(Edition))
def test_points_and_tie_breaks_of_every_format_come_out_twice(name: str, edition: Edition) -> None:
    """Both programs rank random events with byes, forfeits, penalties and withdrawals."""
    for order, seed in product(ORDERS.get(name, (None,)), range(2 if name == "individual" else 6)):
        chance = Random(f"{name} {order} {seed}")
        rows = begun(name, FORMATS[name].min_entrants + 1 + 2 * seed, chance)
        rules = replace(rows.stages[0].rules, order=order, edition=edition)
        rows, _ = played(with_stage(rows, replace(rows.stages[0], rules=rules)), chance)
        entrant = rows.stages[0].entrants[0]
        rows = replace(rows, penalties=(Penalty(entrant, 1, Points(1, 2), 1, 30, "late"),))
        report = Report()
        check_proof(report, json.loads(bundle_to_bytes(prove(rows))), set())
        assert report.faults == [], (order, seed)
        assert "stage 1, round" in " ".join(report.checked)


FORFEITS = Scale(forfeit_win_mark=Mark(3, 30), forfeit_loss_mark=Mark(0, 10))
VICTORY = {"scoring": Scoring.VICTORY, "victory_margin": 400}
COMPARED = {"scoring": Scoring.COMPARISON, "deals": 2}
BUTLER = {**COMPARED, "comparison": "average"}

RULES: list[tuple[str, dict[str, Any]]] = [
    ("swiss", {}),
    ("swiss", {"points_cap": 150}),
    ("swiss", {"scale": FORFEITS}),
    ("swiss", {"scale": replace(FORFEITS, bye=Points(1), bye_mark=Mark(2, 20))}),
    ("swiss", {"drop_rounds": 1, "order": ("point_difference", "wins", "best_round")}),
    ("swiss", {"drop_rounds": 2, "order": ("best_round", "points_for"), "points_cap": 200}),
    ("swiss", {"drop_rounds": 1, "order": ("points_for",), "sums": SumRule.EXACT}),
    (
        "swiss",
        {"scoring": Scoring.HANDS, "match_bonus": Points(3, 2), "level_cut": LevelCut.POINTS},
    ),
    ("swiss", {"scoring": Scoring.POINTS, "order": ("opponents_points",)}),
    ("swiss", VICTORY),
    ("swiss", {**VICTORY, "sums": SumRule.EXACT}),
    ("swiss", {**VICTORY, "sums": SumRule.EXACT, "scale": Scale(bye=Points(6, 5))}),
    ("liguilla", {"drop_rounds": 1, "points_cap": 120, "scale": FORFEITS}),
    ("groups", {"scoring": Scoring.TABLE, "points_cap": 120}),
    ("individual", {**VICTORY, "sums": SumRule.EXACT}),
    ("threes", {"drop_rounds": 1, "order": ("points_for", "tables_won")}),
    ("tables", {"drop_rounds": 1, "order": ("points_a_hand", "best_round")}),
    ("ladder", {"scale": FORFEITS}),
    ("knockout", {"scale": FORFEITS}),
    ("lives", {"points_cap": 100}),
    ("duplicate", COMPARED),
    ("duplicate", {**COMPARED, "drop_rounds": 1}),
    ("duplicate", {**COMPARED, "switch": SwitchRule.NEVER, "movement": "mitchell"}),
    ("duplicate", BUTLER),
    ("duplicate", {**BUTLER, "sums": SumRule.EXACT}),
    ("duplicate", {**VICTORY, "deals": 3, "sums": SumRule.EXACT}),
]
"""Formats with rules of every kind that decides points, sums or places."""


@pytest.mark.parametrize(("name", "changed"), RULES)
@pytest.mark.parametrize("places", list(PlaceRule))
def test_both_verifiers_find_the_same_by_every_rule(
    name: str, changed: dict[str, Any], places: PlaceRule
) -> None:
    for seed in range(3):
        chance = Random(f"{name} {changed} {seed}")
        size = FORMATS[name].min_entrants + 2 + 2 * seed
        rows, _ = played(begun(name, size, chance, {**changed, "places": places}), chance)
        rows = with_gaps(rows, chance)
        entrants = rows.stages[0].entrants
        penalties = (Penalty(entrants[0], 1, Points(1, 2), 1, 30, "late"), Penalty(entrants[1], 2))
        bundle = prove(replace(rows, penalties=penalties))
        standings = [
            finding
            for finding in verify(bundle)
            if finding.code in ("standings", "standing_differs")
        ]
        assert [finding.code for finding in standings] == ["standings"]
        report = Report()
        check_proof(report, json.loads(bundle_to_bytes(bundle)), set())
        assert report.faults == [], seed
        assert "points and tie-breaks come out the same" in " ".join(report.checked)


@pytest.mark.parametrize("late", [Bye.PAIRING, Bye.FULL, Bye.HALF])
@pytest.mark.parametrize("changed", [VICTORY, COMPARED, BUTLER])
def test_rounds_before_a_late_entry_earn_what_a_bye_of_the_kind_earns(
    changed: dict[str, Any], late: Bye
) -> None:
    """Of two events the one has a bye in round 1, the other a pair that came after it."""
    name = "duplicate" if "deals" in changed else "swiss"
    chance = Random(f"{changed} {late}")
    rows, _ = played(begun(name, 8, chance, {**changed, "sums": SumRule.EXACT}), chance)
    (stage,) = rows.stages
    rules, first = replace(stage.rules, late=late), stage.rounds[0]
    (bye,) = (table for table in first.tables if table.is_bye)

    def event(*tables: Table) -> TournamentRows:
        others = tuple(table for table in first.tables if table != bye)
        rounds = (replace(first, tables=others + tables), *stage.rounds[1:])
        return with_stage(rows, replace(stage, rules=rules, rounds=rounds))

    with_bye = event(replace(bye, bye=late))
    came_late = replace(
        event(),
        entrants=tuple(
            replace(one, joined=2) if one.number in bye.entrants else one for one in rows.entrants
        ),
    )
    totals = [
        {line.entrant: line.match_points for line in ranking(one, one.stages[0])}
        for one in (with_bye, came_late)
    ]
    assert totals[0] == totals[1]
    report = Report()
    check_proof(report, json.loads(bundle_to_bytes(prove(came_late))), set())
    assert "points and tie-breaks come out the same" in " ".join(report.checked)


def with_gaps(rows: TournamentRows, chance: Random) -> TournamentRows:
    """Return an event in which some tables have no points, are level, or are still open."""
    (stage,) = rows.stages

    def table_of(table: Table) -> Table:
        way = chance.random()
        if table.is_bye or table.forfeits or table.marks is None or way > 0.3:
            return table
        if way < 0.1:
            return replace(table, marks=tuple(Mark(mark.hands) for mark in table.marks))
        if way < 0.2:
            return replace(table, marks=tuple(Mark(2, mark.points) for mark in table.marks))
        return replace(table, marks=None, board_points=())

    last = replace(stage.rounds[-1], state=State.PUBLISHED)
    rounds = (*stage.rounds[:-1], replace(last, tables=tuple(map(table_of, last.tables))))
    first = replace(rounds[0], tables=tuple(map(table_of, rounds[0].tables)))
    return with_stage(rows, replace(stage, rounds=(first, *rounds[1:])))


def test_the_second_verifier_knows_every_rule_that_a_file_can_state() -> None:
    assert {field.name for field in fields(StageRules)} == verify_export.RULES
    assert {field.name for field in fields(Scale)} == verify_export.SCALE
    assert set(FORMATS) == verify_export.FORMATS
    enums = {"edition": Edition, "late": Bye, "level_cut": LevelCut, "places": PlaceRule}
    enums |= {"scoring": Scoring, "sums": SumRule}
    words = {name: tuple(map(str, enum)) for name, enum in enums.items()}
    assert words | {"comparison": WORDS["comparison"]} == verify_export.WORDS


def test_a_rule_that_the_second_verifier_does_not_know_is_named(proof: Json) -> None:
    for name, value in (("handicap", 3), ("places", "by_lot"), ("format", "quads")):
        document = copy.deepcopy(proof)
        del document["proof"]["signed"]
        stage = document["stages"][0]
        (stage if name == "format" else stage["rules"])[name] = value
        report = Report()
        check_proof(report, proved(document), set())
        assert report.faults == []
        assert any(name in note and "unknown here" in note for note in report.notes)


def tables(document: Json, round_: int) -> list[Json]:
    documents: list[Json] = document["stages"][0]["rounds"][round_ - 1]["tables"]
    return documents


def result_swapped(document: Json) -> None:
    played = next(table for table in tables(document, 2) if "hands" in table)
    played["hands"].reverse()


def card_points_added(document: Json) -> None:
    next(table for table in tables(document, 2) if "hands" in table)["points"][0] += 10


def match_forfeited(document: Json) -> None:
    next(table for table in tables(document, 1) if "hands" in table)["forfeits"] = [0]


def sides_of_two_tables_exchanged(document: Json) -> None:
    first_table, other = [table for table in tables(document, 1) if "hands" in table][:2]
    first_table["sides"], other["sides"] = other["sides"], first_table["sides"]


def bye_made_a_half(document: Json) -> None:
    next(table for table in tables(document, 1) if "bye" in table)["bye"] = "half"


def round_left_out(document: Json) -> None:
    document["stages"][0]["rounds"].pop()
    for standings in document["proof"]["standings"]:
        standings["after"] = 2


def penalty_taken_off(document: Json) -> None:
    del document["penalties"]


def win_made_worth_three(document: Json) -> None:
    document["stages"][0]["rules"]["scale"]["win"] = 3


def tie_breaks_in_another_order(document: Json) -> None:
    document["stages"][0]["rules"]["order"] = ["point_difference", "wins"]


def pair_given_another_name(document: Json) -> None:
    document["entrants"][0]["name"] = "Los de siempre"


def withdrawal_left_out(document: Json) -> None:
    for entrant in document["entrants"]:
        entrant.pop("absences", None)


def seed_exchanged_with_its_draw(document: Json) -> None:
    seed, draw = "ab" * 32, document["proof"]["draws"][-1]
    document["stages"][0]["seed"] = draw["seed"] = seed
    text = f"baza-arena/1|{draw['label']}|".encode() + bytes.fromhex(seed)
    draw["commitment"] = hashlib.sha256(text).hexdigest()


def draw_left_out(document: Json) -> None:
    """As if the second draw had been the first, its commitment made to fit its new label."""
    del document["proof"]["draws"][0]
    draw = document["proof"]["draws"][0]
    draw |= {"number": 1, "label": draw["label"].replace("/draw/2", "/draw/1"), "reason": ""}
    text = f"baza-arena/1|{draw['label']}|".encode() + bytes.fromhex(draw["seed"])
    draw["commitment"] = hashlib.sha256(text).hexdigest()


def reason_of_a_draw_changed(document: Json) -> None:
    document["proof"]["draws"][1]["reason"] = "the hall asked for it"


def place_exchanged(document: Json) -> None:
    lines = document["proof"]["standings"][0]["lines"]
    lines[0]["entrant"], lines[1]["entrant"] = lines[1]["entrant"], lines[0]["entrant"]


def tie_break_raised(document: Json) -> None:
    document["proof"]["standings"][0]["lines"][2]["values"][0]["number"] = 99


def statement_made_to_fit(document: Json) -> None:
    """Swap a result and write the digest of the whole file into the signed statement."""
    result_swapped(document)
    document["proof"]["signed"]["event"]["facts"]["digest"] = proved(document)["proof"]["digest"]


TAMPERINGS: tuple[Callable[[Json], None], ...] = (
    *(result_swapped, card_points_added, match_forfeited, sides_of_two_tables_exchanged),
    *(bye_made_a_half, round_left_out, penalty_taken_off, win_made_worth_three),
    *(tie_breaks_in_another_order, pair_given_another_name, withdrawal_left_out),
    *(seed_exchanged_with_its_draw, draw_left_out, reason_of_a_draw_changed),
    *(place_exchanged, tie_break_raised, statement_made_to_fit),
)


def test_there_are_seventeen_kinds_of_tampering() -> None:
    assert len(TAMPERINGS) == 17


@pytest.fixture(scope="module")
def proof(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Json:
    """Give the proof of the evening, played once for all kinds of tampering."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        document: Json = json.loads(proof_file(an_evening()))
        transaction.set_rollback(True)
    return document


@pytest.mark.parametrize("is_proved", [False, True], ids=["plain", "digest_made_to_fit"])
@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda one: one.__name__)
def test_what_is_tampered_with_is_found(
    proof: Json,
    tamper: Callable[[Json], None],
    is_proved: bool,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    document = copy.deepcopy(proof)
    tamper(document)
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(proved(document) if is_proved else document), encoding="utf-8")
    code, report = verified(capsys, file)
    assert code == 1, report
    if is_proved:
        assert "✗ digest: sha256" not in report  # the digest in the proof fits


@pytest.mark.parametrize(
    "tamper",
    [result_swapped, card_points_added, match_forfeited, bye_made_a_half, penalty_taken_off],
    ids=lambda one: one.__name__,
)
def test_points_and_tie_breaks_are_computed_where_nothing_is_signed(
    proof: Json, tamper: Callable[[Json], None], tmp_path: Path, capsys: Capture
) -> None:
    document = copy.deepcopy(proof)
    del document["proof"]["signed"]
    tamper(document)
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(proved(document)), encoding="utf-8")
    code, report = verified(capsys, file, key=False)
    assert code == 1
    assert "✗ stage 1, round 3: " in report
    assert "· not signed" in report


def test_a_signature_that_was_taken_out_or_is_of_another_key_is_found(
    evening: tuple[Path, Path], capsys: Capture
) -> None:
    proof, _ = evening
    document = json.loads(proof.read_text(encoding="utf-8"))
    code, report = verified(capsys, proof, key=False)
    assert code == 0
    assert "the key is the file's own" in report
    capsys.readouterr()
    assert main([str(proof), "--key", "5" * 64]) == 1
    signature = document["proof"]["signed"]["checkpoint"]["signature"]
    document["proof"]["signed"]["checkpoint"]["signature"] = signature[::-1]
    proof.write_text(json.dumps(document), encoding="utf-8")
    assert "✗ checkpoint 3: the signature is wrong" in verified(capsys, proof)[1]
    del document["proof"]["signed"]
    proof.write_text(json.dumps(document), encoding="utf-8")
    assert verified(capsys, proof)[0] == 1


def event_edited(values: list[Json]) -> None:
    next(v for v in values if v.get("event", {}).get("verb") == "round.closed")["event"][
        "actor"
    ] = "x"


def event_deleted(values: list[Json]) -> None:
    del values[next(n for n, v in enumerate(values) if "event" in v) + 4]


def events_exchanged(values: list[Json]) -> None:
    first = next(n for n, v in enumerate(values) if "event" in v)
    values[first + 2], values[first + 3] = values[first + 3], values[first + 2]


def end_cut_off(values: list[Json]) -> None:
    del values[-6:-1]


def texts_emptied(values: list[Json]) -> None:
    event = next(v["event"] for v in values if v.get("event", {}).get("verb") == "penalty.given")
    event |= {"facts": {}, "salt": ""}


def checkpoint_taken_out(values: list[Json]) -> None:
    del values[2]


@pytest.mark.parametrize(
    "tamper",
    [
        *(event_edited, event_deleted, events_exchanged, end_cut_off, texts_emptied),
        checkpoint_taken_out,
    ],
    ids=lambda one: one.__name__,
)
def test_a_trail_that_was_changed_with_its_last_line_is_found(
    evening: tuple[Path, Path],
    tamper: Callable[[list[Json]], None],
    capsys: Capture,
) -> None:
    _, trail = evening
    values = [json.loads(line) for line in trail.read_bytes().splitlines()]
    tamper(values)
    lines = [json.dumps(value).encode() + b"\n" for value in values[:-1]]
    end = {"end": True, "count": len(lines), "sha256": hashlib.sha256(b"".join(lines)).hexdigest()}
    trail.write_bytes(b"".join(lines) + json.dumps(end).encode())
    code, report = verified(capsys, trail)
    assert code == 1, report
    assert "cut short" not in report


def test_a_draw_that_the_proof_leaves_out_is_found_in_the_trail(
    evening: tuple[Path, Path], capsys: Capture
) -> None:
    proof, trail = evening
    document = json.loads(proof.read_text(encoding="utf-8"))
    draw_left_out(document)
    del document["proof"]["signed"]
    proof.write_text(json.dumps(document), encoding="utf-8")
    assert "✗ draws left out: [1, 2]" in verified(capsys, proof, trail, key=False)[1]


def test_it_is_one_file_of_the_standard_library(tmp_path: Path) -> None:
    program = ROOT / "tools/verify_export.py"
    source = program.read_text(encoding="utf-8")
    imported = {
        line.split()[1].split(".")[0]
        for line in source.splitlines()
        if line.startswith(("import ", "from "))
    }
    assert imported <= sys.stdlib_module_names
    file = tmp_path / "no.json"
    file.write_text("{}")
    run = [sys.executable, "-I", "-S", str(program), str(file)]
    process = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (process.returncode, process.stdout) == (2, "")
    assert "neither a tournament file nor a trail" in process.stderr
