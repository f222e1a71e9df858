"""Hands written down card by card, while nobody's cards are known but those that have fallen."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tournaments.domain.entry_progress import Phase, follow
from tournaments.domain.hand_entry import (
    DECLARED,
    DUTY,
    SHOWN,
    NotPossible,
    Table,
    Why,
    Written,
    after,
    beaten_by,
    first_moment,
)

FOUR = Table("parejas-online", {"deals": 1}, ("Ana", "Bea", "Carlos", "Diego"))
GAMES = [
    ("parejas", {"to": 2}),
    ("parejas-online", {"to": 2}),
    ("cuatro", {"deals": 3}),
    ("arrastrado", {"deals": 2}),
    ("arrastrado", {"deals": 2, "stakes": "plate"}),
    ("habanero", {"to": 2}),
    ("mano-a-mano", {"to": 2}),
]


def played(ruleset: str, options: dict[str, Any]) -> dict[str, Any]:
    """A match between bots that choose by lot: they declare, exchange and claim as they may."""
    rules = engine.RULESETS[ruleset]
    bots: dict[str, engine.Bot] = {seat: engine.Chance(seat.encode()) for seat in rules.seats}
    return engine.play_match(rules, bots, b"seed", "recorder", list(rules.seats), options)


def table_of(record: dict[str, Any]) -> Table:
    return Table(record["ruleset"], record["options"], tuple(record["seats"]))


def written(table: Table, hand: dict[str, Any]) -> Written:
    """A hand as its play was seen; of a game with a stock the cards are told beforehand."""
    tokens = tuple(hand["play"].split())
    if not table.rules.stock_size:
        return Written(hand["dealer"], hand["trump"], tokens=tokens)
    return Written(hand["dealer"], hand["trump"], hand["deal"], hand["stock"], {}, tokens)


def laid(*tokens: str, trump: str = "7o") -> Any:
    moment = first_moment(FOUR, Written("D", trump))
    for token in tokens:
        moment = after(moment, token)
    return moment


def refused(moment: Any, token: str) -> Why:
    with pytest.raises(NotPossible) as caught:
        after(moment, token)
    return caught.value.why


@pytest.mark.parametrize(("ruleset", "options"), GAMES, ids=str)
def test_what_was_played_is_offered_at_every_moment(ruleset: str, options: dict[str, Any]) -> None:
    record = played(ruleset, options)
    table = table_of(record)
    for number, hand in enumerate(record["hands"]):
        if table.rules.race_to and number:
            continue
        moment = first_moment(table, written(table, hand))
        for token in hand["play"].split():
            assert token in (moment.calls() if ":" in token else moment.cards())
            moment = after(moment, token)
        assert moment.state.over


@pytest.mark.parametrize(("ruleset", "options"), GAMES, ids=str)
def test_the_deal_follows_from_the_play(ruleset: str, options: dict[str, Any]) -> None:
    record = played(ruleset, options)
    table = table_of(record)
    hands = [written(table, hand) for hand in record["hands"]]
    whole = [
        n
        for n, hand in enumerate(record["hands"])
        if "tute" not in hand["play"] or table.rules.stock_size
    ]
    followed = follow(table, hands)
    if len(whole) < len(hands):
        assert followed.hand.phase is Phase.REST
        return
    assert followed.is_decided
    assert followed.hand.phase is Phase.OVER
    assert followed.verdict.score == record["score"]
    for document, hand in zip(followed.documents, record["hands"], strict=True):
        told = {seat: set(cards.split()) for seat, cards in hand["deal"].items()}
        assert {seat: set(cards.split()) for seat, cards in document["deal"].items()} == told


def test_who_does_not_follow_has_no_card_of_the_suit() -> None:
    moment = laid("1c", "4e")
    barred = moment.barred[1]
    assert {card for card in barred if card[-1] == "c"} == {
        c for c in engine.CARD_NAMES if c[-1] == "c"
    } - {"1c"}
    assert {card for card in barred if card[-1] == "o"} == {
        c for c in engine.CARD_NAMES if c[-1] == "o"
    }
    assert barred["3c"].kind == DUTY
    assert barred["3c"].token == 1
    assert barred["3c"].fault is not None
    assert barred["3c"].fault.code == "play.must_follow"


def test_who_does_not_head_has_nothing_higher_of_the_suit() -> None:
    moment = laid("7c", "4c")
    higher = {"1c", "3c", "Rc", "Cc", "Sc"}
    assert {card for card in moment.barred[1] if card != "7o"} == higher
    assert moment.barred[1]["Rc"].fault.code == "play.must_head"


def test_the_card_shown_for_trumps_is_the_dealers() -> None:
    why = refused(laid(), "7o")
    assert (why.kind, why.seat) == (SHOWN, "D")
    assert "7o" in laid("1c", "2c", "4c").cards()


def test_a_couple_that_was_declared_is_nobody_elses() -> None:
    moment = laid("1c", "2c", "4c", "5c", "A:20e")
    assert refused(after(moment, "1e"), "Re").kind == DECLARED
    assert "A:20e" not in moment.calls()


def test_who_cannot_hold_the_couple_is_not_offered_the_declaration() -> None:
    without_knights = laid("1c", "2c", "4c", "5c", "1e", "4b", "2e", "5e")
    assert "A:20e" in without_knights.calls()
    assert "C:20e" in without_knights.calls()
    assert "A:40" in without_knights.calls()
    assert not any(call.startswith(("B", "D")) for call in without_knights.calls())
    gone = laid("Rc", "2c", "4c", "5c")
    assert "A:20c" not in gone.calls()


def test_a_known_hand_is_offered_its_legal_cards_alone() -> None:
    own = "3c 2c 1e 2e 4e 5e 6e 7e Se Ce"
    moment = first_moment(FOUR, Written("D", "7o", {"B": own}))
    assert after(moment, "Rc").cards() == {"3c"}
    assert after(moment, "1b").cards() == set(own.split())


def test_a_token_that_does_not_fit_leaves_those_before_it() -> None:
    hand = Written("D", "7o", tokens=("1c", "4e", "2c", "5c", "1e", "3c"))
    followed = follow(FOUR, [hand])
    assert (followed.hand.phase, followed.hand.good) == (Phase.PLAY, 5)
    assert followed.hand.why is not None
    assert (followed.hand.why.token, followed.hand.why.trick) == (1, 1)


def test_a_declaration_that_was_forfeited_is_found_when_the_hand_is_whole() -> None:
    record = played("parejas-online", {"deals": 12})
    found = 0
    for notice in engine.audit(record).notices:
        if notice.hand is None or notice.token is None or notice.declaration is None:
            continue
        hand = record["hands"][notice.hand - 1]
        tokens = hand["play"].split()
        for place in range(notice.token + 1, len(tokens)):
            late = (*tokens[:place], notice.declaration, *tokens[place:])
            followed = follow(FOUR, [Written(hand["dealer"], hand["trump"], tokens=late)])
            if followed.fault is not None and followed.fault.code == "declare.forfeited":
                assert (followed.hand.phase, followed.hand.good) == (Phase.PLAY, place)
                assert followed.documents == ()
                found += 1
    assert found


def test_after_a_tute_the_cards_that_were_left_are_asked_for() -> None:
    deal = {
        "A": "Ro Rc Re Rb 1o 3o 1c 3c 1e 3e",
        "B": "2o 4o 5o 2c 4c 5c 2e 4e 5e 1b",
        "C": "6o Co So 6c 2b Cc Sc 6e 7e 3b",
        "D": "7o Ce Se 7c 4b 5b 6b 7b Sb Cb",
    }
    tokens = ("1c", "2c", "6c", "7c", "A:tuteR")
    open_ = follow(FOUR, [Written("D", "7o", tokens=tokens)])
    assert open_.hand.phase is Phase.REST
    assert open_.hand.end is not None
    assert open_.hand.end.sure[0] >= {"Ro", "Rc", "Re", "Rb"}
    rest = {seat: " ".join(set(cards.split()) - set(tokens)) for seat, cards in deal.items()}
    del rest["B"]  # his cards follow from the others'
    closed = follow(FOUR, [Written("D", "7o", rest=rest, tokens=tokens)])
    assert (closed.hand.phase, closed.verdict.winner) == (Phase.OVER, "AC")
    assert set(closed.documents[0]["deal"]["B"].split()) == set(deal["B"].split())


def test_the_deal_passes_to_the_next_seat() -> None:
    assert follow(FOUR, []).dealers == ("A", "B", "C", "D")
    record = played("parejas", {"to": 2})
    table = table_of(record)
    first = written(table, record["hands"][0])
    followed = follow(table, [first, Written(first.dealer)])
    assert followed.hand.phase is Phase.DEALER
    assert followed.dealers == (record["hands"][1]["dealer"],)


def test_a_game_with_a_stock_asks_for_the_whole_deal_first() -> None:
    two = Table("habanero", {"to": 1}, ("Ana", "Bea"))
    assert follow(two, [Written("B", "7o")]).hand.phase is Phase.DEAL


def test_cards_that_stand_twice_are_no_deal() -> None:
    twice = {"A": "1o 3o Ro Co So 6o 5o 4o 2o 1c", "B": "1o 3c Rc Cc Sc 7c 6c 5c 4c 2c"}
    followed = follow(FOUR, [Written("D", "7o", twice)])
    assert (followed.hand.phase, followed.hand.fits) == (Phase.DEAL, False)


def test_which_card_takes_the_trick_from_which() -> None:
    beats = beaten_by("o")
    assert beats["3c"].split() == ["2o", "4o", "5o", "6o", "7o", "So", "Co", "Ro", "3o", "1o", "1c"]
    assert beats["1o"] == ""
