"""Bots are compared over deal sets: fairly, repeatably, and without losing what was played."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

import engine
from engine.bots.failures import CRASH, INFRASTRUCTURE, BotFailure
from engine.cli import main
from engine.contest.makers import Entrant, UnknownBot, maker_of
from engine.contest.sequential import Sprt
from engine.contest.series import PlayedSet, SeriesError, Terms, play_series
from engine.contest.sets import MatchSummary, play_deal_set, seatings
from engine.contest.tally import Tally
from engine.rulesets import Ruleset
from tests.quick import slow

BOTS = {"two": ("simple", "random"), "three": ("simple", "random", "random")}


def makers(*kinds: str) -> list[Any]:
    return [maker_of(Entrant(kind, kind), {}) for kind in kinds]


# --------------------------------------------------------------------------- deal sets


def test_every_bot_sits_everywhere_once() -> None:
    assert seatings(2) == ((0, 1), (1, 0))
    assert {seating.index(0) for seating in seatings(3)} == {0, 1, 2}
    assert len(seatings(3)) == 3
    assert len(set(seatings(3, all_orders=True))) == 6


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_both_halves_of_a_deal_set_are_dealt_alike(ruleset: str) -> None:
    rules = engine.RULESETS[ruleset]
    kinds = ("simple", "random", "random")[: len(rules.sides)]
    names = [f"{kind} {number}" for number, kind in enumerate(kinds)]
    halves = play_deal_set(rules, makers(*kinds), names, b"s", "d", options={"to": 1})
    assert len(halves) == len(rules.sides)
    first = [half.record["hands"][0] for half in halves]
    assert all(hand["deal"] == first[0]["deal"] for hand in first)
    assert len({tuple(half.record["seats"]) for half in halves}) == len(halves)
    for half in halves:
        assert engine.audit(half.record).valid
        sat = half.record["seats"].index("simple 0")
        assert half.points[0] == sum(
            hand["points"][rules.sides[rules.side_of(sat)]] for hand in half.record["hands"]
        )
        won = half.record["winner"] == rules.sides[rules.side_of(sat)]
        assert half.shares[0] == won


def test_a_bot_against_itself_is_even_over_a_deal_set() -> None:
    """It is the seats that change: what one half gives, the other takes back."""
    for number in range(10):
        halves = play_deal_set(
            engine.RULESETS["cuatro"],
            makers("simple", "simple"),
            ["one", "other"],
            b"s",
            f"even/{number}",
            options={"deals": 2},
        )
        assert sum(half.margins[0] for half in halves) == 0
        assert sum(half.shares[0] for half in halves) == 1


def test_bots_are_made_again_for_every_match_with_seeds_of_their_own() -> None:
    seeds: list[bytes] = []

    def make(_rules: Ruleset, _seat: str, seed: bytes) -> engine.Bot:
        seeds.append(seed)
        return engine.Chance(seed)

    rules = engine.RULESETS["parejas"]
    play_deal_set(rules, [make, make], ["x", "y"], b"s", "d", options={"deals": 1})
    assert len(seeds) == len(set(seeds)) == 8


def test_a_match_that_ends_even_is_shared() -> None:
    halves = [
        half
        for number in range(30)
        for half in play_deal_set(
            engine.RULESETS["parejas"],
            makers("random", "random"),
            ["x", "y"],
            b"s",
            f"even/{number}",
            options={"deals": 2},
        )
    ]
    assert {half.shares for half in halves} == {(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)}


def test_a_deal_set_needs_a_bot_a_side() -> None:
    with pytest.raises(ValueError, match="3 sides"):
        play_deal_set(engine.RULESETS["arrastrado"], makers("random"), ["x"], b"s", "d")


class Failing:
    """Fails whenever it is asked; lets go of what it holds when the match is over."""

    closed: ClassVar[list[str]] = []

    def __init__(self, code: str) -> None:
        self.code = code

    def choose(self, view: engine.View) -> str:
        raise BotFailure(self.code, ending=view.seat, detail=view.seat)

    def close(self) -> None:
        self.closed.append(self.code)


def test_money_is_what_the_purse_says_and_the_plate_keeps_the_rest() -> None:
    options = {"stakes": "plate", "deals": 4}
    rules = engine.RULESETS["arrastrado"]
    bots = makers("simple", "random", "random")
    for half in play_deal_set(rules, bots, list("xyz"), b"s", "d", options=options):
        verdict = engine.audit(half.record)
        assert verdict.balance is not None
        balance = [verdict.balance["ABC"[half.seating.index(bot)]] for bot in range(3)]
        assert list(half.money) == balance
        assert -sum(half.money) == verdict.hands[-1].plate
    (unstaked, *_) = play_deal_set(rules, bots, list("xyz"), b"s", "d", options={"deals": 1})
    assert unstaked.money == ()


def test_three_hands_lost_in_a_row_bench_a_bot() -> None:
    Failing.closed.clear()

    def failing(_rules: Ruleset, _seat: str, _seed: bytes) -> engine.Bot:
        return Failing(CRASH)

    rules = engine.RULESETS["habanero"]
    (played, _) = play_deal_set(
        rules, [failing, *makers("random")], ["bad", "good"], b"s", "d", options={"to": 9}
    )
    assert list(played.forfeits) == [{CRASH: 3}, {}]
    assert list(played.shares) == [0, 1]
    assert played.record["score"] == {"A": 0, "B": 9}
    assert engine.audit(played.record).valid
    assert len(Failing.closed) == 6  # at the start and after two restarts, in both halves


def test_the_machine_is_tried_three_times_and_then_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = []

    def unlucky(_entrant: Entrant, _options: Mapping[str, Any]) -> Any:
        def make(_rules: Ruleset, seat: str, _seed: bytes) -> engine.Bot:
            seats.append(seat)
            return Failing(INFRASTRUCTURE)

        return make

    monkeypatch.setattr("engine.contest.series.maker_of", unlucky)
    with pytest.raises(SeriesError, match=INFRASTRUCTURE):
        list(play_series(terms("habanero", "two"), 1))
    assert seats == ["A", "B"] * 3


# --------------------------------------------------------------------------- series


def terms(ruleset: str, bots: str, **options: Any) -> Terms:
    rules = engine.RULESETS[ruleset]
    entrants = tuple(Entrant(f"{kind} {n}", kind) for n, kind in enumerate(BOTS[bots]))
    return Terms(
        ruleset,
        entrants,
        b"seed",
        rules.seat_counts[0],
        len(rules.sides),
        options,
        "rotations",
    )


def test_a_series_is_the_same_on_one_processor_and_on_three() -> None:
    table_terms = terms("mano-a-mano", "three")
    alone = list(play_series(table_terms, 9, 1))
    assert alone == list(play_series(table_terms, 9, 3))
    assert [(played.number, played.who) for played in alone][:4] == [
        (1, (0, 1)),
        (1, (0, 2)),
        (1, (1, 2)),
        (2, (0, 1)),
    ]


def test_one_who_stops_asking_stops_the_play() -> None:
    series = play_series(terms("habanero", "two"), 10**9, 2)
    assert next(series).number == 1
    series.close()


def test_without_duplicates_the_seats_change_from_set_to_set() -> None:
    single = Terms("habanero", terms("habanero", "two").entrants, b"s", 2, 2)
    names = [
        json.loads(line.written)["seats"][0]
        for played in play_series(single, 4)
        for line in played.lines
    ]
    assert names == ["simple 0", "random 1", "simple 0", "random 1"]


def test_unknown_bots_are_named() -> None:
    with pytest.raises(UnknownBot, match="random, simple, quick, strong, deep, cmd:COMMAND"):
        maker_of(Entrant("x", "clever"), {})
    with pytest.raises(UnknownBot, match="no-such-program"):
        maker_of(Entrant("x", "cmd:no-such-program"), {})


# --------------------------------------------------------------------------- adding up


def line(points: tuple[int, ...], shares: tuple[float, ...]) -> MatchSummary:
    total, others = sum(points), len(points) - 1
    margins = tuple(score - (total - score) / others for score in points)
    return MatchSummary("", 1, points, shares, margins, tuple({} for _ in points))


def test_a_deal_set_counts_once_with_the_mean_of_its_matches() -> None:
    tally = Tally(("x", "y"), 2, 2)
    tally.add(PlayedSet(1, (0, 1), (line((80, 50), (1, 0)), line((70, 60), (1, 0)))))
    tally.add(PlayedSet(2, (0, 1), (line((90, 40), (1, 0)), line((40, 90), (0, 1)))))
    assert tally.accounts[0].margins == [20.0, 0.0]
    assert tally.accounts[0].shares == [1.0, 0.5]
    assert tally.counts == [0, 0, 1, 0, 1]
    assert tally.margin(0).mean == 10
    assert (tally.sets, tally.matches, tally.hands) == (2, 4, 4)


def test_the_same_deals_at_two_tables_are_one_observation() -> None:
    tally = Tally(("x", "y", "z"), 2, 1)
    tally.add(PlayedSet(1, (0, 1), (line((80, 50), (1, 0)),)))
    tally.add(PlayedSet(1, (0, 2), (line((50, 80), (0, 1)),)))
    assert tally.accounts[0].margins == [0.0]
    assert tally.accounts[0].shares == [0.5]
    assert tally.accounts[2].margins == [30.0]


def test_the_matrix_shows_who_is_better_than_whom() -> None:
    tally = Tally(("x", "y", "z"), 3, 1)
    for number in (1, 2):
        tally.add(PlayedSet(number, (0, 1, 2), (line((60 + number, 40, 30), (1, 0, 0)),)))
    ahead, behind = tally.margin_between(0, 2), tally.margin_between(2, 0)
    assert ahead is not None
    assert behind is not None
    assert (ahead.mean, behind.mean) == (31.5, -31.5)
    assert Tally(("x", "y"), 2, 1).margin_between(0, 1) is None


def test_a_tally_says_when_it_is_decided() -> None:
    tally = Tally(("x", "y"), 2, 2, Sprt(0, 10))
    decided = []
    for number in range(1, 31):
        points = (75 + number % 5, 55)
        tally.add(PlayedSet(number, (0, 1), (line(points, (1, 0)), line(points, (1, 0)))))
        decided.append(tally.decision)
    assert decided[8] is None
    assert decided[9] == "high"


# --------------------------------------------------------------------------- the command


def play(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["play", *words]) == code
    captured = capsys.readouterr()
    return captured.out if code == 0 else captured.err


def result(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(play(capsys, *words, "--json"))
    return fields


@pytest.mark.parametrize(
    "ruleset", ["habanero", *slow(sorted(set(engine.RULESETS) - {"habanero"}))]
)
def test_simple_beats_random_in_every_ruleset(
    ruleset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--ruleset", ruleset, "--bots", "simple,random", "--matches", "30", "--duplicate"]
    first = result(capsys, *words, "--jobs", "1")["bots"][0]
    assert first["name"] == "simple"
    assert first["margin"]["low"] > 0
    assert first["won"]["low"] > 1 / len(engine.RULESETS[ruleset].sides)


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_processors(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    texts, data = set(), set()
    for jobs in ("1", "2"):
        files = [str(tmp_path / f"{name}{jobs}") for name in ("records", "round")]
        words = ["--ruleset", "arrastrado", "--bots", "simple,random", "--matches", "8"]
        words += ["--option", "stakes=plate", "--duplicate", "--jobs", jobs, "--sprt", "0,10"]
        texts.add(play(capsys, *words, "--output", files[0], "--reveal", files[1]))
        data.add(tuple(Path(name).read_bytes() for name in files))
    assert len(texts) == len(data) == 1


def test_records_are_whole_and_valid_and_say_who_sat_where(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "records.ndjson"
    words = ["--ruleset", "parejas", "--bots", "good=simple,bad=random", "--matches", "3"]
    play(capsys, *words, "--duplicate", "--output", str(file))
    records = [json.loads(each) for each in file.read_text(encoding="utf-8").splitlines()]
    assert [record["seats"][0] for record in records] == ["good", "bad"] * 3
    assert [record["tags"]["deals"] for record in records] == [
        f"play/{number}" for number in (1, 1, 2, 2, 3, 3)
    ]
    assert main(["audit", str(file)]) == 0


def test_a_sequential_test_stops_the_series_where_it_is_decided(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--ruleset", "parejas", "--bots", "simple,random", "--matches", "500", "--deals", "1"]
    for model, bounds in (("points", "=-5,5"), ("logistic", "=0,50"), ("normalized", "=0,50")):
        fields = result(capsys, *words, "--duplicate", f"--sprt{bounds}", "--model", model)
        assert fields["sprt"]["decision"] == "high"
        assert fields["sprt"]["llr"] >= fields["sprt"]["bounds"][1]
        assert fields["sets"] < 200
    assert "decided for 5" in play(capsys, *words, "--duplicate", "--sprt=-5,5")


def test_all_meet_all_at_tables_of_two(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--ruleset", "habanero", "--bots", "simple,random,simple", "--matches", "4"]
    fields = result(capsys, *words, "--duplicate")
    assert [bot["name"] for bot in fields["bots"]] == ["simple", "random", "simple 2"]
    assert [bot["sets"] for bot in fields["bots"]] == [4, 4, 4]
    assert len(fields["pairs"]) == 3
    assert "simple 2" in play(capsys, *words, "--lang", "es")


def test_where_something_is_staked_the_money_is_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--ruleset", "arrastrado", "--bots", "simple,random", "--matches", "6"]
    staked = [*words, "--duplicate", "--option", "stakes=flat"]
    money = [bot["money"]["mean"] for bot in result(capsys, *staked)["bots"]]
    assert money[0] > 0
    assert sum(money) == pytest.approx(0)
    assert "money a match" in play(capsys, *staked)
    assert "money" not in play(capsys, *words)


def test_the_last_bot_sits_down_again_until_every_side_has_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--ruleset", "arrastrado", "--seats", "4", "--bots", "simple,random"]
    fields = result(capsys, *words, "--matches", "1", "--duplicate", "permutations")
    assert [bot["name"] for bot in fields["bots"]] == ["simple", "random", "random 2", "random 3"]
    assert fields["matches"] == 24


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--bots", "clever,random"], "there is no bot clever"),
        (["--bots", "random,cmd:no-such-program x"], "no-such-program"),
        (["--bots", "random,random", "--matches", "0"], "numbers from 1"),
        (["--bots", "random,random", "--to", "0"], "numbers from 1"),
        (["--bots", "random,random", "--seats", "3"], "not played by 3"),
        (["--bots", "random,random", "--option", "colour=1"], "no rule colour"),
        (["--bots", "random,random", "--option", "cards_each=7"], "does not fit"),
        (["--bots", "random,random", "--sprt", "5"], "two numbers"),
        (["--bots", "random,random", "--sprt", "5,1"], "above the first"),
        (["--bots", "random,random,random", "--sprt", "0,1"], "one table"),
        (["--bots", "random,random", "--output", "/no/such/folder/x"], "No such file"),
    ],
)
def test_a_call_that_cannot_be_played_is_refused_with_the_reason(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert why in play(capsys, "--ruleset", "cuatro", *words, code=2)


def test_a_race_has_games_and_no_number_of_deals(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--ruleset", "mano-a-mano", "--bots", "random,random", "--deals", "2"]
    assert "played for games" in play(capsys, *words, code=2)


def test_programs_play_as_the_bots_of_the_house_do(capsys: pytest.CaptureFixture[str]) -> None:
    program = "cmd:python3 examples/bots/first_steps.py"
    words = ["--ruleset", "habanero", "--bots", f"simple,{program}", "--matches", "2", "--trusted"]
    fields = result(capsys, *words, "--duplicate", "--to", "1", "--jobs", "2")
    assert [bot["name"] for bot in fields["bots"]] == ["simple", "first_steps"]
    assert [bot["forfeits"] for bot in fields["bots"]] == [{}, {}]
    assert fields["matches"] == 4


def test_a_program_that_fails_loses_and_is_informed_why(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--ruleset", "habanero", "--bots", "simple,echo=cmd:cat", "--matches", "1"]
    text = play(capsys, *words, "--trusted", "--to", "2", "--jobs", "1")
    assert "hands lost by echo's own fault: malformed_answer 2" in text


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_series_leaves_its_complete_part(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "records.ndjson"
    words = [sys.executable, "-c", "import sys; from engine.cli import main; sys.exit(main())"]
    words += ["play", "--ruleset", "habanero", "--bots", "simple,random", "--duplicate", "--json"]
    words += ["--matches", "1000000", "--jobs", jobs, "--output", str(file)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        while not file.exists() or file.stat().st_size < 20_000:
            assert running.poll() is None
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does, to all of them
        output, complaints = running.communicate(timeout=60)
    assert (running.returncode, complaints) == (130, "")
    document = json.loads(output)
    assert not document["complete"]
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == document["matches"] == 2 * document["sets"]
    assert all(engine.audit(each).valid for each in lines)
