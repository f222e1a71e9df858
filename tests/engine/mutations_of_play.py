"""Corrupted plays: tokens changed blindly, and tokens aimed at one fault of one ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.engine.codes import CODES
from tests.engine.mutating import Aim, aim, fault_is, on_tokens
from tests.engine.naive_rules import CARDS_EACH, PACK, SEATS, Remark, Table, rank_of
from tests.engine.naive_sayings import DECLARATIONS, SAYINGS

if TYPE_CHECKING:
    from random import Random

    from tests.engine.naive_play import Play

DECLARING_TOKENS = [f"{seat}:{name}" for seat in SEATS for name in DECLARATIONS]
SAYING_TOKENS = [f"{seat}:{name}" for seat in SEATS for name in SAYINGS]
OTHER_TOKENS = [token for token in SAYING_TOKENS if token not in DECLARING_TOKENS]
JUNK_TOKENS = [
    *["8o", "9c", "1x", "1O", "RO", "ro", "R", "o", "10o", "1oo", "so", "xx", "-", "?", "\u0661o"],
    *["A:40o", "A:20", "A:20x", "A:20R", "A:21o", "A:tute", "A:tuteS", "A:tuteRo", "A:x1", "A:x72"],
    *["E:40", "a:40", "AC:40", "40", "A40", "A:", ":40", "A::40", "A:1o", "A:VOY", "A:100"],
    *["\ufeffA:40", "E:x7", "A:X7", "A:101o", "A:Capote", "voy", "x7", "101", "E:paso", "C:40o"],
]


# --------------------------------------------------------------------------- the play, blindly


@on_tokens
def swap_two_tokens(rng: Random, tokens: list[str], _table: Table) -> None:
    first, second = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[first], tokens[second] = tokens[second], tokens[first]


@on_tokens
def replace_a_token_by_a_card(rng: Random, tokens: list[str], _table: Table) -> None:
    tokens[rng.randrange(len(tokens))] = rng.choice(PACK)


@on_tokens
def drop_a_token(rng: Random, tokens: list[str], _table: Table) -> None:
    del tokens[rng.randrange(len(tokens))]


@on_tokens
def drop_a_saying(rng: Random, tokens: list[str], _table: Table) -> None:
    indices = [index for index, token in enumerate(tokens) if ":" in token]
    if indices:
        del tokens[rng.choice(indices)]


@on_tokens
def move_a_saying(rng: Random, tokens: list[str], _table: Table) -> None:
    indices = [index for index, token in enumerate(tokens) if ":" in token]
    if indices:
        index = rng.choice(indices)
        target = max(0, min(len(tokens), index + rng.choice([-9, -2, -1, 1, 2, 9])))
        tokens.insert(target, tokens.pop(index))


@on_tokens
def repeat_a_token(rng: Random, tokens: list[str], _table: Table) -> None:
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice(tokens))


@on_tokens
def insert_a_declaration(rng: Random, tokens: list[str], table: Table) -> None:
    token = f"{rng.choice(table.seats)}:{rng.choice(DECLARATIONS)}"
    tokens.insert(rng.randrange(len(tokens) + 1), token)


@on_tokens
def insert_a_saying(rng: Random, tokens: list[str], table: Table) -> None:
    token = f"{rng.choice(table.seats)}:{rng.choice(SAYINGS)}"
    tokens.insert(rng.randrange(len(tokens) + 1), token)


@on_tokens
def insert_a_saying_early(rng: Random, tokens: list[str], table: Table) -> None:
    token = f"{rng.choice(table.seats)}:{rng.choice(SAYINGS)}"
    tokens.insert(rng.randrange(min(5, len(tokens)) + 1), token)


@on_tokens
def let_a_stranger_speak(rng: Random, tokens: list[str], table: Table) -> None:
    token = f"{rng.choice([*SEATS[table.players :], 'E'])}:{rng.choice(SAYINGS)}"
    tokens.insert(rng.randrange(len(tokens) + 1), token)


@on_tokens
def insert_junk(rng: Random, tokens: list[str], _table: Table) -> None:
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice(JUNK_TOKENS))


@on_tokens
def cut_the_play_short(rng: Random, tokens: list[str], _table: Table) -> None:
    del tokens[rng.randrange(len(tokens)) :]


@on_tokens
def cut_the_play_very_short(rng: Random, tokens: list[str], _table: Table) -> None:
    del tokens[rng.randrange(min(5, len(tokens))) :]


@on_tokens
def go_on_after_the_end(rng: Random, tokens: list[str], _table: Table) -> None:
    tokens += rng.choices(PACK + SAYING_TOKENS + JUNK_TOKENS, k=rng.randint(1, 3))


@on_tokens
def drop_every_declaration(_rng: Random, tokens: list[str], _table: Table) -> None:
    tokens[:] = [token for token in tokens if ":" not in token or token[2:] not in DECLARATIONS]


@on_tokens
def play_more_than_200_tokens(rng: Random, tokens: list[str], _table: Table) -> None:
    tokens += ["1o"] * rng.choice([200 - len(tokens), 201 - len(tokens)])


# --------------------------------------------------------------------------- the play, aimed

TOKENS = {
    "play": PACK,
    "declare": DECLARING_TOKENS,
    "exchange": [token for token in OTHER_TOKENS if ":x" in token],
    "claim": [token for token in OTHER_TOKENS if token[2:] in ["101", "capote"]],
    "support": [token for token in OTHER_TOKENS if token[2:] in ["voy", "paso"]],
}
DUTIES = [f"play.must_{name}" for name in ["follow", "head", "trump", "overtrump"]]
RARE = {"play.must_overtrump": 8, "declare.order": 4, "declare.limit": 3, "declare.forfeited": 3}
BLIND_ENOUGH = ["play.token", "play.incomplete", "play.after_end"]

for _ruleset, _codes in CODES.items():
    for _code, _rule in map(str.split, _codes):
        _row = _code.split(".")[0]
        if _row in TOKENS and _code not in BLIND_ENOUGH:
            _tokens = [] if _code in DUTIES else TOKENS[_row]
            for _ in range(RARE.get(_code, 1)):
                aim(_ruleset, f"{_code} {_rule}", _tokens, fault_is(_code, _rule))


def also_aim(ruleset: str, name: str, row: str, is_aim: Aim) -> None:
    """Aims at one case of a fault among others that are more frequent."""
    aim(ruleset, name, TOKENS[row], is_aim)


def declared_from_a_low_stock(play: Play, token: str, fault: Remark) -> bool:
    """R3: `habanero`, until more than two cards are in the stock."""
    just_won = play.last_winner == token[0] and not play.table
    return fault.code == "declare.window" and just_won


def exchanged_at_the_end_of_the_stock(play: Play, token: str, fault: Remark) -> bool:
    """R5.3: two cards left; the card for it is there."""
    seat, low_trump = token[0], token[3] + play.trump
    just_ended = len(play.stock) == 2 and low_trump in play.hands[seat]
    return fault.code == "exchange.window" and just_ended


def tute_too_late(play: Play, token: str, fault: Remark) -> bool:
    """R6.7, R6.8: all four are held, the side has won more than one trick."""
    cards = [card for card in play.hands[token[0]] if rank_of(card) == token[-1]]
    just_won = play.window_side == play.side_of(token[0])
    return "tute" in token and fault.code == "declare.window" and just_won and len(cards) > 2


def claimed_without_winning_the_trick(play: Play, token: str, fault: Remark) -> bool:
    return token[2:] == "101" and play.deal_of_juego == 2 and play.capote is None


def claimed_after_a_capote(play: Play, token: str, fault: Remark) -> bool:
    just_won = play.last_winner == token[0] and not play.table
    return token[2:] == "101" and play.deal_of_juego == 2 and just_won


def claimed_in_the_first_deal(play: Play, token: str, fault: Remark) -> bool:
    just_won = play.last_winner == token[0] and not play.table
    return token[2:] == "101" and play.deal_of_juego == 1 and just_won


def capote_in_the_last_eight_tricks(play: Play, token: str, fault: Remark) -> bool:
    return token[2:] == "capote" and not play.stock


def second_capote(play: Play, token: str, fault: Remark) -> bool:
    cards = [len(hand) for hand in play.hands.values()]
    return token[2:] == "capote" and not play.stock and cards == [CARDS_EACH[play.ruleset]] * 2


def declared_after_a_capote(play: Play, token: str, fault: Remark) -> bool:
    return play.capote is not None and fault.code != "declare.not_admitted"


def support_before_the_first_lead(play: Play, token: str, fault: Remark) -> bool:
    return fault.code == "support.window" and not play.table and not play.tricks


def support_after_the_first_lead(play: Play, token: str, fault: Remark) -> bool:
    return fault.code == "support.window" and len(play.tricks) < 2


def declared_by_the_resting_dealer(play: Play, token: str, fault: Remark) -> bool:
    return token[0] in play.seats and token[0] not in play.active


also_aim("habanero", "declared_from_a_low_stock", "declare", declared_from_a_low_stock)
for _ruleset in ["habanero", "mano-a-mano"]:
    also_aim(_ruleset, "end_of_the_stock", "exchange", exchanged_at_the_end_of_the_stock)
for _ruleset in ["parejas", "parejas-online"]:
    also_aim(_ruleset, tute_too_late.__name__, "declare", tute_too_late)
for _is_aim in [
    *[claimed_without_winning_the_trick, claimed_after_a_capote, claimed_in_the_first_deal],
    *[capote_in_the_last_eight_tricks, second_capote],
]:
    also_aim("mano-a-mano", _is_aim.__name__, "claim", _is_aim)
also_aim("mano-a-mano", "declared_after_a_capote", "declare", declared_after_a_capote)
for _is_aim in [support_before_the_first_lead, support_after_the_first_lead]:
    also_aim("arrastrado", _is_aim.__name__, "support", _is_aim)
for _row in ["declare", "exchange", "support", "claim"]:
    also_aim("arrastrado", f"{_row}_by_the_dealer", _row, declared_by_the_resting_dealer)
