"""Reads and replays the hands of many records, compiled: verdict, points, place of the first fault.

A record's hands are read from its bytes, as JSON without escapes and with single blanks between
cards. What is written in any other way is *left*: the core reads it. What the kernel refuses goes
to the core too, which says why. ``docs/decisions/kernel.md`` says what this costs.
"""

from typing import Any, Final

from engine.cards import PACK, RANKS, SUITS
from engine.fast.compiling import compiled, place, subroutine, whole_numbers
from engine.fast.masks import (
    CAPOTE,
    CARRIED,
    DRAWS,
    FIRST_ONLY,
    FIRST_THERE,
    FORFEITS,
    GAME,
    HANDS,
    LAST_SIDE,
    LAST_WON,
    MADE,
    ON_TABLE,
    PAIRS,
    PLATE,
    PLAYERS,
    RACE,
    RULES,
    SEVEN,
    SIDES_SPOKE,
    STOCK,
    TRICK,
    TRICKS_LEFT,
    TURN,
    TUTE_FIRST,
    TUTES,
    TWO,
    UPCARD,
    declare,
    exchange,
    forfeit,
    legal,
    may_declare,
    may_exchange,
    open_tricks,
    play_card,
    rules_to_row,
    side_of,
    take_trick,
    undeclared_couples,
)
from engine.notation import MAX_HANDS
from engine.rulesets import Ruleset

# --- the rules of a record, after those of a game ------------------------------------------------
AT_TABLE: Final = RULES
CARDS_EACH: Final = RULES + 1
STOCK_SIZE: Final = RULES + 2
SHOWN: Final = RULES + 3
"""Where the trump lies: with the dealer, in the stock or aside (0, 1, 2)."""
TRICKS: Final = RULES + 4
SITS_OUT: Final = RULES + 5
STAKED: Final = RULES + 6
TARGET: Final = RULES + 7
DEALS: Final = RULES + 8
RECORD: Final = RULES + 9

# --- what is found of a record -------------------------------------------------------------------
STATUS: Final = 0
FIRST_ROW: Final = 1
HAND: Final = 2
"""Its number of hands; where there is a fault, the index of the hand."""
TOKEN: Final = 3
"""The index of the token with the fault, -1 where it is not a matter of the play."""
WINNER: Final = 4
"""A side, -1 for none."""
DECIDED: Final = 5
SCORE: Final = 6
MATCH: Final = 10

LEFT, FAULTY, VALID = -1, 0, 1

# --- and of a hand: spans in the text, what it states, what it came to ---------------------------
DEALER: Final = 0
TRUMP: Final = 1
TRUMPS: Final = 2
"""The suit of trumps."""
PLAY: Final = 3
STOCK_AT: Final = 5
DEAL: Final = 8
"""Four starts, then four ends. Before these and before what is counted by side: which are there."""
STATED_WINNER: Final = 16
STATED_POINTS: Final = 18
PAYMENTS: Final = 23
POINTS: Final = 27
"""By side; without pairs, by seat."""
WON_BY: Final = 31
"""The side that won, -1 for none."""
LAST: Final = 32
"""The side that won the last trick, -1 for none."""
CUT: Final = 33
"""What ended the hand early: 0 nothing, then a tute, a trick lost to a capote, a claim (R7.5)."""
SUPPORTER: Final = 34
"""The seat, and one, that undertook to win the plate (R8.4)."""
UNCLAIMED: Final = 35
"""The side, and one, that reached the end of a race and did not say so (R9.3)."""
PLAYED: Final = 36
"""Complete tricks."""
LEADERS: Final = 37
"""The seats that led them, two bits each."""
WON_LAST: Final = 38
"""By side as the points: the trick won last, counted from 1."""
SAID: Final = 42
"""The number of declarations, and where they are."""
LOST: Final = 48
"""The number of forfeited declarations, and what they are: see :func:`record_forfeits`."""
FOUND: Final = 53

