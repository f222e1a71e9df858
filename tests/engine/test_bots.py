"""House bots play all rulesets by the rules, repeatably, and the sensible one is worth its name."""

import hashlib
import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import engine
from engine.bots.table import BotError, agreed_rules
from engine.cards import CARDS, PACK, cards_in, mask_of
from engine.replay import states
from engine.state import State
from engine.view import view

RULES = engine.RULESETS["parejas-online"]
MATCHES = int(os.environ.get("BAZA_BOT_MATCHES", "6"))
STAKES = [
    (seats, {"stakes": stakes, **length})
    for seats in (3, 4)
    for stakes in ("none", "flat", "plate")
    for length in ({}, {"deals": 4})
]
HOUSE_RULES: list[tuple[str, int, dict[str, Any]]] = [
    ("habanero", 2, {"cards_each": 10, "declarations_per_trick": 1, "to": 2}),
    ("habanero", 2, {"exchange_needs_trick": True, "declare_to_the_end": True, "tute_ranks": "RC"}),
    ("habanero", 2, {"duties_while_stock": "trumps", "omitted_is_lost": True, "deals": 3}),
    ("mano-a-mano", 2, {"race_to": 151, "tute_ranks": "RC", "to": 2}),
    ("mano-a-mano", 2, {"exchange": "none", "declarations_per_trick": 0}),
    ("habanero", 2, {"race_to": 101, "to": 2}),
    ("parejas", 4, {"must_overtrump": True, "declare_at": "every", "deals": 2}),
    ("parejas-online", 4, {"tute_at_first_trick_only": False, "declaring_order": "free"}),
    ("cuatro", 4, {"omitted_is_lost": True, "declarations_per_trick": 4, "to": 2}),
    ("arrastrado", 3, {"exchange": "none", "declaring_order": "forty_alone", "stakes": "plate"}),
    ("arrastrado", 4, {"tute_ranks": "", "must_overtrump": False, "stakes": "flat", "deals": 5}),
]
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    *((name, rules.seat_counts[0], {}) for name, rules in engine.RULESETS.items()),
    *(("arrastrado", seats, options) for seats, options in STAKES),
    *HOUSE_RULES,
]
KINDS = [("random",), ("simple", "random"), ("simple",)]


def played(
    ruleset: str, seats: int, options: dict[str, Any], label: str, kinds: tuple[str, ...]
) -> dict[str, Any]:
    bots = {
        seat: engine.HOUSE_BOTS[kinds[number % len(kinds)]](f"{label} {seat}".encode())
        for number, seat in enumerate(engine.SEATS[:seats])
    }
    names = [f"bot {seat}" for seat in bots]
    return engine.play_match(engine.RULESETS[ruleset], bots, b"seed", label, names, options)


def match(ac: str, bd: str, seed: bytes, label: str, **options: int) -> dict[str, Any]:
    bots = {
        seat: engine.HOUSE_BOTS[ac if seat in "AC" else bd](seed + seat.encode())
        for seat in RULES.seats
    }
    return engine.play_match(RULES, bots, seed, label, list("wxyz"), options or {"to": 3})


@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
@pytest.mark.parametrize(("ruleset", "seats", "options"), TABLES, ids=str)
def test_what_bots_play_passes_the_audit(
    ruleset: str, seats: int, options: dict[str, Any], kinds: tuple[str, ...]
) -> None:
    for number in range(MATCHES):
        record = played(ruleset, seats, options, f"audit {number}", kinds)
        verdict = engine.audit(record)
        assert verdict.valid, verdict.faults
        assert "match.unfinished" not in [notice.code for notice in verdict.notices]
        assert (verdict.score, verdict.winner) == (record["score"], record["winner"])
        for hand, judged in zip(record["hands"], verdict.hands, strict=True):
            assert hand["points"] == judged.points
            assert hand.get("payments") == judged.payments


@pytest.mark.slow
def test_bots_get_to_say_everything_that_there_is_to_say() -> None:
    unsaid = {"40", "20o", "20c", "20e", "20b", "tuteR", "tuteC", "x7", "x2", "capote", "101"}
    unsaid |= {"voy", "paso"}
    matches = (
        played(ruleset, seats, options, f"said {number}", ("random",))
        for number in range(40)
        for ruleset, seats, options in TABLES
    )
    while unsaid:
        for hand in next(matches)["hands"]:
            unsaid -= {token.partition(":")[2] for token in hand["play"].split()}


def test_an_exchange_may_be_made_in_the_middle_of_a_trick_r5_3() -> None:
    def in_a_trick(play: str) -> bool:
        cards = 0
        for token in play.split():
            if token[2:] in ("x7", "x2") and cards % 2:
                return True
            cards += ":" not in token
        return False

    hands = [
        hand
        for number in range(30)
        for hand in played("habanero", 2, {}, f"trick {number}", ("random",))["hands"]
    ]
    assert any(in_a_trick(hand["play"]) for hand in hands)


