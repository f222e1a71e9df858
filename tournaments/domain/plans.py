"""Plans of whole tournaments: what a club picks by name instead of composing stages.

A plan asks for two or three numbers and answers its stages in the form of a tournament file
(`docs/programs/tournament-file.md`). Their messages are ``plan.…``
and ``ask.…``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from tournaments.domain.comparison import MATCH_POINTS
from tournaments.domain.file import rules_from_dict, rules_to_dict
from tournaments.domain.file.rules import jsonable
from tournaments.domain.messages import message
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.pairing.duplicate import HOWELL, MITCHELL
from tournaments.domain.profiles import PROFILES
from tournaments.domain.rows import AVERAGE, LevelCut, PairedBy, Scoring, SeatedBy, SwitchRule
from tournaments.domain.seeding import tree_size

Numbers = Mapping[str, Any]
"""What was answered, by question; a question left open is missing or ``None``."""
Planned = dict[str, Any]
"""A stage: ``{"format": …, "rules": {…}}``; of several boards with its ``name`` (`stage_name`)."""


@dataclass(frozen=True, slots=True)
class Question:
    """A whole number from ``least`` to ``most``, a yes or no where ``most`` is 1, or a choice.

    ``usual`` is what it is when nobody says otherwise; ``None``: the format finds it itself.
    With ``words`` it is one of them, the usual one first; of ``lists`` it is lists of points.
    """

    name: str
    least: int = 0
    most: int = 0
    usual: int | None = None
    words: tuple[str, ...] = ()
    lists: bool = False

    @property
    def is_yes_or_no(self) -> bool:
        """Tell whether it is answered by ticking a box."""
        return (self.least, self.most) == (0, 1)


ROUNDS: Final = Question("rounds", 1, 500, None)
GROUPS: Final = Question("groups", 2, 64, 4)
TAKE: Final = Question("take", 2, 64, 8)
TAKE_OF_EACH: Final = Question("take_of_each", 1, 16, 2)
THIRD_PLACE: Final = Question("third_place", 0, 1, 1)
RESET_FINAL: Final = Question("reset_final", 0, 1, 1)
FURTHER_ROUNDS: Final = Question("further_rounds", 1, 20, None)
BY_TABLE: Final = Question("by_table", 0, 1, 0)
LENGTH: Final = Question("final_length", 1, 20, None)
PLACES: Final = Question("places", 5, 64, 8)
ENTRANTS: Final = Question("entrants", 3, 1024, 16)
LIVES: Final = Question("lives", 1, 20, 3)
BOARD_B_AT: Final = Question("board_b_at", 2, 512, None)
BOARDS: Final = Question("boards", 1, 100, 3)
TWO_LINES: Final = "two_lines"
"""A Mitchell whose sides never change over, with a table for each line."""
MOVEMENT: Final = Question("movement", words=("auto", HOWELL, MITCHELL, TWO_LINES))
COUNTED_BY: Final = Question("counted_by", words=(MATCH_POINTS, AVERAGE, Scoring.VICTORY.value))
TABLES_DEAL: Final = Question("tables_deal", 0, 1, 0)

TABLE_SIZE: Final = Question("table_size", 3, 5, 4)
OTHER_SIZE: Final = Question("other_size", 3, 5, 3)
SEATED_BY: Final = Question("seated_by", words=tuple(SeatedBy))
POINTS_BY_SIZE: Final = Question("points_by_size", lists=True)
TABLE_BYE: Final = Question("table_bye", -1000, 1000, None)
TABLE_FORFEIT: Final = Question("table_forfeit", -1000, 1000, None)
TYPED_ONLY: Final = Question("typed_only", 0, 1, 0)

LEVEL_CUT: Final = Question("level_cut", 0, 0, None, tuple(LevelCut))

DROP_ROUNDS: Final = Question("drop_rounds", 0, 100, None)
SCORING: Final = (
    Question("points_cap", 1, 100_000, None),
    Question("walkover_for", 0, 100_000, None),
    Question("walkover_against", 0, 100_000, None),
    DROP_ROUNDS,
    Question("match_bonus", 0, 1000, None),
    LEVEL_CUT,
)
"""How results count where hands decide who wins; all left open, nothing changes."""

WALKOVER: Final = MappingProxyType(
    {"forfeit_win_mark": "walkover_for", "forfeit_loss_mark": "walkover_against"}
)
"""The fields of the scale, each with the question for its points."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan: what it asks, and the stages that follow from the answers.

    ``profiles`` are the orders of criteria that go with it, beside the first stage's own;
    ``scoring`` asks how the results of the first stage count; what a level match is worth that was
    cut by time holds for all stages.
    """

    name: str
    build: Callable[[Numbers], tuple[Planned, ...]]
    asks: tuple[Question, ...] = ()
    profiles: tuple[str, ...] = ()
    scoring: tuple[Question, ...] = ()

    @property
    def format(self) -> str:
        """The format of its first stage."""
        defaults = {question.name: question.usual for question in self.asks}
        return str(self.build(defaults)[0]["format"])

    @property
    def seats(self) -> int:
        """The number of entrants at a table."""
        return FORMATS[self.format].seats

    def stages(
        self, numbers: Numbers, profile: str = "", deals: int | None = None
    ) -> tuple[Planned, ...]:
        """Return the stages, the first one ranked by a profile and with its scoring.

        So is one that carries its results on.

        ``deals`` are those of a match, where that is fixed. LookupError for a profile that does not
        belong to the plan.
        """
        if profile and profile not in self.profiles:
            raise LookupError(f"the plan {self.name} has no profile {profile}")
        first, *others = (
            self._as_answered(stage, numbers, profile, deals)
            if n == 0 or stage["rules"].get("carry")
            else stage
            for n, stage in enumerate(self.build(numbers))
        )
        if level_cut := numbers.get(LEVEL_CUT.name):
            first, *others = (_with_rules(stage, level_cut=level_cut) for stage in (first, *others))
        return (first, *others)

    def _as_answered(
        self, stage: Planned, numbers: Numbers, profile: str, deals: int | None
    ) -> Planned:
        """Return a stage ranked by a profile and with the scoring that was answered."""
        if profile:
            stage = _ranked(stage, profile, deals)
        return _scored(stage, numbers) if self.scoring else stage


@dataclass(frozen=True, slots=True)
class StageSize:
    """The size of a planned stage: its number of entrants and of rounds.

    ``None``: results decide, or nothing does (``is_endless``). ``name`` is that of :data:`Planned`.
    """

    format: str
    entrants: int
    rounds: int | None
    name: str = ""

    @property
    def is_endless(self) -> bool:
        """Rounds go on as long as one likes."""
        return self.rounds is None and FORMATS[self.format].is_endless

    @property
    def is_for_places(self) -> bool:
        """It is a board for places, played while the knock-out that fills it goes on."""
        return self.name.startswith(PLACES.name)


def stage_name(language: str, name: str) -> str:
    """Return the name of a planned stage: of a code, followed by the places that it plays for."""
    code, *places = name.split()
    return message(language, f"plan.{code}", *places)


def outline(stages: Sequence[Planned], entrants: int) -> tuple[StageSize, ...]:
    """Return the size of each stage for a number of entrants, as if nobody left.

    Raises CannotDraw: ``too_few`` (``least``), ``too_many`` (``most``).
    """
    sizes: list[StageSize] = []
    groups: list[int] = []
    for number, planned in enumerate(stages, start=1):
        kind = FORMATS[planned["format"]]
        rules = rules_from_dict(planned["rules"], kind.rules)
        if sizes:
            source = (rules.source or number - 1) - 1
            entrants, count = sizes[source].entrants, groups[source]
            last = (rules.take_from + rules.take) * count
            if rules.take and last > entrants:
                raise CannotDraw("too_few", least=last)
            entrants = rules.take * count or max(0, entrants - rules.take_from * count)
        min_entrants = max(kind.min_entrants, rules.groups * 2 if kind.groups else 0)
        if entrants < min_entrants:
            raise CannotDraw("too_few", least=min_entrants)
        if entrants > kind.max_entrants:
            raise CannotDraw("too_many", most=kind.max_entrants)
        rounds, name = kind.rounds(entrants, rules), planned.get("name", "")
        sizes.append(StageSize(planned["format"], entrants, rounds, name))
        groups.append(rules.groups if kind.groups else 1)
    return tuple(sizes)


def rounds_in_time(stages: Sequence[Planned], rounds: Sequence[int]) -> int:
    """Return how many rounds follow each other, ``rounds`` being those of each stage.

    Stages that are filled from one table are played at the same time, and a board for places of a
    knock-out begins once no more than ``take_from`` are in it.
    """
    begins: list[int] = []
    for number, planned in enumerate(stages, start=1):
        source = (planned["rules"].get("source") or number - 1) - 1
        begin = begins[source] + rounds[source] if number > 1 else 0
        if number > 1 and stages[source]["format"] == "knockout":
            begin -= min(
                rounds[source], max(0, planned["rules"].get("take_from", 0).bit_length() - 1)
            )
        begins.append(begin)
    return max(begin + own for begin, own in zip(begins, rounds, strict=True))


def _ranked(planned: Planned, profile: str, deals: int | None) -> Planned:
    kind = FORMATS[planned["format"]]
    ranking_profile = PROFILES[profile]
    planned_rules = dict(planned["rules"])
    if ranking_profile.scoring is Scoring.VICTORY and deals:
        planned_rules["deals"] = deals
    rules = ranking_profile.applied_to(rules_from_dict(planned_rules, kind.rules))
    return {**planned, "rules": rules_to_dict(rules, kind.rules)}


def _with_rules(planned: Planned, **rules: Any) -> Planned:
    return {**planned, "rules": {**planned["rules"], **rules}}


def _scored(planned: Planned, numbers: Numbers) -> Planned:
    """Return a stage with the answers to the questions of :data:`SCORING`."""
    rules = dict(planned["rules"])
    if (cap := numbers.get("points_cap")) is not None:
        rules["points_cap"] = cap
    if drops := numbers.get("drop_rounds"):
        rules["drop_rounds"] = drops
    if (bonus := numbers.get("match_bonus")) is not None:
        rules |= _hands_as_points(planned["format"], numbers, bonus)
    marks = {
        name: {"points": points}
        for name, question in WALKOVER.items()
        if (points := numbers.get(question)) is not None
    }
    if marks:
        rules["scale"] = {**rules.get("scale", {}), **marks}
    return _with_rules(planned, **rules)


def _hands_as_points(format_: str, numbers: Numbers, bonus: int) -> dict[str, Any]:
    """Return rules by which hands are points; a round without play is worth a whole match."""
    cotos = numbers.get("cotos") or 1
    worth = Fraction(bonus + (cotos if cotos > 1 else numbers.get("hands") or 1))
    scale = dict.fromkeys(("win", "bye", "full", "forfeit_win"), worth)
    scale |= dict.fromkeys(("tie", "half"), worth / 2)
    if FORMATS[format_].is_preset:
        del scale["bye"]
    values = {name: jsonable(points) for name, points in scale.items()}
    return {"scoring": Scoring.HANDS.value, "match_bonus": bonus, "scale": values}


def _stage(format_: str, **rules: Any) -> Planned:
    """Return a stage with the rules that were given."""
    changes = {name: value for name, value in rules.items() if value is not None}
    return {"format": format_, "rules": changes}


def _is_yes(numbers: Numbers, question: Question) -> bool:
    answer = numbers.get(question.name)
    return bool(question.usual if answer is None else answer)


def _number(numbers: Numbers, question: Question) -> int | None:
    answer = numbers.get(question.name)
    return question.usual if answer is None else int(answer)


def _liguilla(turns: int) -> Callable[[Numbers], tuple[Planned, ...]]:
    def stages(numbers: Numbers) -> tuple[Planned, ...]:
        league = _stage("liguilla", turns=turns if turns > 1 else None)
        rounds = _number(numbers, FURTHER_ROUNDS)
        if not rounds:
            return (league,)
        order = list(FORMATS["liguilla"].order)
        by_table = PairedBy.TABLE.value
        return league, _stage("swiss", rounds=rounds, paired_by=by_table, carry=True, order=order)

    return stages


def _swiss(numbers: Numbers) -> tuple[Planned, ...]:
    paired_by = PairedBy.TABLE.value if _is_yes(numbers, BY_TABLE) else None
    return (_stage("swiss", rounds=_number(numbers, ROUNDS), paired_by=paired_by),)


def _swiss_final(numbers: Numbers) -> tuple[Planned, ...]:
    return (
        *_swiss(numbers),
        _stage(
            "knockout",
            take=_number(numbers, TAKE),
            third_place=_is_yes(numbers, THIRD_PLACE) or None,
            length=_number(numbers, LENGTH),
        ),
    )


def _groups_final(numbers: Numbers) -> tuple[Planned, ...]:
    return (
        _stage("groups", groups=_number(numbers, GROUPS)),
        _stage(
            "knockout",
            take=_number(numbers, TAKE_OF_EACH),
            third_place=_is_yes(numbers, THIRD_PLACE) or None,
            length=_number(numbers, LENGTH),
        ),
    )


def _boards(numbers: Numbers, take: Question) -> tuple[Planned, ...]:
    """Return board A for the best and board B for all others, from the table of one stage."""
    places, length = _number(numbers, take), _number(numbers, LENGTH)
    third = _is_yes(numbers, THIRD_PLACE) or None
    best = _stage("knockout", take=places, third_place=third, length=length)
    others = _stage("knockout", source=1, take_from=places, third_place=third, length=length)
    return ({**best, "name": "board_a"}, {**others, "name": "board_b"})


def _swiss_boards(numbers: Numbers) -> tuple[Planned, ...]:
    return (*_swiss(numbers), *_boards(numbers, TAKE))


def _groups_boards(numbers: Numbers) -> tuple[Planned, ...]:
    groups = _stage("groups", groups=_number(numbers, GROUPS))
    return (groups, *_boards(numbers, TAKE_OF_EACH))


def _tree(format_: str) -> Callable[[Numbers], tuple[Planned, ...]]:
    return lambda numbers: (_stage(format_, third_place=_is_yes(numbers, THIRD_PLACE) or None),)


def _all_places(numbers: Numbers) -> tuple[Planned, ...]:
    """Return a knock-out with a board for each half of places that its rounds leave behind."""
    stages = [_stage("knockout", third_place=True)]
    _add_boards_for_places(stages, _number(numbers, PLACES) or 0, first=0)
    return tuple(stages)


def _add_boards_for_places(stages: list[Planned], entrants: int, first: int) -> None:
    """Add the boards that the last of ``stages`` fills, and those that they fill.

    ``first`` is how many places come before its own. The last board takes all who are left, so that
    more entrants than planned play too; who is last alone plays for nothing.
    """
    source = len(stages)
    take = 4
    while entrants - take > 1:
        left = min(take, entrants - take)
        is_last = take + left == entrants
        board = _stage(
            "knockout",
            third_place=True,
            source=source,
            take_from=take,
            take=None if is_last else take,
        )
        last = first + take + left
        stages.append({**board, "name": f"{PLACES.name} {first + take + 1} {last}"})
        _add_boards_for_places(stages, left, first + take)
        take *= 2


def _board_for_beaten(numbers: Numbers) -> tuple[Planned, ...]:
    """Return a knock-out, and board B for those who are beaten in its first round."""
    entrants, third = _number(numbers, ENTRANTS) or 0, _is_yes(numbers, THIRD_PLACE) or None
    second_round = tree_size(entrants) // 2
    beaten = _stage("knockout", source=1, take_from=second_round, third_place=third)
    board_a = {**_stage("knockout", third_place=third), "name": "board_a"}
    return (board_a, {**beaten, "name": "board_b"})


def _double(numbers: Numbers) -> tuple[Planned, ...]:
    return (_stage("double", reset_final=_is_yes(numbers, RESET_FINAL)),)


def _lives(numbers: Numbers) -> tuple[Planned, ...]:
    stage, still_in = _stage("lives", lives=_number(numbers, LIVES)), _number(numbers, BOARD_B_AT)
    if not still_in:
        return (stage,)
    board_b = _stage("knockout", source=1, take_from=still_in, take_out=True)
    return ({**stage, "name": "board_a"}, {**board_b, "name": "board_b"})


def _rotating(format_: str) -> Callable[[Numbers], tuple[Planned, ...]]:
    return lambda numbers: (_stage(format_, rounds=_number(numbers, ROUNDS)),)


def _tables(numbers: Numbers) -> tuple[Planned, ...]:
    """Return tables of single players; a bye is worth what a table of the usual size shares out."""
    size, lists = _number(numbers, TABLE_SIZE), numbers.get(POINTS_BY_SIZE.name) or None
    bye, forfeit = _number(numbers, TABLE_BYE), _number(numbers, TABLE_FORFEIT)
    usual = next((points for points in lists or () if len(points) == size), ())
    if bye is None and usual:
        bye = jsonable(sum(map(Fraction, usual)) / len(usual))
    stated = {"bye": bye, "forfeit_loss": forfeit}
    scale = {name: worth for name, worth in stated.items() if worth is not None}
    stage = _stage(
        "tables",
        rounds=_number(numbers, ROUNDS),
        table_size=size,
        other_size=_number(numbers, OTHER_SIZE),
        seated_by=numbers.get(SEATED_BY.name) or None,
        points_by_size=lists,
        scale=scale or None,
        typed_only=_is_yes(numbers, TYPED_ONLY) or None,
    )
    return (stage,)


MOVEMENTS: Final = {HOWELL: HOWELL, MITCHELL: MITCHELL, TWO_LINES: MITCHELL}
"""The movement by the answer; the other answer leaves it to the number of pairs."""


def _duplicate(numbers: Numbers) -> tuple[Planned, ...]:
    counted_by = numbers.get(COUNTED_BY.name) or MATCH_POINTS
    movement = numbers.get(MOVEMENT.name)
    stage = _stage(
        "duplicate",
        movement=MOVEMENTS.get(movement or ""),
        switch=SwitchRule.NEVER.value if movement == TWO_LINES else None,
        rounds=_number(numbers, ROUNDS),
        deals=_number(numbers, BOARDS),
        dealt_by="table" if _is_yes(numbers, TABLES_DEAL) else None,
        comparison=AVERAGE if counted_by == AVERAGE else None,
        scoring=Scoring.VICTORY.value if counted_by == Scoring.VICTORY else None,
    )
    return (stage,)


def _profiles_for(format_: str) -> tuple[str, ...]:
    return tuple(code for code, profile in PROFILES.items() if format_ in profile.formats)


PLANS: Final[Mapping[str, Plan]] = MappingProxyType(
    {
        plan.name: plan
        for plan in (
            Plan("liguilla", _liguilla(1), (FURTHER_ROUNDS,), _profiles_for("liguilla"), SCORING),
            Plan(
                "liguilla_doble",
                _liguilla(2),
                (FURTHER_ROUNDS,),
                _profiles_for("liguilla"),
                SCORING,
            ),
            Plan("suizo", _swiss, (ROUNDS, BY_TABLE), _profiles_for("swiss"), SCORING),
            Plan(
                "suizo_final",
                _swiss_final,
                (ROUNDS, BY_TABLE, TAKE, THIRD_PLACE, LENGTH),
                _profiles_for("swiss"),
                SCORING,
            ),
            Plan(
                "grupos_final",
                _groups_final,
                (GROUPS, TAKE_OF_EACH, THIRD_PLACE, LENGTH),
                _profiles_for("groups"),
                SCORING,
            ),
            Plan(
                "suizo_tableros",
                _swiss_boards,
                (ROUNDS, BY_TABLE, TAKE, THIRD_PLACE, LENGTH),
                _profiles_for("swiss"),
                SCORING,
            ),
            Plan(
                "grupos_tableros",
                _groups_boards,
                (GROUPS, TAKE_OF_EACH, THIRD_PLACE, LENGTH),
                _profiles_for("groups"),
                SCORING,
            ),
            Plan("eliminatoria", _tree("knockout"), (THIRD_PLACE,), (), (LEVEL_CUT,)),
            Plan("todos_los_puestos", _all_places, (PLACES,), (), (LEVEL_CUT,)),
            Plan(
                "eliminatoria_tablero_b",
                _board_for_beaten,
                (ENTRANTS, THIRD_PLACE),
                (),
                (LEVEL_CUT,),
            ),
            Plan("doble_eliminacion", _double, (RESET_FINAL,), (), (LEVEL_CUT,)),
            Plan("repesca", _tree("repesca"), (THIRD_PLACE,), (), (LEVEL_CUT,)),
            Plan("tres_ceros", _lives, (LIVES, BOARD_B_AT), (), (LEVEL_CUT,)),
            Plan("individual", _rotating("individual"), (ROUNDS,), ("bridge_individual",)),
            Plan("mesas_de_tres", _rotating("threes"), (ROUNDS,), ("three_players",)),
            Plan(
                "mesas",
                _tables,
                (
                    ROUNDS,
                    TABLE_SIZE,
                    OTHER_SIZE,
                    SEATED_BY,
                    TYPED_ONLY,
                    POINTS_BY_SIZE,
                    TABLE_BYE,
                    TABLE_FORFEIT,
                ),
                (),
                (DROP_ROUNDS,),
            ),
            Plan("duplicado", _duplicate, (MOVEMENT, ROUNDS, BOARDS, COUNTED_BY, TABLES_DEAL)),
            Plan("escalera", _rotating("ladder"), (), _profiles_for("ladder"), (LEVEL_CUT,)),
        )
    }
)
"""The plans by name, in the order in which they are offered."""
