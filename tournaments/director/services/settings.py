"""Settings of a tournament as values, and the checks that they can be played."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from math import lcm
from typing import Any, Final

from django.utils.translation import get_language

import engine
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.names import validate_remark
from tournaments.domain.file import FileError, rules_from_dict, rules_to_dict
from tournaments.domain.match_parts import MAX_SETS, complete_stop, has_two_sides
from tournaments.domain.messages import message
from tournaments.domain.names import MAX_NAME_LENGTH
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.tables import EVEN_ORDER
from tournaments.domain.pairing.threes import seats_of
from tournaments.domain.ranking import CannotRank, order_of
from tournaments.domain.rows import ByeRule, PlaceRule, SumRule, SwitchRule
from tournaments.domain.rows import Stage as StageRows
from tournaments.models import Stage, Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH, MAX_RULES_LENGTH

MAX_TURNS: Final = 4

MAX_HANDS_TO_WIN: Final = 500
"""Hands that win a match, at most: a record can hold a thousand hands."""

MAX_COTOS: Final = 10
"""Cotos that win a match, at most: best of nineteen."""

CHANGING_PARTNER_SEATS: Final = 4
"""`Format.seats` of formats in which single players form changing pairs."""

TERM_LIMITS: Final[Mapping[str, int]] = {
    "confirm_minutes": 30 * 24 * 60,
    "round_minutes": 24 * 60,
    "bye_quota": 100,
    "no_show_minutes": 24 * 60,
    "late_minutes": 24 * 60,
    "grace_minutes": 24 * 60,
}
"""Upper limits in minutes or byes; the lower limit is 0."""

EVENING_CONFIRM: Final = 10
"""Minutes: the other side is in the same hall, and the next round waits for the result."""

WEEKS_CONFIRM: Final = 2 * 24 * 60
"""Minutes: the other side may be offline for a day."""

STAGE_TIMES: Final = ("round_minutes", "warn_minutes")
"""Columns of a stage in minutes: the length of its rounds, and the warning before their end."""

ANNOUNCED: Final = ("begins_at", "place", "prizes", "rules_text")
"""Fields that announce a tournament; like its name they can change until it is over."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a tournament that are agreed before the first card, apart from its pairings.

    With ``confirmation`` a reported result waits for the other side, ``confirm_minutes`` at most;
    None: ten, or two days where a stage is endless (a ladder). ``bye_quota`` limits the byes with
    points that an entry may request; an absent side forfeits after ``no_show_minutes``, and each
    ``late_minutes`` before cost it a hand, both ``grace_minutes`` later in the first round; with
    ``self_check_in`` people check in with their code; ``round_minutes`` is proposed for the clock
    of its rounds. With ``points_required`` no result counts without its card points. With
    ``sides_agree_days`` two sides may move their match until the last day to play it.
    ``visibility`` is who sees it (`Tournament.Visibility`).
    """

    confirmation: bool = True
    confirm_minutes: int | None = None
    round_minutes: int | None = None
    bye_quota: int = 1
    no_show_minutes: int = 15
    late_minutes: int | None = None
    grace_minutes: int | None = None
    self_check_in: bool = True
    points_required: bool = False
    sides_agree_days: bool = True
    visibility: str = Tournament.Visibility.PUBLIC.value


TERM_FIELDS: Final = tuple(field.name for field in fields(Terms) if field.name != "visibility")
"""Fields of `Terms` that can change until the rounds are drawn."""


NAME_FIELDS: Final = ("name", *ANNOUNCED)


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What a match of a tournament is: its rules and its length.

    ``options`` are those of its records (F1): the length of a match and house rules. A match is won
    by ``cotos`` cotos, each of that length and in a record of its own; or, where only bots play, it
    has ``deal_sets`` deal sets, which the sequential test ``stop`` (`engine.Sprt` as a mapping) may
    end early.
    """

    ruleset: str = "parejas-online"
    options: Mapping[str, Any] = field(default_factory=dict)
    cotos: int = 1
    deal_sets: int = 0
    stop: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewTournament:
    """Everything of a tournament to be created apart from its name; as it stands, one liguilla.

    ``stages`` follow one another, each ``{"format": …, "rules": {…}, "name": …}`` in the form of a
    tournament file, and with the times of `STAGE_TIMES`. ``announcement`` has those of `ANNOUNCED`
    that are known. ``seeding`` (`Seeding`) is the default of the stages, ``seeded`` that of the
    first one; without it, as in a file that leaves it out, entries keep their order. Where it is
    ``open_to_bots`` authors enter their bots.
    """

    game: GameSettings = field(default_factory=GameSettings)
    stages: Sequence[Mapping[str, Any]] = ({"format": "liguilla"},)
    terms: Terms = field(default_factory=Terms)
    announcement: Mapping[str, Any] = field(default_factory=dict)
    seeding: str = ""
    seeded: int = 0
    open_to_bots: bool = False


