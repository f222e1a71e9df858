"""The deals of a round can be checked from its seed by an independent reader (verify-round)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main
from engine.cli.verify_round import differences

TABLES: list[list[str]] = [
    ["--ruleset", "habanero"],
    ["--ruleset", "habanero", "--option", "cards_each=10"],
    ["--ruleset", "mano-a-mano", "--to", "3"],
    ["--ruleset", "parejas"],
    ["--ruleset", "parejas-online"],
    ["--ruleset", "cuatro", "--deals", "3"],
    ["--ruleset", "arrastrado", "--option", "stakes=plate"],
    ["--ruleset", "arrastrado", "--seats", "4"],
]
Change = Callable[[list[dict[str, Any]]], None]


def opened(folder: Path, *words: str) -> Path:
    file = folder / "round.ndjson"
    call = ["play", *words, "--bots", "random,simple", "--matches", "3", "--jobs", "1"]
    assert main([*call, "--duplicate", "--reveal", str(file)]) == 0
    return file


@pytest.mark.parametrize("words", TABLES, ids=" ".join)
def test_what_was_dealt_from_the_seed_is_found_in_order(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = opened(tmp_path, *words)
    capsys.readouterr()
    assert main(["verify-round", str(file)]) == 0
    assert "3 labels" in capsys.readouterr().out


def swap_cards(lines: list[dict[str, Any]]) -> None:
    deal = lines[1]["record"]["hands"][0]["deal"]
    cards, other = deal["A"].split(), deal["B"].split()
    deal["A"] = " ".join([other[0], *cards[1:]])
    deal["B"] = " ".join([cards[0], *other[1:]])


def turn_stock(lines: list[dict[str, Any]]) -> None:
    hand = lines[1]["record"]["hands"][0]
    first, second, *rest = hand["stock"].split()
    hand["stock"] = " ".join([second, first, *rest])


def drop_a_hand(lines: list[dict[str, Any]]) -> None:
    del lines[1]["record"]["hands"][0]


def other_label(lines: list[dict[str, Any]]) -> None:
    lines[1]["label"] = "play/better"


def other_seed(lines: list[dict[str, Any]]) -> None:
    lines[0]["seed"] = "00"


def other_trump(lines: list[dict[str, Any]]) -> None:
    lines[1]["record"]["hands"][0]["trump"] = "2o"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (swap_cards, "play/1: hand 1 was not dealt from the seed"),
        (turn_stock, "play/1: hand 1 was not dealt from the seed"),
        (drop_a_hand, "play/1: hand 1 was dealt by"),
        (other_label, "play/better: not the label of a match of this round"),
        (other_seed, "the seed is not the one that was committed to"),
        (other_trump, "play/1: hand 1 was not dealt from the seed"),
    ],
)
def test_what_was_tampered_with_is_found(
    change: Change, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = opened(tmp_path, "--ruleset", "habanero")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    change(lines)
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify-round", str(file)]) == 1
    assert why in capsys.readouterr().out


def test_the_order_in_which_a_hand_is_written_does_not_matter(tmp_path: Path) -> None:
    lines = [
        json.loads(line)
        for line in opened(tmp_path, "--ruleset", "cuatro").read_text(encoding="utf-8").splitlines()
    ]
    for match in lines[1:]:
        for hand in match["record"]["hands"]:
            hand["deal"] = {seat: " ".join(sorted(c.split())) for seat, c in hand["deal"].items()}
    assert list(differences(json.dumps(line) for line in lines)) == []


def test_the_commitment_is_the_one_that_was_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = opened(tmp_path, "--ruleset", "cuatro")
    published = json.loads(file.read_text(encoding="utf-8").splitlines()[0])["commitment"]
    assert main(["verify-round", str(file), "--commitment", published]) == 0
    assert main(["verify-round", str(file), "--commitment", "0" * 64]) == 1
    assert "another commitment" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "baza-round/1"}', "baza"])
def test_a_file_that_is_no_round_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "round.ndjson"
    file.write_text(text, encoding="utf-8")
    assert main(["verify-round", str(file)]) == 2
    assert "no baza-round/1" in capsys.readouterr().err
    assert main(["verify-round", str(tmp_path / "none")]) == 2


def test_matches_that_were_cut_off_are_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = opened(tmp_path, "--ruleset", "parejas")
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[: 1 + len(lines) // 2]), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify-round", str(file)]) == 1
    expected = f"the file states {len(lines) - 1} matches and has {len(lines) // 2}\n"
    assert capsys.readouterr().out.startswith(expected)


def test_a_file_without_a_count_is_read_and_said_to_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = opened(tmp_path, "--ruleset", "parejas")
    header, *matches = file.read_text(encoding="utf-8").splitlines()
    document = json.loads(header)
    assert document.pop("count") == len(matches)
    file.write_text("\n".join([json.dumps(document), *matches]), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify-round", str(file)]) == 0
    assert "states no count of its matches: some may be missing" in capsys.readouterr().out


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"label": "play/9", "label": "play/1", "record": {}}',
        '{"label": "play/1", "record": {"seats": ' + json.dumps(["x"] * 300) + "}}",
        '{"label": 1, "record": {}}',
        '{"label": "play/1", "record": NaN}',
        "\ufeff{}",
        "",
    ],
    ids=["deep", "twice", "seats", "number", "constant", "mark", "empty"],
)
def test_a_line_that_is_no_match_is_refused_in_one_line(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = opened(tmp_path, "--ruleset", "parejas")
    first, *rest = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([first, line, *rest]), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify-round", str(file)]) == 2
    error = capsys.readouterr().err
    assert "no baza-round/1" in error
    assert error.count("\n") == 1


def test_an_option_of_play_is_read_strictly(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["play", "--ruleset", "parejas", "--bots", "random,simple", "--matches", "1"]
    for value in ("[" * 100_000, "NaN", '{"a": 1, "a": 2}'):
        assert main([*call, "--option", f"cards_each={value}"]) == 2
        assert "Traceback" not in capsys.readouterr().err
