"""Proposes tournament plans for a number of entrants and minutes: the organiser's wizard.

Times are estimates from minutes a hand. A round is as long as its longest match, and with many
tables some match goes to its last hand; so a round is counted with all the hands that it may have.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil
from types import MappingProxyType
from typing import Final

import engine
from tournaments.domain.file import rules_from_dict
from tournaments.domain.movements.howell import MAX_ENTRANTS as MAX_HOWELL
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.pairing.duplicate import HOWELL, MITCHELL, is_linked, movement_kind
from tournaments.domain.plans import (
    BOARDS,
    MOVEMENT,
    PLACES,
    PLANS,
    ROUNDS,
    Numbers,
    StageSize,
    outline,
    rounds_in_time,
)
from tournaments.domain.rows import SwitchRule

MINUTES_BETWEEN: Final = 10
"""From the last card of a round to the first of the next: results, the draw, finding tables."""
USUAL_TARGETS: Final = (3, 2)
"""Hands that win a match, the usual first; the shorter match where the usual one is too long."""
USUAL_DEALS: Final = (6, 3)
"""Deals of a table of three, so that everybody deals as often."""
DUPLICATE_DEALS: Final = (4, 3, 2)
"""Deals of a table in a round of a duplicate, the most first; with one, moving takes too long."""
MIN_GROUP: Final = 3
MAX_IN_A_GROUP: Final = 6
MIN_WITH_SECOND_MATCH: Final = 5
"""Entrants of a board below which the loser of the first match may have no second opponent."""
MIN_SWISS: Final = 6
"""With fewer everybody meets everybody in as many rounds."""
MIN_BOARD: Final = 4
"""Entrants of board B: with fewer it is no board."""
MIN_PROPOSALS: Final = 2
MAX_PROPOSALS: Final = 4
"""Proposals in one answer."""
TURN_OF_EVERYBODY: Final = 14
"""Entrants up to whom a turn of a liguilla is thought of."""


WHY_A_MOVEMENT: Final = {HOWELL: "duplicado_howell", MITCHELL: "duplicado_mitchell"}
"""What the sentence for a duplicate is about, by its movement."""


class Aim(StrEnum):
    """The organiser's first priority."""

    PLAY_ON = "play_on"
    """Everybody plays to the end."""
    WINNER = "winner"
    """A final, and a winner when it is over."""
    EVERYBODY = "everybody"
    """Everybody meets everybody, or as many as can be."""
    SAME_DEALS = "same_deals"
    """The same deals at every table: a duplicate."""


def minutes_a_hand(rules: engine.Ruleset) -> int:
    """Return the minutes a hand takes people, with dealing and writing down: an assumption."""
    if rules.race_to:
        return 15  # a game of one or two deals
    if rules.pairs:
        return 6
    return 8 if rules.stock_size else 7


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """The organiser's request: entrants, minutes, rules.

    ``single``: players enter one by one under rules for pairs, and partners rotate. ``pace`` are
    the minutes a hand takes, ``target`` the hands that win a match (those that it has, where three
    sit at a table); ``None``: the usual ones.
    """

    entrants: int
    minutes: int
    ruleset: str
    aim: Aim
    single: bool = False
    pace: int | None = None
    target: int | None = None

    @property
    def minutes_a_hand(self) -> int:
        """The minutes of a hand: as given, or else the usual assumption."""
        return self.pace or minutes_a_hand(engine.RULESETS[self.ruleset])

    @property
    def seats(self) -> int:
        """Entrants at a table: two pairs or players, three players, or four with rotating ones."""
        rules = engine.RULESETS[self.ruleset]
        if rules.pairs:
            return 4 if self.single else 2
        return rules.seat_count

    @property
    def same_deals(self) -> bool:
        """A duplicate is asked for, and the rules have deals to repeat."""
        return (
            self.aim is Aim.SAME_DEALS
            and self.seats == 2
            and self.entrants >= FORMATS["duplicate"].min_entrants
            and not engine.RULESETS[self.ruleset].race_to
        )

    @property
    def targets(self) -> tuple[int, ...]:
        """The lengths of a match that are thought of: the one asked for, or the usual ones."""
        rules = engine.RULESETS[self.ruleset]
        if self.target:
            return (self.target,)
        if self.seats == 3:
            return USUAL_DEALS
        return (rules.target,) if rules.race_to else USUAL_TARGETS

    def minutes_a_round(self, target: int) -> int:
        """Return the minutes of a round, without the pause between two rounds."""
        hands = target if self.same_deals else most_hands(self.seats, target)
        return hands * self.minutes_a_hand