def game_of(tournament: Tournament) -> GameSettings:
    """Return the game of a tournament that exists."""
    return GameSettings(
        ruleset=tournament.ruleset,
        options=tournament.options,
        cotos=tournament.cotos,
        deal_sets=tournament.deal_sets,
        stop=tournament.stop,
    )


def check_game(game: GameSettings) -> None:
    """Check with the engine that a match can be played under this ruleset with these options.

    Refuses BAD_OPTIONS, UNKNOWN_RULESET.
    """
    refuse_unless_known(Reason.UNKNOWN_RULESET, game.ruleset, engine.RULESETS)
    seats = list(engine.RULESETS[game.ruleset].seats)
    empty = {"format": "baza/1", "ruleset": game.ruleset, "options": game.options, "seats": seats}
    try:
        engine.parse_record({**empty, "hands": []})
    except engine.RecordError as error:
        option = error.fault.path.rpartition("/")[2]
        raise Refusal(Reason.BAD_OPTIONS, text=option[:60]) from error
    for name, length in game.options.items():
        if isinstance(length, int) and length > MAX_HANDS_TO_WIN:
            raise Refusal(Reason.BAD_OPTIONS, text=name)


def check_cotos(game: GameSettings, planned: Sequence[Stage]) -> None:
    """Refuse BAD_OPTIONS for impossible cotos: with fixed deals a match has only one."""
    fixed = "deals" in game.options or any(stage.rules.deals is not None for stage in planned)
    if not 1 <= game.cotos <= MAX_COTOS or (game.cotos > 1 and fixed):
        raise Refusal(Reason.BAD_OPTIONS, text="cotos")


def check_deals(game: GameSettings, planned: Sequence[Stage]) -> None:
    """Refuse UNEVEN_DEALS where some at a table would deal more often than others.

    Only of *tables* of a fixed number of deals, as at four the dealer sits out; where threes and
    fours are mixed, of both. Stages that were stored before stay as they are.
    """
    for rules in (stage.rules for stage in planned if stage.format == "tables"):
        deals = rules.length or game.options.get("deals", 0)
        expected = lcm(rules.table_size, rules.other_size)
        if "deals" in game.options and not rules.typed_only and deals % expected:
            raise Refusal(Reason.UNEVEN_DEALS, expected=expected)


def checked_sets(game: GameSettings, planned: Sequence[Stage]) -> dict[str, Any]:
    """Return deal sets and their test as fields of the tournament; refuses BAD_OPTIONS.

    They are impossible with several cotos, where partners change, and where all tables play the
    same deals. A test needs deal sets and two sides to compare. Refuses TYPED_ONLY.
    """
    if game.deal_sets:
        refuse_bots_where_typed(planned)
    possible = game.cotos == 1 and all(
        stage.kind.seats != CHANGING_PARTNER_SEATS and not stage.kind.same_deals
        for stage in planned
    )
    most = MAX_SETS if possible else 0
    if isinstance(game.deal_sets, bool) or not 0 <= game.deal_sets <= most:
        raise Refusal(Reason.BAD_OPTIONS, text="deal_sets")
    try:
        test = complete_stop(game.stop)
    except ValueError as error:
        raise Refusal(Reason.BAD_OPTIONS, text="stop") from error
    if test and not (game.deal_sets and has_two_sides(game.ruleset)):
        raise Refusal(Reason.BAD_OPTIONS, text="stop")
    return {"deal_sets": game.deal_sets, "stop": test}