# --- text ----------------------------------------------------------------------------------------
QUOTE, BLANK, COLON, COMMA, MINUS = ord('"'), ord(" "), ord(":"), ord(","), ord("-")
OPEN, CLOSE, END_OF_LIST, ESCAPE, A, ZERO = (
    ord("{"),
    ord("}"),
    ord("]"),
    ord("\\"),
    ord("A"),
    ord("0"),
)
MAX_BYTES: Final = 400
"""Of a string in a hand: none that is in order is longer."""


def _word_number(text: str) -> int:
    return int.from_bytes(text.encode(), "little")


_KEYS: Final = ("dealer", "trump", "deal", "play", "stock", "points", "winner", "payments")
K_DEALER, K_TRUMP, K_DEAL, K_PLAY, K_STOCK, K_POINTS, K_WINNER, K_PAYMENTS = map(
    _word_number, _KEYS
)
NULL, AC, BD = _word_number("null"), _word_number("AC"), _word_number("BD")
FORTY, TWENTY, TUTE, CAPOTE_SAID, CLAIMED = map(_word_number, ("40", "20", "tute", "capote", "101"))
SEVEN_GIVEN, TWO_GIVEN, SUPPORTS, PASSES = map(_word_number, ("x7", "x2", "voy", "paso"))
THREE_BYTES, REST_OF_TWENTY, REST_OF_TUTE = 24, 16, 32
S_POINTS, S_WINNER, S_PAYMENTS, S_STOCK = 32, 64, 128, 16
NEEDED: Final = 15

RANK_AT: Final = whole_numbers([RANKS.find(chr(byte)) for byte in range(256)])
SUIT_AT: Final = whole_numbers([SUITS.find(chr(byte)) for byte in range(256)])
KINGS: Final = sum(1 << 10 * suit + RANKS.index("R") for suit in range(4))


def record_to_row(rules: Ruleset, target: int | None, deals: int | None) -> list[int] | None:
    """The rules of a record as the kernel reads them; ``None`` where the core must judge."""
    # Rare house rules: a second deal is never in order, or has other players; no card to exchange.
    if rules.race_to and (rules.pairs or rules.dealer_sits_out):
        return None
    if rules.exchange == "before_play" and rules.trump_shown != "aside":
        return None
    return [
        *rules_to_row(rules),
        rules.seat_count,
        rules.cards_each,
        rules.stock_size,
        ("dealer", "stock", "aside").index(rules.trump_shown),
        rules.trick_count,
        int(rules.dealer_sits_out),
        int(rules.stakes != "none"),
        target or 0,
        deals or 0,
    ]


# --- reading -------------------------------------------------------------------------------------


@subroutine()
def skip_blanks(text: Any, at: int) -> int:
    """The place of the first byte that is not blank."""
    while text[place(at)] in (32, 10, 13, 9):
        at += 1
    return at


@subroutine()
def end_of_string(text: Any, at: int) -> int:
    """The closing quote of the plain string that opens at a place, -1 if there is none."""
    if text[place(at)] != QUOTE:
        return -1
    first = at = at + 1
    while 32 <= text[place(at)] < 127 and text[place(at)] not in (QUOTE, ESCAPE):
        at += 1
    return at if text[place(at)] == QUOTE and at - first <= MAX_BYTES else -1


@subroutine()
def read_word(text: Any, at: int, end: int) -> int:
    """Up to eight bytes as one number, 0 where there are more."""
    word = 0
    if end - at <= 8:
        for index in range(end - at):
            word |= int(text[place(at + index)]) << 8 * index
    return word


@subroutine()
def next_value(text: Any, at: int) -> int:
    """The place of the value after the key that ends at a place, -1 without a colon."""
    at = skip_blanks(text, at + 1)
    return skip_blanks(text, at + 1) if text[place(at)] == COLON else -1


@subroutine()
def next_key(text: Any, at: int) -> int:
    """The place after a value: of the next key, or of what closes the object; -1 for neither."""
    at = skip_blanks(text, at)
    if text[place(at)] == COMMA:
        at = skip_blanks(text, at + 1)
        return at if text[place(at)] == QUOTE else -1
    return at if text[place(at)] == CLOSE else -1


