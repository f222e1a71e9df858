"""Plays random events of the formats whose rounds are all drawn in advance, changed by hand.

Individual, threes and duplicate with one to four deals a table, tables of three to five with hands
or by typed places: as in `tests.support.driver`, and two entries of a draft change places besides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tests.support.driver import ORGANISER, Act, Event, Plan, one_stage
from tournaments.director.queries.rows import arrangement_of
from tournaments.director.queries.state import entry_facts
from tournaments.director.services import absences
from tournaments.director.services.rounds import swap
from tournaments.domain.pairing.past import TWO_SIDES
from tournaments.domain.rows import SeatedBy
from tournaments.domain.scores import Score
from tournaments.domain.state import verbs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from tournaments.models import Entry, Match, Round


def _tables(chance: Random, entered: int) -> list[dict[str, Any]]:
    """Return a stage of tables whose sizes all entrants fill; fives are typed only."""
    size, other = chance.choice([(4, 3), (4, 5), (5, 4)] if entered >= 12 else [(4, 3)])
    is_typed = 5 in {size, other} or chance.random() < 0.6
    rules = {"table_size": size, "other_size": other, "typed_only": is_typed}
    return one_stage("tables", rounds=(2, 3), seated_by=tuple(SeatedBy))(chance, entered, **rules)


RARE_PLANS: Final[Mapping[str, Plan]] = {
    "individual": Plan(
        one_stage("individual", rounds=(3, 4, 5)),
        tuple({"deals": deals} for deals in range(1, 5)),
        least=4,
        is_of_players=True,
    ),
    "threes": Plan(
        one_stage("threes", rounds=(3, 4, 5)),
        tuple({"deals": deals} for deals in range(1, 5)),
        "arrastrado",
        least=3,
        is_of_players=True,
    ),
    "tables": Plan(_tables, ({"deals": 12},), "arrastrado", least=6, is_of_players=True),
    "duplicate": Plan(
        one_stage("duplicate", movement=("", "mitchell", "howell"), deals=(1, 2, 3, 4)),
        ({"deals": 2},),
        least=3,
        most=30,
    ),
}


ODD_DUPLICATE: Final = Plan(
    one_stage(
        "duplicate",
        movement=("", "mitchell", "howell"),
        deals=(1, 2, 3, 4),
        scoring=("comparison", "victory"),
        comparison=("matchpoints", "average"),
    ),
    ({"deals": 2},),
    least=3,
    most=29,
)
"""Duplicates of odd numbers, into whose published rounds pairs come late (`LateEvent`)."""


class RareEvent(Event):
    """An event in which two entries of a draft change places now and then."""

    def score(self, sides: int) -> Score:
        """Return a score with which a match of so many sides can end: each deal has a winner."""
        if self.stages[0]["rules"].get("typed_only"):
            return self.typed(sides)
        if sides == TWO_SIDES or "deals" not in self.options:
            return super().score(sides)
        hands = [0] * sides
        for _ in range(self.options["deals"]):
            hands[self.chance.randrange(sides)] += 1
        points = (60 * won + self.chance.randrange(5) * won for won in hands)
        return Score.of(tuple(hands), tuple(points))

    def typed(self, sides: int) -> Score:
        """Return places at a table, some of them shared now and then, or points alone."""
        strength = [self.chance.randrange(2 * sides) for _ in range(sides)]
        none = (0,) * sides
        if self.chance.random() < 0.2 and any(strength):
            return Score.of(none, tuple(strength))
        ranked = sorted(strength, reverse=True)
        return replace(Score.of(none, none), places=tuple(1 + ranked.index(n) for n in strength))

    def hands(self, match: Match) -> list[dict[str, int]]:
        """Return points of each deal; none equal, which would need a winner (R7.3)."""
        return [
            {**hand, "home": hand["home"] + 1, "away": hand["away"] - 1}
            if hand["home"] == hand["away"]
            else hand
            for hand in super().hands(match)
        ]

    def forward(self) -> Iterator[Act]:
        """Yield what brings the event on; last, that an expelled entry comes back."""
        yield from super().forward()
        for entry in self.entries():
            away = entry.absences.filter(until_round__isnull=True).first()
            if verbs(entry_facts(entry, away), ORGANISER)["revoke_expulsion"]:
                yield self.act_of_entry(
                    entry,
                    "revoke_expulsion",
                    lambda actor, entry: absences.revoke_expulsion(actor, entry, "a mistake"),
                    {"reason": "a mistake"},
                )

    def disturb_draft(self) -> Act | None:
        drafts = list(self.rounds(state="draft"))
        if not drafts or self.chance.random() < 0.3:
            return super().disturb_draft()
        return self.act_of_swapping(self.chance.choice(drafts))

    def act_of_swapping(self, draft: Round) -> Act | None:
        """Return the swap of two entries who sit at different tables of a draft."""
        tables = [
            [entry for side in match.sides for entry in side]
            for match in draft.matches.with_names().order_by("table")
        ]
        if len(tables) < 2:
            return None
        one, other = (self.chance.choice(table) for table in self.chance.sample(tables, 2))
        return self.swapping(draft, one, other)

    def swapping(self, draft: Round, one: Entry, other: Entry) -> Act:
        places = {"one": one.number, "other": other.number}
        return Act(
            "swap",
            lambda: swap(self.actor, draft, one, other),
            (
                f"{self.base}rounds/{draft.number}/swap/",
                {**places, "arrangement": arrangement_of(draft.matches.all())},
            ),
            (
                self.page("draft", draft.number),
                self.page("arrange", draft.number, "swap"),
                places,
            ),
        )


class LateEvent(RareEvent):
    """An event in which pairs come late as soon as a round is published."""

    def disturb(self) -> None:
        if self.may_enter_late and self.rounds(state="published").exists():
            self.way(self.act_of_entering_late())
            self.done["enter late"] += 1
            return
        super().disturb()