def checked_plan(new: NewTournament) -> tuple[list[Stage], dict[str, Any]]:
    """Return the unsaved stages of a plan with their numbers, and its columns of the tournament.

    Refuses UNKNOWN_RULESET, BAD_OPTIONS, UNEVEN_DEALS, and what `checked_stage` and `common_unit`
    refuse.
    """
    game = new.game
    check_game(game)
    stages = [
        checked_stage(
            game.ruleset, stage, new.seeding, 0 if number else new.seeded, f"/stages/{number}"
        )
        for number, stage in enumerate(new.stages)
    ]
    for number, stage in enumerate(stages, start=1):
        stage.number = number
    check_cotos(game, stages)
    check_deals(game, stages)
    columns = {
        "ruleset": game.ruleset,
        "options": dict(game.options),
        "cotos": game.cotos,
        "unit": common_unit(game.ruleset, stages),
        **checked_sets(game, stages),
    }
    return stages, columns


def checked_stage(
    ruleset: str, planned: Mapping[str, Any], seeding: str, seeded: int, path: str = ""
) -> Stage:
    """Return an unsaved stage from its plan; ``path`` is the plan's place in a request.

    Refuses UNKNOWN_FORMAT, WRONG_SEATS, BAD_TURNS, BAD_STAGE with the place in the plan,
    BAD_REASON for its name.
    """
    name = str(planned.get("format", ""))
    refuse_unless_known(Reason.UNKNOWN_FORMAT, name, FORMATS)
    kind = FORMATS[name]
    rules = dict(planned.get("rules") or {})
    turns = rules.get("turns", 1)
    if isinstance(turns, int) and not 1 <= turns <= MAX_TURNS:
        raise Refusal(Reason.BAD_TURNS, most=MAX_TURNS)
    try:
        defaults: dict[str, Any] = {"places": PlaceRule.PLAYED}
        if seeding:
            defaults |= {"seeding": seeding, "seeded": seeded}
        if "byes" in kind.settings:
            defaults["byes"] = ByeRule.LOWEST
        if "movement" in kind.settings:
            defaults["switch"] = SwitchRule.PLAYED
        complete = rules_from_dict(defaults | rules, kind.rules)
        if complete.sums_differ and "sums" not in rules:
            complete = replace(complete, sums=SumRule.EXACT)
        if complete.order is None and complete.table_size == complete.other_size > 0:
            complete = replace(complete, order=EVEN_ORDER)
        order_of(StageRows(number=1, format=name, rules=complete))
    except (FileError, CannotRank) as error:
        if isinstance(error, FileError):
            place, text = error.path, str(error)[:200]
        else:
            place = f"/{error.rule}"
            code, criterion = f"cannot_rank.{error.code}", error.criterion
            text = message(get_language(), code, criterion=criterion[:60])
        pointer = f"{path}/rules{place}"
        raise Refusal(Reason.BAD_STAGE, text=text, pointer=pointer) from error
    stage = Stage(
        format=name,
        settings=rules_to_dict(complete, kind.rules),
        name=validate_remark(str(planned.get("name", "")))[:MAX_NAME_LENGTH],
        **checked_times(planned),
    )
    _unit(ruleset, stage)
    return stage


