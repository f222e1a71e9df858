"""Corrupted matches of `parejas-online`: a legal record goes in, and is broken in a known way.

Every fault code is aimed at by some mutation. Chance comes in as a `random.Random`, so a failing
case is found again by its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.engine import naive
from tests.engine.chance import HandRecord, Record, hand
from tests.engine.naive_play import PACK, SEATS, SIDES, SUITS, Play, Remark, seat_after

DECLARATIONS = ["40", *("20" + suit for suit in SUITS), "tuteR", "tuteC"]
DECLARING_TOKENS = [f"{seat}:{name}" for seat in SEATS for name in DECLARATIONS]
FOREIGN_TOKENS = ["x7", "x2", "capote", "101", "voy", "paso"]
JUNK_TOKENS = [
    *["8o", "9c", "1x", "1O", "RO", "ro", "R", "o", "10o", "1oo", "so", "xx", "-", "?", "\u0661o"],
    *["A:40o", "A:20", "A:20x", "A:20R", "A:21o", "A:tute", "A:tuteS", "A:tuteRo", "A:x1", "A:x72"],
    *[
        "E:40",
        "a:40",
        "AC:40",
        "40",
        "A40",
        "A:",
        ":40",
        "A::40",
        "A:1o",
        "A:VOY",
        "A:100",
        "\ufeffA:40",
    ],
]


# --------------------------------------------------------------------------- places to break


def played_hands(record: Record) -> list[HandRecord]:
    return [one for one in record["hands"] if one.get("play")]


def dealt_hands(record: Record) -> list[HandRecord]:
    return [one for one in record["hands"] if one.get("deal")]


Mutation = Callable[[Random, Record], bool]
MUTATIONS: list[Mutation] = []


def mutation(change: Mutation) -> Mutation:
    """Registers a way of breaking a record; it answers whether it found something to break."""
    MUTATIONS.append(change)
    return change


def on_tokens(change: Callable[[Random, list[str]], None]) -> Mutation:
    """A mutation of the tokens of one hand's play."""

    def changed(rng: Random, record: Record) -> bool:
        hands = played_hands(record)
        if not hands:
            return False
        chosen = rng.choice(hands)
        tokens = chosen["play"].split()
        change(rng, tokens)
        chosen["play"] = " ".join(tokens)
        return True

    changed.__name__ = change.__name__
    return mutation(changed)


def on_deal(change: Callable[[Random, dict[str, list[str]]], None]) -> Mutation:
    """A mutation of the cards dealt in one hand."""

    def changed(rng: Random, record: Record) -> bool:
        hands = dealt_hands(record)
        if not hands:
            return False
        chosen = rng.choice(hands)
        cards = {seat: chosen["deal"][seat].split() for seat in SEATS}
        change(rng, cards)
        chosen["deal"] = {seat: " ".join(cards[seat]) for seat in SEATS}
        return True

    changed.__name__ = change.__name__
    return mutation(changed)


# --------------------------------------------------------------------------- the play, blindly


@on_tokens
def swap_two_tokens(rng: Random, tokens: list[str]) -> None:
    first, second = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[first], tokens[second] = tokens[second], tokens[first]


@on_tokens
def replace_a_token_by_a_card(rng: Random, tokens: list[str]) -> None:
    tokens[rng.randrange(len(tokens))] = rng.choice(PACK)


@on_tokens
def drop_a_token(rng: Random, tokens: list[str]) -> None:
    del tokens[rng.randrange(len(tokens))]


@on_tokens
def repeat_a_token(rng: Random, tokens: list[str]) -> None:
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice(tokens))


@on_tokens
def insert_a_declaration(rng: Random, tokens: list[str]) -> None:
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice(DECLARING_TOKENS))


@on_tokens
def insert_a_foreign_token(rng: Random, tokens: list[str]) -> None:
    token = f"{rng.choice(SEATS)}:{rng.choice(FOREIGN_TOKENS)}"
    tokens.insert(rng.randrange(len(tokens) + 1), token)


@on_tokens
def insert_junk(rng: Random, tokens: list[str]) -> None:
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice(JUNK_TOKENS))


@on_tokens
def cut_the_play_short(rng: Random, tokens: list[str]) -> None:
    del tokens[rng.randrange(len(tokens)) :]


@on_tokens
def go_on_after_the_end(rng: Random, tokens: list[str]) -> None:
    tokens += rng.choices(PACK + DECLARING_TOKENS + JUNK_TOKENS, k=rng.randint(1, 3))


@on_tokens
def drop_every_declaration(rng: Random, tokens: list[str]) -> None:
    tokens[:] = [token for token in tokens if ":" not in token]


# --------------------------------------------------------------------------- the play, aimed


def aim(name: str, tokens: Sequence[str], is_aim: Callable[[Remark], bool]) -> Mutation:
    """A mutation that looks for a place where one token commits exactly this fault."""

    def changed(rng: Random, record: Record) -> bool:
        for one in rng.sample(played_hands(record), len(played_hands(record))):
            if not naive.verdict(only(one)).valid:
                continue
            found = places(one, tokens, is_aim)
            if found:
                put(one, *rng.choice(found))
                return True
        return False

    changed.__name__ = f"aim_at_{name}"
    return mutation(changed)


