"""Everything that can be wrong with a record once it is JSON, ruleset by ruleset (F3, by rule)."""

from __future__ import annotations

from tests.engine.naive_records import RECORD_ROW
from tests.engine.naive_rules import NAMES

COMMON = [
    *[f"record.{name} F1" for name in RECORD_ROW],
    *["deal.card R1", "deal.duplicate R1", "deal.missing R1", "deal.size R3", "deal.trump R3"],
    *["play.token F1", "play.not_held R4.1", "play.must_follow R4.2", "play.must_head R4.2"],
    *["play.must_trump R4.4", "play.incomplete F1", "play.after_end F1"],
    *["declare.not_admitted R6.1", "declare.window R6.2", "declare.not_held R6.1"],
    *["declare.repeated R6.3", "score.points R7.1", "score.match R7.4", "score.impossible F1"],
    *["match.over R7.4", "match.unfinished R7.4", "hand.unaudited F1"],
]
BY_MOST_POINTS = ["deal.dealer R2.4", "score.winner R7.2"]
NO_STOCK = ["exchange.not_admitted R3"]
NO_RACE = ["claim.not_admitted R3"]
NO_PLATE = ["support.not_admitted R3"]
STOCK_EXCHANGE = ["exchange.window R5.3", "exchange.not_held R5.2", "exchange.upcard R5.2"]
TUTE_OF_KINGS = ["declare.not_admitted R6.7", "declare.not_held R6.7"]

CODES = {
    "habanero": [
        *[*COMMON, *BY_MOST_POINTS, *NO_RACE, *NO_PLATE, *STOCK_EXCHANGE, *TUTE_OF_KINGS],
        "declare.order R6.5a",
    ],
    "mano-a-mano": [
        *[*COMMON, *NO_PLATE, *STOCK_EXCHANGE, "exchange.no_trick R5.4", "play.must_follow R4.6"],
        *["declare.not_admitted R6.7", "declare.limit R6.4", "claim.window R9.3"],
        *["claim.window R9.5", "claim.missing R9.3", "deal.dealer R9.2", "deal.dealer R9.4"],
        *["score.winner R9.1", "score.winner R9.3", "score.winner R9.5"],
    ],
    "parejas": [
        *[*COMMON, *BY_MOST_POINTS, *NO_STOCK, *NO_RACE, *NO_PLATE, *TUTE_OF_KINGS],
        *["declare.forfeited R6.6", "declare.order R6.5b", "declare.omitted R6.6"],
    ],
    "parejas-online": [
        *[*COMMON, *BY_MOST_POINTS, *NO_STOCK, *NO_RACE, *NO_PLATE, "declare.not_held R6.7"],
        *["declare.window R6.8", "declare.forfeited R6.6", "declare.order R6.5c"],
        *["declare.order R6.8", "declare.limit R6.4", "declare.omitted R6.6"],
        "play.must_overtrump R4.4a",
    ],
    "cuatro": [
        *[*COMMON, *BY_MOST_POINTS, *NO_STOCK, *NO_RACE, *NO_PLATE, "declare.not_held R6.7"],
        *["declare.limit R6.4", "play.must_overtrump R4.4a"],
    ],
    "arrastrado": [
        *[*COMMON, *BY_MOST_POINTS, *NO_RACE, "declare.not_held R6.7", "declare.order R6.5d"],
        *["declare.limit R6.4", "play.must_overtrump R4.4a", "exchange.window R5.5"],
        *["exchange.not_held R5.2", "exchange.upcard R5.2", "support.window R8.4"],
        *["support.not_admitted R8.4", "score.points R8.3", "score.points R8.4"],
    ],
}

assert list(CODES) == NAMES