@subroutine()
def read_seats(  # noqa: C901 - numbers or strings
    text: Any, at: int, pairs: int, found: Any, to: int, numbers: int
) -> int:
    """Reads an object of numbers, or of strings, by side or seat; what follows it, -1 if irregular.

    Strings are noted by start and end. The sides that were read are in ``found[to - 1]``, as bits.
    """
    sides = 0
    if text[place(at)] != OPEN:
        return -1
    at = skip_blanks(text, at + 1)
    while at >= 0 and text[place(at)] == QUOTE:
        end = end_of_string(text, at)
        key = read_word(text, at + 1, end)
        side = key - A
        if pairs:
            side = 0 if key == AC else 1 if key == BD else -1
        at = next_value(text, end)
        if end < 0 or at < 0 or side < 0 or side > 3 or sides >> side & 1:
            return -1
        sides |= 1 << side
        if numbers:
            sign, number, first = 1, 0, at
            if text[place(at)] == MINUS:
                sign, first, at = -1, at + 1, at + 1
            while ZERO <= text[place(at)] <= ZERO + 9 and at - first < 6:
                number = 10 * number + int(text[place(at)]) - ZERO
                at += 1
            if at == first or (text[place(first)] == ZERO and (at - first > 1 or sign < 0)):
                return -1
            found[to + side] = sign * number
        else:
            end = end_of_string(text, at)
            if end < 0:
                return -1
            found[to + side], found[to + 4 + side] = at + 1, end
            at = end + 1
        at = next_key(text, at)
    if at < 0 or text[place(at)] != CLOSE:
        return -1
    found[to - 1] = sides
    return at + 1


@subroutine()
def read_hand(  # noqa: C901 - a key a branch
    text: Any, at: int, rules: Any, base: int, found: Any, row: int
) -> int:
    """Notes what one hand of a record states; what follows it, -1 where the core must read it."""
    seen_keys, end = 0, 0
    every = (1 << rules[base + AT_TABLE]) - 1
    winner = -1
    for number in range(DEAL - 1, POINTS):
        found[row + number] = 0
    if text[place(at)] != OPEN:
        return -1
    at = skip_blanks(text, at + 1)
    while at >= 0 and text[place(at)] == QUOTE:
        end = end_of_string(text, at)
        key = read_word(text, at + 1, end)
        at = next_value(text, end)
        if end < 0 or at < 0:
            return -1
        empty = read_word(text, at, at + 4) == NULL
        end = at + 3 if empty else end_of_string(text, at)
        bit = 0
        if key == K_POINTS:
            bit = S_POINTS
            if not empty:
                end = read_seats(text, at, rules[base + PAIRS], found, row + STATED_POINTS, 1) - 1
        elif key == K_PAYMENTS and rules[base + STAKED]:
            bit = S_PAYMENTS
            if not empty:
                end = read_seats(text, at, 0, found, row + PAYMENTS, 1) - 1
        elif key == K_WINNER:
            bit = S_WINNER
            winner = -1 if empty else read_word(text, at + 1, end)
        elif empty:
            return -1
        elif key == K_DEAL:
            bit = 4
            end = read_seats(text, at, 0, found, row + DEAL, 0) - 1
        elif key == K_DEALER and end == at + 2:
            bit = 1
            found[row + DEALER] = int(text[place(at + 1)]) - A
        elif key == K_TRUMP and end == at + 3:
            bit = 2
            found[row + TRUMP] = at + 1
        elif key == K_PLAY:
            bit = 8
            found[row + PLAY], found[row + PLAY + 1] = at + 1, end
        elif key == K_STOCK and rules[base + STOCK_SIZE]:
            bit = S_STOCK
            found[row + STOCK_AT], found[row + STOCK_AT + 1] = at + 1, end
        if not bit or seen_keys & bit or end < 0:
            return -1
        seen_keys |= bit
        at = next_key(text, end + 1)
    needed = NEEDED | (S_STOCK if rules[base + STOCK_SIZE] else 0)
    dealer = found[row + DEALER]
    if (
        at < 0
        or text[place(at)] != CLOSE
        or seen_keys & needed != needed
        or found[row + DEAL - 1] != every
    ):
        return -1
    if dealer < 0 or dealer >= rules[base + AT_TABLE]:
        return -1
    counting = every & ~(1 << dealer) if rules[base + SITS_OUT] else every
    counting = 3 if rules[base + PAIRS] else counting
    points, payments = found[row + STATED_POINTS - 1], found[row + PAYMENTS - 1]
    if points not in (0, counting) or payments not in (0, every):
        return -1
    found[row + STATED_WINNER] = -1
    if winner >= 0:
        side = winner - A
        if rules[base + PAIRS]:
            side = 0 if winner == AC else 1 if winner == BD else -1
        if side < 0 or side >= rules[base + AT_TABLE]:
            return -1
        found[row + STATED_WINNER] = side
    return at + 1