def test_the_winner_of_the_last_ten_deals_the_second_deal_r9_2() -> None:
    seconds = 0
    for number in range(40):
        record = played("mano-a-mano", 2, {"to": 2}, f"race {number}", ("simple", "simple"))
        hands, verdict = record["hands"], engine.audit(record)
        for before, after, judged in zip(hands, hands[1:], verdict.hands, strict=False):
            if before["winner"] is None:
                seconds += 1
                assert after["dealer"] == judged.last_trick
    assert seconds


def test_the_games_of_a_race_are_dealt_alike_however_the_one_before_ended() -> None:
    """A second deal has a number of its own, so that the next game's cards do not depend on it."""
    rules = engine.RULESETS["mano-a-mano"]
    lengths = set()
    for number in range(20):
        label = f"race {number}"
        record = played("mano-a-mano", 2, {"to": 2}, label, ("random",))
        games = [n for n, hand in enumerate(record["hands"]) if hand["winner"] is not None]
        second = record["hands"][games[0] + 1]
        assert second["stock"] == engine.deal(rules, b"seed", label, 3).stock
        lengths.add(games[0])
    assert lengths == {0, 1}


def test_the_dealer_sits_out_at_a_table_of_four_r8_1() -> None:
    record = played("arrastrado", 4, {"deals": 8}, "four", ("random",))
    for hand in record["hands"]:
        assert hand["deal"][hand["dealer"]] == ""
        assert set(hand["points"]) == set("ABCD") - {hand["dealer"]}
        assert not any(token.startswith(f"{hand['dealer']}:") for token in hand["play"].split())


def test_support_is_asked_for_from_mano_on_r8_4() -> None:
    record = played("arrastrado", 3, {"stakes": "plate", "deals": 6}, "plate", ("random",))
    for hand in record["hands"]:
        spoken = [token for token in hand["play"].split() if token[2:] in ("voy", "paso")]
        mano = (engine.SEATS.index(hand["dealer"]) + 1) % 3
        assert [token[0] for token in spoken] == [engine.SEATS[(mano + n) % 3] for n in range(3)]


class First:
    """Says nothing and plays its first legal card."""

    def choose(self, view: engine.View) -> str:
        return engine.SILENCE if engine.SILENCE in view.legal else view.legal[0]


def test_a_match_that_nobody_can_win_ends_with_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.bots.table.MAX_HANDS", 21)
    rules, options = engine.RULESETS["mano-a-mano"], {"race_to": 500}
    bots = {seat: First() for seat in "AB"}
    record = engine.play_match(rules, bots, b"seed", "endless", ["x", "y"], options)
    assert (len(record["hands"]), record["winner"]) == (21, None)
    verdict = engine.audit(record)
    assert verdict.valid
    assert "match.unfinished" in [notice.code for notice in verdict.notices]


def test_the_same_seed_plays_the_same_match() -> None:
    assert match("random", "simple", b"one", "m") == match("random", "simple", b"one", "m")
    assert match("random", "simple", b"one", "m") != match("random", "simple", b"two", "m")


