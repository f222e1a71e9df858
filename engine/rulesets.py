"""The rulesets as values: a cell of the table of R3 is a field, a house rule a change of one.

A ruleset has an identity, name and version; a rule that changes is a new version, so that a record
is audited for ever under what it was played.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from engine.cards import SEATS

PACK_SIZE: Final = 40  # the Spanish pack without eights and nines (R1)


def _choice(*values: object) -> Any:
    """A field that takes one of these values and no other."""
    return field(metadata={"choices": values})


def _number(minimum: int, maximum: int) -> Any:
    """A field that takes a whole number between two bounds, both included."""
    return field(metadata={"least": minimum, "most": maximum})


@dataclass(frozen=True)
class Ruleset:
    """One way to play Tute (R3). Field by field what ``baza rulesets`` describes."""

    name: str
    version: int
    seat_counts: tuple[int, ...]
    """How many may sit at the table (R2.2, R8.1)."""
    seat_count: int
    """How many sit there: the first of ``seat_counts`` unless a record names more players."""
    pairs: bool = _choice(True, False)
    cards_each: int = _number(1, 20)
    trump_shown: str = _choice("stock", "dealer", "aside")
    """By the last card of the stock, the dealer's last card, or the one card left over."""
    duties_while_stock: str = _choice("full", "trumps")
    """R4.6 when ``trumps``: while cards remain to draw, only a led trump binds."""
    must_overtrump: bool = _choice(True, False)
    """R4.4a when true: over a trump, a higher trump or anything. R4.4b when false."""
    exchange: str = _choice("none", "stock", "before_play")
    """Whether the seven and the two of trumps change for the upcard, and when (R5)."""
    exchange_needs_trick: bool = _choice(True, False)
    """R5.4."""
    declare_at: str = _choice("every", "first")
    """After every trick the side wins, or after its first one alone (R6.2)."""
    declarations_per_trick: int = _number(0, 4)
    """How many a player may make after one won trick; 0 is any number (R6.4)."""
    declaring_order: str = _choice(
        "free", "forty_in_window", "forty_in_deal", "forty_alone", "forty_first"
    )
    """R6.5: free, a, b, c, d."""
    declare_to_the_end: bool = _choice(True, False)
    """False: only while more than two cards remain in the stock."""
    omitted_is_lost: bool = _choice(True, False)
    """R6.6: what a silent player could have declared is forfeited."""
    tute_ranks: str = _choice("", "R", "RC")
    """Ranks whose four cards make a tute; none where it is not admitted (R6.7)."""
    tute_at_first_trick_only: bool = _choice(True, False)
    """R6.8: only at the side's first won trick, before any twenty or forty of the side."""
    race_to: int = _number(0, 500)
    """R9: points that win a game of one or two deals; 0 where each hand is won by most points."""
    stakes: str = _choice("none", "flat", "plate")
    """R8: what is paid after a hand."""
    target: int = _number(1, 1000)
    """Hands, or games of the race, that win the match where a record names no length (R7.4)."""

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Seat letters in playing order (R2.1)."""
        return tuple(SEATS[: self.seat_count])

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides, named by their seats (R2.2)."""
        return ("AC", "BD") if self.pairs else self.seats

    @cached_property
    def identity(self) -> str:
        """Name and version: ``parejas-online@1``."""
        return f"{self.name}@{self.version}"

    @cached_property
    def dealer_sits_out(self) -> bool:
        """R8.1: with one more at the table than play, the dealer is dealt nothing."""
        return self.trump_shown == "aside" and self.seat_count > self.seat_counts[0]

    @cached_property
    def player_count(self) -> int:
        """The number of seats that are dealt cards."""
        return self.seat_count - self.dealer_sits_out

    @cached_property
    def stock_size(self) -> int:
        """Cards left to draw after the deal, the upcard included; 0 in games without stock."""
        return PACK_SIZE - self.dealt if self.trump_shown == "stock" else 0

    @cached_property
    def dealt(self) -> int:
        """Cards in the hands after the deal."""
        return self.player_count * self.cards_each

    @cached_property
    def trick_count(self) -> int:
        """Tricks of a hand played to its end."""
        return (self.dealt + self.stock_size) // self.player_count

    def side_of(self, seat: int) -> int:
        """Index of the side that a seat belongs to."""
        return seat & 1 if self.pairs else seat

    def after(self, seat: int) -> int:
        """The seat that follows in playing order."""
        return (seat + 1) % self.seat_count

    def players(self, dealer: int) -> tuple[int, ...]:
        """The seats that are dealt cards, in order of their letters (R8.1)."""
        return tuple(
            seat for seat in range(self.seat_count) if seat != dealer or not self.dealer_sits_out
        )