@subroutine()
def card_at(text: Any, at: int, trump: int) -> int:
    """The card that is written at a place, trumps and oros exchanged; -1 for none."""
    rank, suit = RANK_AT[place(text[place(at)])], SUIT_AT[place(text[place(at + 1)])]
    if rank < 0 or suit < 0:
        return -1
    return int(10 * (0 if suit == trump else trump if suit == 0 else suit) + rank)


@subroutine()
def read_cards(text: Any, at: int, end: int, trump: int, count: int, game: Any, draws: int) -> int:
    """The set of ``count`` cards, -1 if not in canonical form; ``draws`` also stores each card."""
    cards = 0
    if end - at != (3 * count - 1 if count else 0):
        return -1
    for number in range(count):
        card = card_at(text, at + 3 * number, trump)
        if card < 0 or (number and text[place(at + 3 * number - 1)] != BLANK):
            return -1
        cards |= 1 << card
        if draws:
            game[draws + number] = card
    return cards


# --- a hand --------------------------------------------------------------------------------------


@subroutine()
def set_up_deal(text: Any, rules: Any, base: int, found: Any, row: int, game: Any) -> int:
    """Sets a game to the deal of a hand, and says whether it is whole (R1 to R3), as a status."""
    for number in range(RULES):
        game[number] = rules[base + number]
    for number in range(RULES, GAME):
        game[number] = 0
    dealer, trump = found[row + DEALER], SUIT_AT[place(text[place(found[row + TRUMP] + 1)])]
    trump_card = card_at(text, found[row + TRUMP], trump)
    if trump_card < 0:
        return LEFT
    found[row + TRUMPS] = trump
    stock, pack, seats, dealers = rules[base + STOCK_SIZE], 0, 0, 0
    for seat in range(rules[base + AT_TABLE]):
        idle = rules[base + SITS_OUT] and seat == dealer
        count = 0 if idle else rules[base + CARDS_EACH]
        start, end = found[row + DEAL + seat], found[row + DEAL + 4 + seat]
        cards = read_cards(text, start, end, trump, count, game, 0)
        if cards < 0:
            return LEFT
        pack |= cards
        dealers = cards if seat == dealer else dealers
        if not idle:
            game[HANDS + seats] = cards
            seats += 1
    game[STOCK], game[UPCARD], game[LAST_SIDE] = stock, -1, -1
    game[TRICKS_LEFT] = rules[base + TRICKS]
    game[TURN] = dealer % seats if rules[base + SITS_OUT] else (dealer + 1) % seats
    where = rules[base + SHOWN]
    if where == 1:
        start, end = found[row + STOCK_AT], found[row + STOCK_AT + 1]
        cards = read_cards(text, start, end, trump, stock, game, DRAWS)
        if cards < 0:
            return LEFT
        pack |= cards
        game[UPCARD] = game[DRAWS + stock - 1]
        is_whole = pack == PACK and game[UPCARD] == trump_card
    elif where == 2:
        game[UPCARD] = trump_card
        is_whole = pack == PACK & ~(1 << trump_card)
    else:
        is_whole = pack == PACK and dealers >> trump_card & 1 == 1
    return VALID if is_whole else FAULTY


@subroutine()
def seat_of(rules: Any, base: int, found: Any, row: int, player: int) -> int:
    """The seat of a player: the dealer is none where they sit out (R8.1)."""
    return player + (1 if rules[base + SITS_OUT] and player >= found[row + DEALER] else 0)