@pytest.mark.parametrize("name", ["random", "simple", "quick", "strong"])
def test_house_bots_read_no_clock(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a match could not be played again, and a busy machine would play worse."""
    engine.warm_bots()

    def read(*_arguments: Any) -> None:
        raise AssertionError("a clock was read")

    clocks = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
    for clock in (*clocks, *(f"{clock}_ns" for clock in clocks)):
        monkeypatch.setattr(f"time.{clock}", read)
    bots = {seat: engine.HOUSE_BOTS[name](seat.encode()) for seat in RULES.seats}
    record = engine.play_match(RULES, bots, b"seed", "clock", list("wxyz"), {"deals": 1})
    monkeypatch.undo()
    assert engine.audit(record).valid


def test_matches_of_pairs_are_what_they_always_were() -> None:
    """What was committed to before this table could play the other games can still be opened."""
    records = []
    for name in ("parejas", "parejas-online", "cuatro"):
        rules = engine.RULESETS[name]
        for number in range(12):
            bots = {
                seat: engine.HOUSE_BOTS["random" if (turn + number) % 2 else "simple"](
                    b"g" + seat.encode()
                )
                for turn, seat in enumerate(rules.seats)
            }
            label = f"m{number}"
            records.append(
                engine.play_match(rules, bots, b"golden", label, list("wxyz"), {"to": 2})
            )
    digest = hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()
    assert digest == "d5f9e41ed81f1a766d64e95f0190b1a59ac9ee78b94c30ea437ec82df2749aeb"


def test_the_sensible_bot_declares_all_it_can() -> None:
    for number in range(30):
        record = match("simple", "simple", b"declare", f"declare {number}")
        assert [n.code for n in engine.audit(record).notices if n.code == "declare.omitted"] == []


@pytest.mark.slow
def test_the_sensible_bot_claims_no_101_that_it_has_not_and_loses_no_capote() -> None:
    claims = capotes = 0
    for number in range(150):
        record = played("mano-a-mano", 2, {"to": 2}, f"claim {number}", ("simple", "simple"))
        for hand in record["hands"]:
            for token in hand["play"].split():
                claims += token.endswith(":101")
                capotes += token.endswith(":capote")
                if token.endswith((":101", ":capote")):
                    assert hand["winner"] == token[0]
    assert claims > 10
    assert capotes


def test_the_sensible_bot_supports_and_reaches_101_more_often_than_not() -> None:
    reached = supported = 0
    for number in range(40):
        options = {"stakes": "plate", "deals": 6}
        record = played("arrastrado", 3, options, f"voy {number}", ("simple",))
        for hand in record["hands"]:
            parts = [token[0] for token in hand["play"].split() if token.endswith(":voy")][:1]
            supported += len(parts)
            reached += sum(hand["points"][seat] >= 101 for seat in parts)
    assert supported > 10
    assert reached > supported / 2


def test_a_bot_sees_its_own_hand_only() -> None:
    views: list[engine.View] = []

    class Watcher(engine.Chance):
        def choose(self, view: engine.View) -> str:
            views.append(view)
            return super().choose(view)

    bots = {seat: Watcher(seat.encode()) for seat in RULES.seats}
    record = engine.play_match(RULES, bots, b"seed", "watch", list("wxyz"), {"deals": 1})
    dealt = record["hands"][0]["deal"]
    for bot_view in views:
        assert set(bot_view.hand) <= set(dealt[bot_view.seat].split())
        assert all(token in bot_view.hand for token in bot_view.legal if token and ":" not in token)
    assert not hasattr(views[0], "seed")


def moments(ruleset: str, seats: int, options: dict[str, Any]) -> Iterator[tuple[State, str]]:
    """Every moment of some hands, with the card that showed trumps."""
    for number in range(4):
        record = engine.parse_record(played(ruleset, seats, options, f"see {number}", ("random",)))
        for index in range(len(record.hands)):
            hand = record.hands[index]
            for state in states(record.ruleset, hand, engine.replay.FIRST):
                yield state, hand.trump or ""


def with_unseen_cards_moved(state: State, seat: int, random: Random) -> State:
    """The same moment as far as a seat can see: the hidden cards lie elsewhere."""
    hidden = PACK & ~(state.hands[seat] or 0) & ~state.seen
    if state.upcard is not None:
        hidden &= ~(1 << state.upcard)
    pool = list(cards_in(hidden))
    random.shuffle(pool)
    hands = []
    for number, hand in enumerate(state.hands):
        if number != seat:
            size = (hand or 0).bit_count()
            hand, pool = mask_of(pool[:size]), pool[size:]
        hands.append(hand)
    return state._replace(hands=tuple(hands), draws=tuple(pool[: len(state.draws)]))


@pytest.mark.parametrize(
    ("ruleset", "seats", "options"),
    [table for table in TABLES if not table[2]] + [("arrastrado", 4, {"stakes": "plate"})],
    ids=str,
)
def test_what_is_hidden_changes_nothing_in_what_a_bot_is_shown(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    random = Random("hidden")
    for state, trump in moments(ruleset, seats, options):
        for seat in state.players:
            other = with_unseen_cards_moved(state, seat, random)
            views = [
                view(
                    each,
                    seat,
                    trump,
                    (),
                    (
                        *(action.token for action in each.calls(seat)),
                        *(engine.cards.names(each.legal()) if each.turn == seat else ()),
                    ),
                )
                for each in (state, other)
            ]
            assert views[0] == views[1]


def test_a_view_says_what_stands_on_the_table() -> None:
    views: list[engine.View] = []

    class Watcher(engine.Chance):
        def choose(self, view: engine.View) -> str:
            views.append(view)
            return super().choose(view)

    rules = engine.RULESETS["arrastrado"]
    bots = {seat: Watcher(seat.encode()) for seat in "ABCD"}
    engine.play_match(rules, bots, b"s", "v", list("wxyz"), {"stakes": "plate", "deals": 3})
    first, last = views[0], views[-1]
    assert (first.standing.hand, first.standing.plate) == (1, None)
    assert last.standing.hand == 3
    assert last.standing.plate is not None
    assert sum(last.standing.score.values()) == 2
    assert last.dealer not in last.players
    assert first.turn == first.players[0] or len(first.players) == 3
    assert all(CARDS[view.upcard or ""] // 10 == "oceb".index(view.trump) for view in views)


def test_a_bot_that_answers_what_it_was_not_offered_is_named() -> None:
    class Cheat:
        def choose(self, view: engine.View) -> str:
            return f"{view.legal[0]} {view.legal[0]}"

    bots = {seat: Cheat() if seat == "B" else engine.Chance(b"x") for seat in RULES.seats}
    with pytest.raises(BotError) as error:
        engine.play_match(RULES, bots, b"seed", "cheat", list("wxyz"))
    assert error.value.seat == "B"
    assert error.value.token not in error.value.legal


def test_a_table_refuses_options_that_its_ruleset_does_not_take() -> None:
    with pytest.raises(KeyError):
        agreed_rules(RULES, {"colour": "blue"}, 4)
    with pytest.raises(ValueError, match="is not played by 3"):
        agreed_rules(RULES, {}, 3)
    with pytest.raises(ValueError, match="between two players"):
        agreed_rules(RULES, {"race_to": 101}, 4)
    assert agreed_rules(engine.RULESETS["habanero"], {"race_to": 101}, 2).race_to == 101