@dataclass(frozen=True, slots=True)
class Proposal:
    """A plan with its answers, and what it comes to.

    ``rounds`` and ``minutes`` are the most there may be; ``sure`` the matches that everybody plays
    whatever happens; ``byes`` how many sit out the first round; ``tables`` those in use then.
    ``target`` is that of :class:`PlanRequest`.
    """

    plan: str
    numbers: Numbers
    target: int
    stages: tuple[StageSize, ...]
    rounds: int
    minutes_a_round: int
    minutes: int
    sure: int
    byes: int
    tables: int
    fits: bool

    @property
    def why(self) -> str:
        """The code of the sentence that says what speaks for it."""
        if not self.fits:
            return "propose.too_long"
        name = WHY_A_MOVEMENT.get(str(self.numbers.get(MOVEMENT.name)), self.plan)
        return f"propose.{name}"


def propose(wish: PlanRequest) -> tuple[Proposal, ...]:
    """Return two to four plans, the one that suits best first; fewer where there are no more.

    Where nothing fits into the time, the shortest two are named all the same. CannotDraw:
    ``too_few`` (``least``).
    """
    min_entrants = FORMATS["liguilla"].min_entrants if wish.seats == 2 else wish.seats
    if wish.entrants < min_entrants:
        raise CannotDraw("too_few", least=min_entrants)
    if wish.same_deals:
        return _duplicates(wish)
    proposals = [proposal for target in wish.targets for proposal in _fitting_plans(wish, target)]
    fitting = [proposal for proposal in proposals if proposal.fits]
    if not fitting:
        return tuple(sorted(proposals, key=lambda proposal: proposal.minutes)[:2])
    by_plan: dict[tuple[str, int], Proposal] = {}
    for candidate in sorted(fitting, key=lambda proposal: _rank(wish, proposal)):
        by_plan.setdefault((candidate.plan, candidate.target if wish.seats > 2 else 0), candidate)
    suited = [
        proposal
        for proposal in by_plan.values()
        if wish.seats > 2 or proposal.plan in _PLANS_BY_AIM[wish.aim]
    ]
    others = [proposal for proposal in by_plan.values() if proposal not in suited]
    return tuple((suited + others[: max(0, MIN_PROPOSALS - len(suited))])[:MAX_PROPOSALS])


def most_hands(seats: int, target: int) -> int:
    """Return how many hands a match may have at most, fixed or played to a target."""
    return target if seats == 3 else 2 * target - 1


_PLANS_BY_AIM: Final[Mapping[Aim, tuple[str, ...]]] = MappingProxyType(
    {
        Aim.PLAY_ON: (
            "liguilla",
            "suizo",
            "liguilla_doble",
            "grupos_tableros",
            "repesca",
            "todos_los_puestos",
            "suizo_tableros",
            "grupos_final",
        ),
        Aim.WINNER: (
            "suizo_final",
            "grupos_final",
            "doble_eliminacion",
            "repesca",
            "eliminatoria",
            "grupos_tableros",
            "suizo_tableros",
        ),
        Aim.EVERYBODY: ("liguilla", "liguilla_doble", "grupos_final", "suizo"),
        Aim.SAME_DEALS: ("liguilla", "suizo"),  # where there are no deals to repeat
    }
)
"""Plans by what matters, the best first."""


def _rank(wish: PlanRequest, proposal: Proposal) -> tuple[int, int, int]:
    """The order of proposals: suited plans first, then whole matches, then many rounds."""
    suited = _PLANS_BY_AIM[wish.aim]
    place = suited.index(proposal.plan) if proposal.plan in suited else len(suited)
    return place, -proposal.target, -proposal.rounds