@subroutine()
def record_forfeits(found: Any, row: int, undeclared: int, game: Any, token: int) -> None:
    """Notes what a lead forfeits, seat by seat: suit, seat, trick and token, eight bits each."""
    trump = found[row + TRUMPS]
    for seat in range(4):
        for suit in range(4):
            game_suit = 0 if suit == trump else trump if suit == 0 else suit
            if undeclared >> 4 * seat + game_suit & 1:
                loss = token << 24 | game[TRICK] + 1 << 16 | seat << 8 | suit
                found[row + LOST] += 1
                found[row + LOST + found[row + LOST]] = loss


@subroutine()
def may_call_tute(game: Any, seat: int, horses: int) -> bool:
    """Whether a seat may declare the tute of kings, or of caballos (R6.7, R6.8)."""
    tricks, four = open_tricks(game, seat), KINGS >> 1 if horses else KINGS
    if not tricks or not game[TUTES] >> horses & 1 or game[HANDS + seat] & four != four:
        return False
    if tricks > 1 and (game[TUTE_FIRST] or game[FIRST_ONLY]):
        return False
    return not (game[TUTE_FIRST] and game[SIDES_SPOKE] >> side_of(game, seat) & 1)


@subroutine()
def apply_call(  # noqa: C901 - a kind of declaration a branch
    game: Any, player: int, said: int, trump: int, found: Any, row: int, second: int, drawn: int
) -> int:
    """Applies a player's declaration, exchange, claim or support.

    The side for which it ends the hand; -1 where the hand goes on, -2 where it is refused.
    """
    side = side_of(game, player)
    other = 1 if side == 0 else 0
    if said == FORTY or (said & 0xFFFF == TWENTY and said >> THREE_BYTES == 0):
        suit = 0
        if said != FORTY:
            suit = SUIT_AT[place(said >> REST_OF_TWENTY)]
            suit = 0 if suit == trump or suit < 0 else trump if suit == 0 else suit
            if suit == 0:
                return -2
        if not may_declare(game, player, suit):
            return -2
        declare(game, player, suit)
        return -1
    if said & 0xFFFFFFFF == TUTE:
        rank = RANK_AT[place(said >> REST_OF_TUTE & 255)]
        if said >> 40 or rank < 6 or rank > 7 or not may_call_tute(game, player, 7 - rank):
            return -2
        found[row + CUT] = 1
        return side
    if said in (SEVEN_GIVEN, TWO_GIVEN):
        low_card = SEVEN if said == SEVEN_GIVEN else TWO
        if not may_exchange(game, player, low_card):
            return -2
        exchange(game, player, low_card)
        return -1
    if not game[RACE] or game[CAPOTE] or game[ON_TABLE]:
        return -2
    if said == CAPOTE_SAID and not game[STOCK] and drawn:
        game[CAPOTE] = player + 1
        return -1
    if said == CLAIMED and second and game[LAST_SIDE] >= 0 and game[TURN] == player:
        found[row + CUT] = 3
        return side if game[MADE + side] + game[CARRIED + side] >= game[RACE] else other
    return -2