def fault_is(code: str, rule: str | None = None) -> Callable[[Remark], bool]:
    return lambda fault: fault.code == code and rule in [None, fault.rule]


def places(
    one: HandRecord, tokens: Sequence[str], is_aim: Callable[[Remark], bool]
) -> list[tuple[int, str]]:
    """Where in the play one of the tokens would be the fault; cards only in the place of cards."""
    said = one["play"].split()
    found = []
    for index, play in enumerate(moments(one)):
        for token in tokens:
            if (":" in token or ":" not in said[index]) and (fault := play.wrong(token)):
                found += [(index, token)] if is_aim(fault) else []
    return found


def put(one: HandRecord, index: int, token: str) -> None:
    """Inserts a declaration; plays a card instead of another, the two exchanged where possible."""
    tokens = one["play"].split()
    if ":" in token:
        tokens.insert(index, token)
    elif token in tokens[index:]:
        other = tokens.index(token, index)
        tokens[index], tokens[other] = token, tokens[index]
    else:
        tokens[index] = token
    one["play"] = " ".join(tokens)


def only(one: HandRecord) -> Record:
    """A record of this hand alone, nothing stated."""
    found = {name: one[name] for name in ["dealer", "trump", "deal", "play"]}
    return {"format": "baza/1", "ruleset": "parejas-online", "seats": SEATS, "hands": [found]}


def moments(one: HandRecord) -> list[Play]:
    """The hand before each of its tokens."""
    cards = {seat: one["deal"][seat].split() for seat in SEATS}
    play = Play(cards, one["trump"][1], seat_after(one["dealer"]))
    found = []
    for token in one["play"].split():
        found.append(play.copied())
        play.apply(token)
    return found


PLAYS = ["not_held", "must_follow", "must_head", "must_trump", "must_overtrump"]
SAYINGS = ["not_admitted", "window", "not_held", "repeated", "forfeited", "order", "limit"]
TUTES = [token for token in DECLARING_TOKENS if "tute" in token]
for _name in PLAYS:
    aim(f"playing_{_name}", PACK, fault_is(f"play.{_name}"))
for _name in SAYINGS:
    aim(f"declaring_{_name}", DECLARING_TOKENS, fault_is(f"declare.{_name}"))
aim("tute_too_late", TUTES, fault_is("declare.window", "R6.8"))
aim("tute_not_held", TUTES, fault_is("declare.not_held", "R6.7"))
aim("tute_after_a_declaration", TUTES, fault_is("declare.order", "R6.8"))


# --------------------------------------------------------------------------- the deal


@on_deal
def move_a_card(rng: Random, cards: dict[str, list[str]]) -> None:
    giver, taker = rng.sample(SEATS, 2)
    if cards[giver]:
        cards[taker].append(cards[giver].pop(rng.randrange(len(cards[giver]))))


@on_deal
def exchange_two_cards(rng: Random, cards: dict[str, list[str]]) -> None:
    one, other = rng.sample(SEATS, 2)
    if cards[one] and cards[other]:
        first, second = rng.randrange(len(cards[one])), rng.randrange(len(cards[other]))
        mine = cards[one][first]
        cards[one][first], cards[other][second] = cards[other][second], mine


@on_deal
def lose_a_card(rng: Random, cards: dict[str, list[str]]) -> None:
    seat = rng.choice(SEATS)
    if cards[seat]:
        del cards[seat][rng.randrange(len(cards[seat]))]


@on_deal
def deal_a_card_twice(rng: Random, cards: dict[str, list[str]]) -> None:
    seat = rng.choice(SEATS)
    card = rng.choice(PACK)
    if rng.random() < 0.7 and cards[seat]:
        cards[seat][rng.randrange(len(cards[seat]))] = card
    else:
        cards[seat].append(card)


@on_deal
def deal_an_unreadable_card(rng: Random, cards: dict[str, list[str]]) -> None:
    seat = rng.choice(SEATS)
    text = rng.choice(["8o", "xx", "1", "RO", "1oo", "A:40", "?"])
    if rng.random() < 0.7 and cards[seat]:
        cards[seat][rng.randrange(len(cards[seat]))] = text
    else:
        cards[seat].append(text)


@mutation
def turn_another_trump(rng: Random, record: Record) -> bool:
    hands = [one for one in record["hands"] if one.get("trump")]
    if not hands:
        return False
    rng.choice(hands)["trump"] = rng.choice([*PACK, "8o", "o", "xx"])
    return True


@mutation
def let_another_deal(rng: Random, record: Record) -> bool:
    """Sometimes with a trump of his own, so that only the turn to deal is wrong."""
    if not record["hands"]:
        return False
    one = rng.choice(record["hands"])
    one["dealer"] = rng.choice(SEATS)
    if one.get("deal") and one.get("trump") and one["deal"][one["dealer"]] and rng.random() < 0.7:
        one["trump"] = rng.choice(one["deal"][one["dealer"]].split())
    return True