def checked_times(times: Mapping[str, Any]) -> dict[str, int | None]:
    """Return the times of a stage that a mapping has, within their limits; refuses BAD_OPTIONS."""
    checked = {name: times[name] for name in STAGE_TIMES if name in times}
    for name, minutes in checked.items():
        if minutes is not None and not 1 <= minutes <= TERM_LIMITS["round_minutes"]:
            raise Refusal(Reason.BAD_OPTIONS, text=name)
    return checked


def _unit(ruleset: str, stage: Stage) -> Tournament.Unit:
    """Return what enters a stage under this ruleset; refuses WRONG_SEATS.

    Results of tables that are only typed need no rules of a game; else tables are of three or four
    under a ruleset of three seats, where at four the dealer sits out.
    """
    kind, rules = stage.kind, engine.RULESETS[ruleset]
    seats = len(rules.seats)
    if "typed_only" in kind.settings:
        is_played = not rules.pairs and seats == kind.seats and seats_of(stage.rules) <= seats + 1
        if stage.rules.typed_only or is_played:
            return Tournament.Unit.PLAYER
        raise Refusal(Reason.WRONG_SEATS, text=kind.name)
    if rules.pairs and kind.seats in {2, 4}:
        return Tournament.Unit.PAIR if kind.seats == 2 else Tournament.Unit.PLAYER
    if not rules.pairs and kind.seats == seats:
        return Tournament.Unit.PLAYER
    raise Refusal(Reason.WRONG_SEATS, text=kind.name)


def refuse_bots_where_typed(stages: Iterable[Stage]) -> None:
    """Refuse TYPED_ONLY to bots where a stage takes typed results alone, which nobody types."""
    if any(stage.rules.typed_only for stage in stages):
        raise Refusal(Reason.TYPED_ONLY)


def common_unit(ruleset: str, stages: Sequence[Stage]) -> Tournament.Unit:
    """Return what enters all stages of a tournament; refuses WRONG_SEATS where they differ."""
    unit, *others = {_unit(ruleset, stage) for stage in stages}
    if others:
        raise Refusal(Reason.WRONG_SEATS, text=stages[-1].format)
    return unit


def validate_terms(terms: Terms) -> dict[str, Any]:
    """Return the terms as fields of the tournament, each within its limits; refuses BAD_OPTIONS."""
    for name, limit in TERM_LIMITS.items():
        value = getattr(terms, name)
        if value is not None and not 0 <= value <= limit:
            raise Refusal(Reason.BAD_OPTIONS, text=name)
    if terms.visibility not in Tournament.Visibility.values:
        raise Refusal(Reason.BAD_OPTIONS, text="visibility")
    return asdict(terms)


def checked_announcement(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with clean lines and rules; refuses BAD_OPTIONS, BAD_REASON."""
    checked = dict(settings)
    if "rules_text" in settings:
        checked["rules_text"] = validate_remark(settings["rules_text"].replace("\r\n", "\n"))
        if len(checked["rules_text"]) > MAX_RULES_LENGTH:
            raise Refusal(Reason.BAD_OPTIONS, text="rules_text")
    for name, max_length in (("place", MAX_NAME_LENGTH), ("prizes", MAX_LINE_LENGTH)):
        if name in settings:
            checked[name] = validate_remark(settings[name])
            if len(checked[name]) > max_length or "\n" in checked[name]:
                raise Refusal(Reason.BAD_OPTIONS, text=name)
    return checked


def whole_hours(minutes: int) -> int:
    """Return minutes as hours, rounded up: the release before reads only hours."""
    return -(-minutes // 60)


def stage_facts(stage: Stage) -> dict[str, Any]:
    """Return a new stage as the event of its tournament states it."""
    return {
        "format": stage.format,
        "rules": stage.settings,
        "draw_commitment": stage.next_commitment,
        **{name: minutes for name in STAGE_TIMES if (minutes := getattr(stage, name)) is not None},
    }


def event_facts(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as an audit event can hold them."""
    return {name: str(value) if name == "begins_at" else value for name, value in settings.items()}