@subroutine()
def replay(  # noqa: C901 - the one loop over tokens
    text: Any, rules: Any, base: int, found: Any, row: int, game: Any, second: int
) -> int:
    """Replays a dealt hand: -1 where it is in order, -2 where the core must judge.

    Else the index of the first token that the rules refuse, or of the one that is missing.
    """
    offset, end = found[row + PLAY], found[row + PLAY + 1]
    trump, dealer = found[row + TRUMPS], found[row + DEALER]
    to_speak = game[PLAYERS] if game[PLATE] else 0
    token, leader, ended_for = 0, 0, -1
    for number in range(CUT, FOUND):
        found[row + number] = 0
    while offset < end:
        over = ended_for >= 0 or not game[TRICKS_LEFT]
        card = card_at(text, offset, trump)
        stop = offset + 2
        if card < 0 or (stop < end and text[place(stop)] != BLANK):
            card, stop = -1, offset
            while stop < end and text[place(stop)] != BLANK:
                stop += 1
            if stop == offset:
                return -2
        if over:
            return token
        if card >= 0:
            if to_speak:
                return token
            if not game[ON_TABLE]:
                leader = game[TURN]
                undeclared = undeclared_couples(game) if game[FORFEITS] else 0
                if undeclared:
                    record_forfeits(found, row, undeclared, game, token)
                    forfeit(game, undeclared)
            if not legal(game) >> card & 1:
                return token
            if play_card(game, card):
                seat = seat_of(rules, base, found, row, leader)
                found[row + LEADERS] |= seat << 2 * game[TRICK]
                take_trick(game)
                if game[CAPOTE]:
                    announcer = side_of(game, game[CAPOTE] - 1)
                    if game[LAST_SIDE] != announcer:
                        found[row + CUT] = 2
                        ended_for = 1 if announcer == 0 else 0
                    elif not game[TRICKS_LEFT]:
                        ended_for = announcer
        else:
            call = read_word(text, offset, stop)
            seat, call = (call & 255) - A, call >> 16 if call >> 8 & 255 == COLON else 0
            if seat < 0 or seat >= rules[base + AT_TABLE] or not call:
                return token
            if rules[base + SITS_OUT] and seat == dealer:
                return token
            player = seat - (1 if rules[base + SITS_OUT] and seat > dealer else 0)
            if call in (SUPPORTS, PASSES):
                if not to_speak or player != game[TURN]:
                    return token
                if call == SUPPORTS and not found[row + SUPPORTER]:
                    found[row + SUPPORTER] = seat + 1
                to_speak -= 1
                game[TURN] = player + 1 if player + 1 < game[PLAYERS] else 0
            else:
                stock_drawn = game[TRICKS_LEFT] == rules[base + CARDS_EACH]
                ended_for = apply_call(game, player, call, trump, found, row, second, stock_drawn)
                if ended_for == -2:
                    return token
                if call & 0xFFFF in (FORTY, TWENTY) or call & 0xFFFFFFFF == TUTE:
                    found[row + SAID] += 1
                    found[row + SAID + found[row + SAID]] = offset
        token += 1
        offset = stop
        if offset < end:
            offset += 1
            if offset == end:
                return -2
    if ended_for < 0 and game[TRICKS_LEFT]:
        return token
    count_hand(rules, base, found, row, game, ended_for, second)
    return -1


@subroutine()
def count_hand(
    rules: Any, base: int, found: Any, row: int, game: Any, ended_for: int, second: int
) -> None:
    """Notes what a hand that is over came to (R7, R9)."""
    sides = 2 if game[PAIRS] else game[PLAYERS]
    for number in range(4):
        found[row + POINTS + number] = found[row + WON_LAST + number] = 0
    winner = 0
    for side in range(sides):
        seat = side if game[PAIRS] else seat_of(rules, base, found, row, side)
        found[row + POINTS + seat] = game[MADE + side]
        found[row + WON_LAST + seat] = game[LAST_WON + side]
        ahead = game[MADE + side] - game[MADE + winner]
        if ahead > 0 or (ahead == 0 and game[LAST_WON + side] > game[LAST_WON + winner]):
            winner = side
    if ended_for >= 0:
        winner = ended_for
    elif game[RACE]:
        winner = game[FIRST_THERE] - 1
        found[row + UNCLAIMED] = game[FIRST_THERE] if second else 0
    last = game[LAST_SIDE]
    if not game[PAIRS] and winner >= 0:
        winner = seat_of(rules, base, found, row, winner)
    if not game[PAIRS] and last >= 0:
        last = seat_of(rules, base, found, row, last)
    found[row + WON_BY], found[row + LAST], found[row + PLAYED] = winner, last, game[TRICK]


@subroutine()
def matches_stated(found: Any, row: int) -> bool:
    """Whether a hand came to what it states (R7.1 to R7.3)."""
    if found[row + STATED_POINTS - 1]:
        for side in range(4):
            if found[row + STATED_POINTS + side] != found[row + POINTS + side]:
                return False
    stated_winner = found[row + STATED_WINNER]
    return bool(stated_winner < 0 or stated_winner == found[row + WON_BY])


# --- a record ------------------------------------------------------------------------------------