# --------------------------------------------------------------------------- what is claimed


@mutation
def claim_other_points(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    one = rng.choice(record["hands"])
    points = dict(one.get("points") or {"AC": 65, "BD": 65})
    side = rng.choice(SIDES)
    points[side] += rng.choice([-20, -10, -1, 1, 10, 20])
    if rng.random() < 0.3:
        points["AC"], points["BD"] = points["BD"], points["AC"]
    one["points"] = points
    return True


@mutation
def claim_another_winner(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    rng.choice(record["hands"])["winner"] = rng.choice(SIDES)
    return True


@mutation
def claim_another_match(rng: Random, record: Record) -> bool:
    if rng.random() < 0.5:
        record["winner"] = rng.choice([*SIDES, None])
    else:
        record["score"] = {side: rng.randint(0, 4) for side in SIDES}
    return True


@mutation
def play_on_after_the_match(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    dealer = seat_after(record["hands"][-1]["dealer"])
    for _ in range(rng.randint(1, 2)):
        record["hands"].append(hand(rng, dealer)[0])
        dealer = seat_after(dealer)
    return True


@mutation
def note_only_a_result(rng: Random, record: Record) -> bool:
    """A hand without its play, whose points may be anything."""
    if not record["hands"]:
        return False
    one = rng.choice(record["hands"])
    kind = rng.choice(["any", "full", "tute", "odd"])
    total = {"any": rng.randint(0, 240), "full": rng.choice([130, 150, 170, 190, 210, 230])}.get(
        kind
    )
    if kind == "odd":
        points = {
            "AC": rng.choice([-1, 0, 1, 2, 129, 131]),
            "BD": rng.choice([-2, 1, 129, 130, 131]),
        }
    elif total is None:
        points = {"AC": rng.randint(0, 48), "BD": rng.randint(0, 108)}
    else:
        ours = rng.randint(0, total)
        points = {"AC": ours, "BD": total - ours}
    one.update(play=None, points=points, winner=rng.choice(SIDES))
    for name in ["deal", "trump"]:
        if rng.random() < 0.5:
            one.pop(name, None)
    return True


# --------------------------------------------------------------------------- not a record at all


@mutation
def break_a_hand_field(rng: Random, record: Record) -> bool:
    if not record["hands"]:
        return False
    one = rng.choice(record["hands"])
    kind = rng.randrange(8)
    if kind == 0:
        one[rng.choice(["stock", "payments", "dealr", "hands", ""])] = "x"
    elif kind == 1:
        one.pop("play", None)
    elif kind == 2:
        one["dealer"] = rng.choice(["E", "", "a", "AC", None, 1])
    elif kind == 3 and one.get("deal"):
        one["deal"] = {**one["deal"], rng.choice(["E", "a"]): ""}
    elif kind == 4:
        one["points"] = rng.choice(
            [{"A": 65, "B": 65}, {"AC": "65", "BD": 65}, {"AC": 65.5, "BD": 64.5}, 65]
        )
    elif kind == 5:
        one["winner"] = rng.choice(["A", "E", "", 1])
    elif kind == 6:
        one.update(play=None)
        one.pop(rng.choice(["points", "winner"]), None)
    else:
        one["play"] = rng.choice([["1o"], 7, {}])
    return True


@mutation
def break_the_record(rng: Random, record: Record) -> bool:
    kind = rng.randrange(8)
    if kind == 0:
        record["format"] = rng.choice(["baza/2", "", None, 1])
    elif kind == 1:
        record["ruleset"] = rng.choice(["mus", "", "Parejas-Online", None])
    elif kind == 2:
        wrong: list[object] = [
            {"to": 0},
            {"to": 3, "deals": 3},
            {"deals": 0},
            {"to": "3"},
            {"to": 1.5},
            {"so": 1},
        ]
        record["options"] = rng.choice([*wrong, [], {"to": True}, {"to": -1}])
    elif kind == 3:
        record["seats"] = rng.choice(
            [[], ["Ana"], ["Ana"] * 5, "ABCD", ["Ana", "Bea", "Carlos", 4]]
        )
    elif kind == 4:
        record[rng.choice(["result", "Hands", "notes"])] = "x"
    elif kind == 5:
        record["winner"] = rng.choice(["A", "E", 1])
    elif kind == 6:
        record["tags"] = {"event": "x" * 1001}
    else:
        record["score"] = rng.choice([{"A": 3, "B": 1}, 3, {"AC": "3", "BD": 1}])
    return True


@on_tokens
def play_more_than_200_tokens(rng: Random, tokens: list[str]) -> None:
    tokens += ["1o"] * rng.choice([200 - len(tokens), 201 - len(tokens)])


def corrupt(rng: Random, record: Record) -> list[str]:
    """Breaks a record in one to three ways; the names of the mutations that took hold."""
    done = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        change = rng.choice(MUTATIONS)
        if is_record(record) and change(rng, record):
            done.append(change.__name__)
    return done


def is_record(record: Record) -> bool:
    return naive.record_fault(record) is None