def at_table(rules: Ruleset, seat_count: int) -> Ruleset:
    """The same rules with a number of seats; raises ``ValueError`` if they do not admit it."""
    if seat_count not in rules.seat_counts:
        raise ValueError(f"{rules.name} is not played by {seat_count}")
    return rules if seat_count == rules.seat_count else replace(rules, seat_count=seat_count)


def with_house_rule(rules: Ruleset, name: str, value: Any) -> Ruleset:
    """The rules with one field changed.

    Raises ``KeyError`` for a field that does not exist or makes the ruleset what it is, and
    ``ValueError`` for a value that the field, the pack or another field does not admit.
    """
    limits = HOUSE_RULES[name]
    valid = isinstance(value, bool) == (
        "choices" in limits and isinstance(limits["choices"][0], bool)
    )
    if "choices" in limits:
        valid = valid and any(
            value == choice and type(value) is type(choice) for choice in limits["choices"]
        )
    else:
        valid = valid and isinstance(value, int) and limits["least"] <= value <= limits["most"]
    if not valid:
        raise ValueError(f"{name} does not take {value!r}")
    changed = replace(rules, **{name: value})
    if not _fits_pack(changed):
        raise ValueError(f"{name} = {value!r} does not fit a pack of {PACK_SIZE}")
    if changed.exchange != "none" and changed.trump_shown == "dealer":
        raise ValueError(f"{name} = {value!r}: there is no upcard to exchange for")
    return changed


def _fits_pack(rules: Ruleset) -> bool:
    rest = PACK_SIZE - rules.dealt
    if rules.pairs and rules.seat_count != len(SEATS):
        return False
    if rules.trump_shown == "stock":
        return rest > 0 and rest % rules.player_count == 0
    return rest == (1 if rules.trump_shown == "aside" else 0)


HOUSE_RULES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {each.name: each.metadata for each in fields(Ruleset) if each.metadata}
)
"""The fields that a record may override, with what each takes."""

_HABANERO: Final = Ruleset(
    name="habanero",
    version=1,
    seat_counts=(2,),
    seat_count=2,
    pairs=False,
    cards_each=8,
    trump_shown="stock",
    duties_while_stock="full",
    must_overtrump=False,
    exchange="stock",
    exchange_needs_trick=False,
    declare_at="every",
    declarations_per_trick=0,
    declaring_order="forty_in_window",
    declare_to_the_end=False,
    omitted_is_lost=False,
    tute_ranks="R",
    tute_at_first_trick_only=False,
    race_to=0,
    stakes="none",
    target=3,
)
_CUATRO: Final = Ruleset(
    name="cuatro",
    version=1,
    seat_counts=(4,),
    seat_count=4,
    pairs=True,
    cards_each=10,
    trump_shown="dealer",
    duties_while_stock="full",
    must_overtrump=True,
    exchange="none",
    exchange_needs_trick=False,
    declare_at="every",
    declarations_per_trick=1,
    declaring_order="free",
    declare_to_the_end=True,
    omitted_is_lost=False,
    tute_ranks="RC",
    tute_at_first_trick_only=False,
    race_to=0,
    stakes="none",
    target=3,
)

RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            _HABANERO,
            replace(
                _HABANERO,
                name="mano-a-mano",
                duties_while_stock="trumps",
                exchange_needs_trick=True,
                declarations_per_trick=1,
                declaring_order="free",
                declare_to_the_end=True,
                tute_ranks="",
                race_to=101,
                target=1,
            ),
            replace(
                _CUATRO,
                name="parejas",
                must_overtrump=False,
                declare_at="first",
                declarations_per_trick=0,
                declaring_order="forty_in_deal",
                omitted_is_lost=True,
                tute_ranks="R",
            ),
            replace(
                _CUATRO,
                name="parejas-online",
                declaring_order="forty_alone",
                omitted_is_lost=True,
                tute_at_first_trick_only=True,
            ),
            _CUATRO,
            replace(
                _CUATRO,
                name="arrastrado",
                seat_counts=(3, 4),
                seat_count=3,
                pairs=False,
                cards_each=13,
                trump_shown="aside",
                exchange="before_play",
                declaring_order="forty_first",
            ),
        )
    }
)

_NAMED: Final = {**RULESETS, **{rules.identity: rules for rules in RULESETS.values()}}


def find_ruleset(name: object) -> Ruleset | None:
    """The ruleset of a name, or of a name with its version (``cuatro@1``); ``None`` if unknown."""
    return _NAMED.get(name) if isinstance(name, str) else None


def changed_rules(rules: Ruleset) -> dict[str, Any]:
    """The house rules that tell ``rules`` from the ruleset of its name."""
    standard = RULESETS[rules.name]
    return {
        name: getattr(rules, name)
        for name in HOUSE_RULES
        if getattr(rules, name) != getattr(standard, name)
    }