@subroutine()
def judge_hand(
    text: Any, rules: Any, base: int, found: Any, row: int, game: Any, second: int, before: int
) -> int:
    """A hand that was read: -1 where it is in order, -2 where the core must judge.

    Else the token of the first fault and one, 0 where it is not a matter of the play. ``before``
    is the row of the first deal where this is the ``second`` of a race.
    """
    status = set_up_deal(text, rules, base, found, row, game)
    if status != VALID:
        return -2 if status == LEFT else 0
    if second:
        for side in range(game[PLAYERS]):
            game[CARRIED + side] = found[before + POINTS + side]
            if not game[FIRST_THERE] and game[CARRIED + side] >= game[RACE]:
                game[FIRST_THERE] = side + 1
    token = replay(text, rules, base, found, row, game, second)
    if token != -1:
        return token + 1 if token >= 0 else -2
    return -1 if matches_stated(found, row) else 0


@subroutine()
def judge_record(  # noqa: C901 - the one loop over hands
    text: Any,
    at: int,
    end: int,
    rules: Any,
    base: int,
    found: Any,
    row: int,
    room: int,
    game: Any,
    match: Any,
    to: int,
) -> None:
    """Reads and replays all hands of a record, and counts the match (R2.4, R7.4, R9)."""
    for number in range(MATCH):
        match[to + number] = 0
    match[to + STATUS], match[to + TOKEN], match[to + WINNER] = LEFT, -1, -1
    hands, status, second, expected, opener, decided = 0, VALID, 0, -1, 0, 0
    max_score = 0
    sides, seats = 2 if rules[base + PAIRS] else rules[base + AT_TABLE], rules[base + AT_TABLE]
    if at < 0:
        return
    at = skip_blanks(text, at)
    while True:
        if row + FOUND > room or hands == MAX_HANDS:
            return
        found[row + WON_BY] = -1
        at = read_hand(text, at, rules, base, found, row)
        if at < 0:
            return
        if status == VALID:
            dealer = found[row + DEALER]
            token = 0
            if not decided and expected in (-1, dealer):
                token = judge_hand(text, rules, base, found, row, game, second, row - FOUND)
            if token == -2:
                return
            if token >= 0:
                status, match[to + HAND], match[to + TOKEN] = FAULTY, hands, token - 1
            winner, max_score = found[row + WON_BY], 0
            if status == VALID and winner >= 0:
                match[to + SCORE + winner] += 1
            for side in range(sides):
                max_score = max(max_score, match[to + SCORE + side])
            decided = max_score >= rules[base + TARGET] > 0 or hands + 1 == rules[base + DEALS]
            opener = opener if second else dealer
            second = 1 if rules[base + RACE] and winner < 0 and not second else 0
            expected = found[row + LAST] if second else (opener + 1) % seats
        hands += 1
        row += FOUND
        at = skip_blanks(text, at)
        if at == end:
            break
        if text[place(at)] != COMMA:
            return
        at = skip_blanks(text, at + 1)
    match[to + STATUS] = status
    if status == VALID:
        match[to + HAND], match[to + DECIDED] = hands, decided
        leaders = 0
        for side in range(sides):
            if decided and match[to + SCORE + side] == max_score:
                match[to + WINNER] = side
                leaders += 1
        if leaders > 1:
            match[to + WINNER] = -1


G: Final = "int64[::1]"


@compiled(f"int64(uint8[::1], {G}, int64, {G}, {G}, {G}, {G})")
def judge_records(
    text: Any, spans: Any, count: int, rules: Any, found: Any, game: Any, match: Any
) -> int:
    """Judges ``count`` records: their rows in ``match``, those of their hands in ``found``.

    A span is three numbers: where its hands begin, what closes their list, the row of its rules;
    the first is -1 for a record to leave. The number of numbers found is returned.
    """
    row = 0
    for record in range(count):
        start, end, number = spans[3 * record], spans[3 * record + 1], spans[3 * record + 2]
        match_row = MATCH * record
        judge_record(
            text, start, end, rules, RECORD * number, found, row, len(found), game, match, match_row
        )
        match[match_row + FIRST_ROW] = row
        if match[match_row + STATUS] == VALID:
            row += FOUND * match[match_row + HAND]
    return row