def _fitting_plans(wish: PlanRequest, target: int) -> Iterator[Proposal]:
    """Yield the proposals with matches of this length."""
    a_round = wish.minutes_a_round(target) + MINUTES_BETWEEN
    fit = (wish.minutes + MINUTES_BETWEEN) // a_round
    for plan, numbers in _plans_with_answers(wish, fit):
        yield _proposal(wish, target, plan, numbers)


def _plans_with_answers(wish: PlanRequest, fit: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Plans with their answers; those with a free number of rounds get what fits."""
    n = wish.entrants
    if wish.seats > 2:
        plan = "individual" if wish.seats > 3 else "mesas_de_tres"
        usual_rounds = _usual_rounds(plan, n)
        yield plan, {"rounds": max(1, min(fit, usual_rounds))}
        return
    yield "eliminatoria", {}
    if n <= TURN_OF_EVERYBODY:
        yield "liguilla", {}
        yield "liguilla_doble", {}
    if n >= MIN_WITH_SECOND_MATCH:
        yield "repesca", {}
        yield "doble_eliminacion", {}
    if PLACES.least <= n <= PLACES.most:
        yield "todos_los_puestos", {"places": n}
    yield from _swiss_plans(wish, fit)
    yield from _group_plans(n, fit)


def _duplicates(wish: PlanRequest) -> tuple[Proposal, ...]:
    """Return a Howell and a Mitchell: whole movements first, then the usual one of the two."""
    n = wish.entrants
    usual = movement_kind(n, FORMATS["duplicate"].rules)
    movements = sorted((HOWELL, MITCHELL), key=lambda movement: movement != usual)
    if n > MAX_HOWELL:
        movements = [MITCHELL]
    proposals = [_duplicate(wish, movement) for movement in movements]
    linked = [proposal for proposal in proposals if _is_linked(n, proposal.numbers)] or proposals
    fitting = [proposal for proposal in linked if proposal.fits] or linked
    return tuple(sorted(fitting, key=lambda proposal: ROUNDS.name in proposal.numbers))


def _duplicate(wish: PlanRequest, movement: str) -> Proposal:
    """Return a duplicate of whole rounds with the most deals that fit, or else of fewer rounds.

    No fewer than compare all pairs, directly or over others, where the movement can.
    """

    def proposal_with(deals: int, **more: int) -> Proposal:
        numbers = {MOVEMENT.name: movement, BOARDS.name: deals, **more}
        return _proposal(wish, deals, "duplicado", numbers)

    for deals in DUPLICATE_DEALS:
        proposal = proposal_with(deals)
        if proposal.fits:
            return proposal
    least = DUPLICATE_DEALS[-1]
    a_round = wish.minutes_a_round(least) + MINUTES_BETWEEN
    rounds = max(1, (wish.minutes + MINUTES_BETWEEN) // a_round)
    whole = proposal_with(least)
    for number in range(rounds, whole.rounds):
        proposal = proposal_with(least, **{ROUNDS.name: number})
        if _is_linked(wish.entrants, proposal.numbers):
            return proposal
    return whole


def _is_linked(entrants: int, numbers: Numbers) -> bool:
    """Tell whether a duplicate with these answers compares all pairs."""
    (planned,) = PLANS["duplicado"].stages(numbers)
    rules = {"switch": SwitchRule.PLAYED, **planned["rules"]}
    return is_linked(entrants, rules_from_dict(rules, FORMATS["duplicate"].rules))


def _swiss_plans(wish: PlanRequest, fit: int) -> Iterator[tuple[str, dict[str, int]]]:
    """A Swiss, and one with a final board, with no fewer rounds than one winner takes."""
    n = wish.entrants
    usual_rounds = _usual_rounds("suizo", n)
    if n < MIN_SWISS:
        return
    max_rounds = min(usual_rounds + 2, n - 2) if wish.aim is Aim.EVERYBODY else usual_rounds
    yield "suizo", {"rounds": max(usual_rounds, min(fit, max_rounds))}
    for take in (8, 4):
        board = take.bit_length() - 1
        if n >= 2 * take:
            rounds = max(3, usual_rounds - 2, min(usual_rounds, fit - board))
            yield "suizo_final", {"rounds": rounds, "take": take}
            if n <= 4 * take:
                yield "suizo_tableros", {"rounds": rounds, "take": take}


def _group_plans(n: int, fit: int) -> Iterator[tuple[str, dict[str, int]]]:
    """The fewest groups that fit, of three to six each; the first two go on."""
    for groups in (2, 4, 8, 16, 32):
        size = ceil(n / groups)
        if n // groups < MIN_GROUP or size > MAX_IN_A_GROUP:
            continue
        rounds = size - 1 + size % 2
        if rounds + groups.bit_length() <= fit or n // (2 * groups) < MIN_GROUP:
            yield "grupos_final", {"groups": groups, "take_of_each": 2}
            if n - 2 * groups >= MIN_BOARD:
                yield "grupos_tableros", {"groups": groups, "take_of_each": 2}
            return


def _proposal(wish: PlanRequest, target: int, plan: str, numbers: Numbers) -> Proposal:
    planned = PLANS[plan].stages(numbers)
    stages = tuple(
        replace(stage, rounds=_rounds(stage)) for stage in outline(planned, wish.entrants)
    )
    rounds = rounds_in_time(planned, [stage.rounds or 0 for stage in stages])
    a_round = wish.minutes_a_round(target)
    minutes = rounds * (a_round + MINUTES_BETWEEN) - MINUTES_BETWEEN
    byes = _byes(wish, plan, numbers)
    return Proposal(
        plan=plan,
        numbers=numbers,
        target=target,
        stages=stages,
        rounds=rounds,
        minutes_a_round=a_round,
        minutes=minutes,
        sure=_guaranteed_matches(wish, plan, numbers, stages[0]),
        byes=byes,
        tables=(wish.entrants - byes) // wish.seats,
        fits=minutes <= wish.minutes,
    )


def _usual_rounds(plan: str, entrants: int) -> int:
    return outline(PLANS[plan].stages({}), entrants)[0].rounds or 1


def _rounds(stage: StageSize) -> int:
    """The most rounds a stage may have, also where results decide."""
    if stage.rounds is not None:
        return stage.rounds
    deep = (stage.entrants - 1).bit_length()
    return deep + 1 if stage.format == "repesca" else 2 * deep + 1


def _matches_of_all_places(entrants: int) -> int:
    """The matches that everybody plays in a knock-out with boards for all places.

    The losers of a first round with byes play on among themselves, all others in a full board.
    """
    rounds = (entrants - 1).bit_length()
    losers = entrants - 2 ** (rounds - 1)
    if entrants == 2**rounds:
        return rounds
    return min(1 + (_matches_of_all_places(losers) if losers > 1 else 0), rounds - 1)


def _byes(wish: PlanRequest, plan: str, numbers: Numbers) -> int:
    """The number of entrants who sit out the first round."""
    n = wish.entrants
    if plan in ("eliminatoria", "repesca", "doble_eliminacion", "todos_los_puestos"):
        return int(2 ** (n - 1).bit_length()) - n
    if plan in ("grupos_final", "grupos_tableros"):
        groups = int(numbers["groups"])
        longer, size = n % groups, n // groups
        return longer if (size + 1) % 2 else groups - longer
    return n % wish.seats


def _guaranteed_matches(wish: PlanRequest, plan: str, numbers: Numbers, first: StageSize) -> int:
    """The matches that everybody plays, whatever the results."""
    n, rounds = wish.entrants, first.rounds or 0
    if plan in ("eliminatoria", "repesca", "doble_eliminacion"):
        return 1 if plan == "eliminatoria" else 2
    if plan == "todos_los_puestos":
        return _matches_of_all_places(n)
    if plan == "grupos_final":
        return n // int(numbers["groups"]) - 1
    if plan == "grupos_tableros":
        return n // int(numbers["groups"])
    if plan == "suizo_tableros":
        rounds += 1
    return rounds - ceil(rounds * (n % wish.seats) / n)
