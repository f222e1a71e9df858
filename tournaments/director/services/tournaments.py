"""Creates, changes, publishes, closes, announces and discards tournaments and their rounds."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext

import engine
from tournaments.core.audit import deleted_rows, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_round, lock_tournament, raise_version
from tournaments.core.jobs import Job, post
from tournaments.core.names import create_with_slug, validate_name, validate_remark
from tournaments.core.permissions import Actor, may_arbitrate, may_manage, refuse_unless
from tournaments.director.queries.drafts import forbidding_warnings, warnings_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import refuse_closed, round_facts, tournament_facts
from tournaments.director.services.restore_points import store_restore_point
from tournaments.domain.file import FileError, rules_from_dict, rules_to_dict
from tournaments.domain.match_parts import MAX_SETS, complete_stop, has_two_sides
from tournaments.domain.messages import explain
from tournaments.domain.names import MAX_ANNOUNCEMENT_LENGTH, MAX_NAME_LENGTH
from tournaments.domain.pairing import FORMATS, Format
from tournaments.domain.ranking import CannotRank, contradictions, order_of
from tournaments.domain.rows import ByeRule, PlaceRule, SwitchRule
from tournaments.domain.rows import Stage as StageRows
from tournaments.models import BotTurn, Club, Round, Schedule, Stage, Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH

# --- Tournaments ----------------------------------------------------------------------------------
# Creating a tournament; publishing and closing its rounds; finishing it.


MAX_TURNS: Final = 4
MAX_HANDS_TO_WIN: Final = 500
"""Hands that win a match, at most: a record can hold a thousand hands."""

MAX_COTOS: Final = 10
"""Cotos that win a match, at most: best of nineteen."""

CHANGING_PARTNER_SEATS: Final = 4
"""`Format.seats` of formats in which single players form changing pairs."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a tournament that are agreed before the first card, apart from its pairings.

    With ``confirmation`` a reported result waits for the other side, ``confirm_minutes`` at most;
    None: ten, or two days where a stage is endless (a ladder). ``bye_quota`` limits the byes with
    points that an entry may request; an absent side forfeits after ``no_show_minutes``; with
    ``self_check_in`` people check in with their code; ``round_minutes`` is proposed for the clock
    of its rounds. With ``points_required`` no result counts without its card points.
    ``visibility`` is who sees it (`Tournament.Visibility`).
    """

    confirmation: bool = True
    confirm_minutes: int | None = None
    round_minutes: int | None = None
    bye_quota: int = 1
    no_show_minutes: int = 15
    self_check_in: bool = True
    points_required: bool = False
    visibility: str = Tournament.Visibility.PUBLIC.value


TERM_LIMITS: Final[Mapping[str, int]] = {
    "confirm_minutes": 30 * 24 * 60,
    "round_minutes": 24 * 60,
    "bye_quota": 100,
    "no_show_minutes": 24 * 60,
}
"""Upper limits in minutes or byes; the lower limit is 0."""

EVENING_CONFIRM: Final = 10
"""Minutes: the other side is in the same hall, and the next round waits for the result."""

WEEKS_CONFIRM: Final = 2 * 24 * 60
"""Minutes: the other side may be offline for a day."""


@transaction.atomic
def create_tournament(
    actor: Actor,
    club: Club,
    *,
    name: str,
    ruleset: str = "parejas-online",
    options: Mapping[str, Any] | None = None,
    cotos: int = 1,
    deal_sets: int = 0,
    stop: Mapping[str, Any] | None = None,
    format: str = "liguilla",  # noqa: A002 - the word of the stage's field
    turns: int = 1,
    stages: Sequence[Mapping[str, Any]] = (),
    terms: Terms | None = None,
    announced: Mapping[str, Any] | None = None,
    slug: str | None = None,
    seeding: str = "",
    seeded: int = 0,
) -> Tournament:
    """Create a tournament as a draft that takes entries.

    ``options`` are those of its records (F1): the length of a match and house rules. A match is won
    by ``cotos`` cotos, each of that length and in a record of its own; or, where only bots play, it
    has ``deal_sets`` deal sets, which the sequential test ``stop`` (`engine.Sprt` as a mapping) may
    end early. ``stages`` follow one another, each ``{"format": …, "rules": {…}, "name": …}`` in the
    form of a tournament file; without any, there is one of ``format`` with ``turns`` turns.
    ``announced`` has those of `ANNOUNCED` that are known. ``seeding`` (`Seeding`) is the default of
    the stages, ``seeded`` that of the first one; without it, as in a file that leaves it out,
    entries keep their order. Refuses FORBIDDEN, BAD_NAME, BAD_SLUG, SLUG_TAKEN, UNKNOWN_RULESET,
    BAD_OPTIONS (of terms too), BAD_REASON (of a line that announces it), UNKNOWN_FORMAT, BAD_TURNS,
    BAD_STAGE, WRONG_SEATS.
    """
    refuse_unless(may_manage(actor, club), actor)
    name, options = validate_name(name), dict(options or {})
    _check_game(ruleset, options)
    if not 1 <= turns <= MAX_TURNS:
        raise Refusal(Reason.BAD_TURNS, most=MAX_TURNS)
    only_stage = {"format": format, "rules": {"turns": turns} if turns > 1 else {}}
    planned = [
        _checked_stage(ruleset, stage, seeding, 0 if number else seeded)
        for number, stage in enumerate(stages or (only_stage,))
    ]
    agreed = validate_terms(terms or Terms())
    if agreed["confirm_minutes"] is None:
        endless = any(stage.kind.is_endless for stage in planned)
        agreed["confirm_minutes"] = WEEKS_CONFIRM if endless else EVENING_CONFIRM
    announced = _checked_announcement(announced or {})
    _check_cotos(cotos, options, planned)
    sets = _checked_sets(ruleset, planned, cotos, deal_sets, stop or {})
    units = {_unit(ruleset, stage.kind) for stage in planned}
    if len(units) > 1:
        raise Refusal(Reason.WRONG_SEATS, text=planned[-1].format)
    tournament = create_with_slug(
        Tournament.objects.all(),
        name,
        slug,
        club=club,
        ruleset=ruleset,
        options=options,
        cotos=cotos,
        unit=units.pop(),
        confirm_after=_hours(agreed["confirm_minutes"]),
        **announced,
        **sets,
        **agreed,
    )
    for number, stage in enumerate(planned, start=1):
        stage.tournament, stage.number = tournament, number
        stage.next_seed = secrets.token_hex(32)
        stage.save()
    facts = {
        "ruleset": ruleset,
        "options": options,
        "cotos": cotos,
        **{name: value for name, value in sets.items() if value},
        **_event_facts({name: value for name, value in announced.items() if value}),
        "terms": agreed,
        "stages": [
            {
                "format": stage.format,
                "rules": stage.settings,
                "draw_commitment": stage.next_commitment,
            }
            for stage in planned
        ],
        "rows": [tournament, *planned],
    }
    write_tournament_event(actor, "tournament.created", tournament, tournament, **facts)
    return tournament


@transaction.atomic
def publish_round(actor: Actor, round_: Round, *, as_is: bool = False) -> Round:
    """Publish a round with the commitment to its seed, and open it for records.

    Refuses FORBIDDEN, NOT_RUNNING, ROUND_NOT_DRAFT; EARLIER_DRAFT while a round before it is a
    draft; DRAFT_OUTDATED if it would be drawn otherwise now, which is the event's to state with
    ``as_is``; ROUND_IMPOSSIBLE if an entry sits twice, or sits and is away, out or not qualified.
    """
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    tournament = round_.stage.tournament
    state, was_outdated = round_facts(round_), round_.is_outdated
    refuse_closed("publish", replace(state, outdated=False) if as_is else state)
    if warnings := forbidding_warnings(warnings_of(round_)):
        names = dict(tournament.entries.values_list("number", "name"))
        language = get_language()
        text = " ".join(
            explain(warning, lambda n: names.get(n, str(n)), language) for warning in warnings
        )
        raise Refusal(Reason.ROUND_IMPOSSIBLE, text=text)
    store_restore_point(actor, tournament, "round.published", round_.number)
    round_.state = Round.State.PUBLISHED
    round_.published_at = timezone.now()
    round_.save(update_fields=["state", "published_at"])
    # Published before and taken back: its matches begin again, also for bots that run elsewhere.
    BotTurn.objects.filter(match__round=round_).delete()
    raise_version(tournament)
    facts: dict[str, Any] = {"round": round_.number, "commitment": round_.commitment}
    if was_outdated:
        facts["as_is"] = round_.drawn["outdated"]
    write_tournament_event(actor, "round.published", round_, tournament, **facts)
    return round_


@transaction.atomic
def close_round(actor: Actor, round_: Round) -> Round:
    """Close a round whose matches all have their result or are postponed, and reveal its seed.

    Closing the last round of a stage also reveals the seed of its deals, unless a match was
    postponed. Refuses FORBIDDEN, NOT_RUNNING, ROUND_NOT_OPEN, ROUND_UNFINISHED.
    """
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    tournament = round_.stage.tournament
    refuse_closed("close", round_facts(round_))
    round_.state = Round.State.CLOSED
    round_.closed_at = timezone.now()
    round_.save(update_fields=["state", "closed_at"])
    facts = {"round": round_.number, "seed": round_.seed}
    if round_.stage.deal_seed and round_.stage.deals_are_open:
        facts["deals_seed"] = round_.stage.deal_seed
    write_tournament_event(actor, "round.closed", round_, tournament, **facts)
    post(Job.SIGN_HISTORY, tournament.club_id)
    return round_


@transaction.atomic
def finish(actor: Actor, tournament: Tournament, *, early: bool = False) -> Tournament:
    """Finish a tournament whose rounds are all closed and whose matches all have their result.

    ``early`` also finishes one that has rounds left to draw: they will not be played. Refuses
    FORBIDDEN, NOT_RUNNING, TOURNAMENT_UNFINISHED, ROUNDS_LEFT, BRACKET_CONTRADICTS.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    facts = tournament_facts(tournament)
    refuse_closed("finish_early" if early else "finish", facts)
    _refuse_contradictions(tournament)
    tournament.state = Tournament.State.FINISHED
    tournament.save(update_fields=["state"])
    write_tournament_event(
        actor, "tournament.finished", tournament, tournament, early=facts.rounds_left
    )
    post(Job.SIGN_HISTORY, tournament.club_id)
    return tournament


def _refuse_contradictions(tournament: Tournament) -> None:
    """Refuse BRACKET_CONTRADICTS for a match whose next one was played by the other entrant."""
    rows = rows_of(tournament)
    for match in contradictions(rows):
        names = rows.shown_names
        winner = gettext("nobody") if match.winner is None else names[match.winner]
        raise Refusal(
            Reason.BRACKET_CONTRADICTS,
            round=match.round,
            table=match.table,
            winner=winner,
            plays=names[match.plays],
        )


def _checked_stage(ruleset: str, planned: Mapping[str, Any], seeding: str, seeded: int) -> Stage:
    """Return an unsaved stage from its plan; refuses UNKNOWN_FORMAT, WRONG_SEATS, BAD_STAGE."""
    name = str(planned.get("format", ""))
    if name not in FORMATS:
        raise Refusal(Reason.UNKNOWN_FORMAT, text=name[:60])
    kind = FORMATS[name]
    _unit(ruleset, kind)
    try:
        defaults: dict[str, Any] = {"places": PlaceRule.PLAYED}
        if seeding:
            defaults |= {"seeding": seeding, "seeded": seeded}
        if "byes" in kind.settings:
            defaults["byes"] = ByeRule.LOWEST
        if "movement" in kind.settings:
            defaults["switch"] = SwitchRule.PLAYED
        rules = rules_from_dict(defaults | dict(planned.get("rules") or {}), kind.rules)
        order_of(StageRows(number=1, format=name, rules=rules))
    except (FileError, CannotRank) as error:
        raise Refusal(Reason.BAD_STAGE, text=str(error)[:200]) from error
    return Stage(
        format=name,
        settings=rules_to_dict(rules, kind.rules),
        name=str(planned.get("name", ""))[:MAX_NAME_LENGTH],
    )


def _unit(ruleset: str, kind: Format) -> Tournament.Unit:
    """Return what enters a tournament of this format under this ruleset; refuses WRONG_SEATS."""
    rules = engine.RULESETS[ruleset]
    seats = len(rules.seats)
    if rules.pairs and kind.seats in {2, 4}:
        return Tournament.Unit.PAIR if kind.seats == 2 else Tournament.Unit.PLAYER
    if not rules.pairs and kind.seats == seats:
        return Tournament.Unit.PLAYER
    raise Refusal(Reason.WRONG_SEATS, text=kind.name)


def _check_game(ruleset: str, options: Mapping[str, Any]) -> None:
    """Check with the engine that a match can be played under this ruleset with these options.

    Refuses BAD_OPTIONS, UNKNOWN_RULESET.
    """
    if ruleset not in engine.RULESETS:
        raise Refusal(Reason.UNKNOWN_RULESET, text=ruleset[:60])
    seats = list(engine.RULESETS[ruleset].seats)
    empty = {"format": "baza/1", "ruleset": ruleset, "options": options, "seats": seats}
    try:
        engine.parse_record({**empty, "hands": []})
    except engine.RecordError as error:
        option = error.fault.path.rpartition("/")[2]
        raise Refusal(Reason.BAD_OPTIONS, text=option[:60]) from error
    for name, length in options.items():
        if isinstance(length, int) and length > MAX_HANDS_TO_WIN:
            raise Refusal(Reason.BAD_OPTIONS, text=name)


def _check_cotos(cotos: int, options: Mapping[str, Any], planned: Sequence[Stage]) -> None:
    """Refuse BAD_OPTIONS for impossible cotos: with fixed deals a match has only one."""
    fixed = "deals" in options or any(stage.rules.deals is not None for stage in planned)
    if not 1 <= cotos <= MAX_COTOS or (cotos > 1 and fixed):
        raise Refusal(Reason.BAD_OPTIONS, text="cotos")


def _checked_sets(
    ruleset: str,
    planned: Sequence[Stage],
    cotos: int,
    deal_sets: int,
    stop: Mapping[str, Any],
) -> dict[str, Any]:
    """Return deal sets and their test as fields of the tournament; refuses BAD_OPTIONS.

    They are impossible with several cotos, where partners change, and where all tables play the
    same deals. A test needs deal sets and two sides to compare.
    """
    possible = cotos == 1 and all(
        stage.kind.seats != CHANGING_PARTNER_SEATS and not stage.kind.same_deals
        for stage in planned
    )
    if isinstance(deal_sets, bool) or not 0 <= deal_sets <= (MAX_SETS if possible else 0):
        raise Refusal(Reason.BAD_OPTIONS, text="deal_sets")
    try:
        test = complete_stop(stop)
    except ValueError as error:
        raise Refusal(Reason.BAD_OPTIONS, text="stop") from error
    if test and not (deal_sets and has_two_sides(ruleset)):
        raise Refusal(Reason.BAD_OPTIONS, text="stop")
    return {"deal_sets": deal_sets, "stop": test}


def validate_terms(terms: Terms) -> dict[str, Any]:
    """Return the terms as fields of the tournament, each within its limits; refuses BAD_OPTIONS."""
    for name, limit in TERM_LIMITS.items():
        value = getattr(terms, name)
        if value is not None and not 0 <= value <= limit:
            raise Refusal(Reason.BAD_OPTIONS, text=name)
    if terms.visibility not in Tournament.Visibility.values:
        raise Refusal(Reason.BAD_OPTIONS, text="visibility")
    return asdict(terms)


def _hours(minutes: int) -> int:
    """Return minutes as hours, rounded up: the release before reads only hours."""
    return -(-minutes // 60)


# --- Visibility -----------------------------------------------------------------------------------
# Who sees a tournament: everybody, or its club and those who play in it.


@transaction.atomic
def set_visibility(actor: Actor, tournament: Tournament, visibility: str) -> Tournament:
    """Set who sees a tournament (`Tournament.Visibility`), at any time.

    Its version is bumped, so that ratings and the pages of people and clubs include or exclude its
    results. Setting the present value changes nothing. Refuses FORBIDDEN, BAD_OPTIONS.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    if visibility not in Tournament.Visibility.values:
        raise Refusal(Reason.BAD_OPTIONS, text="visibility")
    if tournament.visibility == visibility:
        return tournament
    tournament.visibility = visibility
    tournament.save(update_fields=["visibility"])
    raise_version(tournament)
    facts = {"visibility": visibility}
    write_tournament_event(actor, "tournament.shown", tournament, tournament, **facts)
    return tournament


# --- Announcements --------------------------------------------------------------------------------
# A text for everybody in the hall: on phones, on the tournament's pages and on the projector.


@transaction.atomic
def announce(actor: Actor, tournament: Tournament, text: str) -> Tournament:
    """Announce a text to all who follow a tournament; it replaces the one before, empty ends it.

    Line breaks become blanks. Announcing what is announced changes nothing. Refuses FORBIDDEN,
    TOURNAMENT_OVER, BAD_REASON, ANNOUNCEMENT_TOO_LONG.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_arbitrate(actor, tournament.club), actor)
    refuse_closed("announce", tournament_facts(tournament))
    text = " ".join(validate_remark(text).split())
    if len(text) > MAX_ANNOUNCEMENT_LENGTH:
        raise Refusal(Reason.ANNOUNCEMENT_TOO_LONG, most=MAX_ANNOUNCEMENT_LENGTH)
    if text == tournament.announcement:
        return tournament
    tournament.announcement, tournament.announced_at = text, timezone.now() if text else None
    tournament.save(update_fields=["announcement", "announced_at"])
    write_tournament_event(actor, "tournament.announced", tournament, tournament, text=text)
    return tournament


# --- Changes --------------------------------------------------------------------------------------
# Changing the settings of a tournament, and discarding a draft.


TERM_FIELDS: Final = tuple(field.name for field in fields(Terms) if field.name != "visibility")
"""Fields of `Terms` that can change until the rounds are drawn."""

ANNOUNCED: Final = ("begins_at", "place", "prizes")
"""Fields that announce a tournament; like its name they can change until it is over."""

NAME_FIELDS: Final = ("name", *ANNOUNCED)


@transaction.atomic
def change_tournament(
    actor: Actor, tournament: Tournament, changes: Mapping[str, Any]
) -> Tournament:
    """Change a tournament's ``name``, what announces it, terms, ``ruleset`` or ``visibility``.

    Fields left out stay, and present values change nothing. The name and `ANNOUNCED` can change
    until the tournament is over, the terms (`Terms`) and the ruleset until its rounds are drawn;
    the short name never. Refuses FORBIDDEN, BAD_NAME, BAD_REASON, TOURNAMENT_OVER, ROUNDS_DRAWN,
    BAD_OPTIONS; of a ruleset UNKNOWN_RULESET, WRONG_SEATS, WRONG_UNIT.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    fields = (*NAME_FIELDS, *TERM_FIELDS, "ruleset")
    settings = {name: changes[name] for name in fields if name in changes}
    if "name" in settings:
        settings["name"] = validate_name(settings["name"])
    settings = _checked_announcement(settings)
    tournament.confirm_minutes = tournament.minutes_to_object
    before = {name: getattr(tournament, name) for name in settings}
    new = {name: value for name, value in settings.items() if value != before[name]}
    state = tournament_facts(tournament)
    if set(new) & set(NAME_FIELDS):
        refuse_closed("rename", state)
    if set(new) - set(NAME_FIELDS):
        refuse_closed("change_terms", state)
    validate_terms(Terms(**{name: new[name] for name in TERM_FIELDS if name in new}))
    if "ruleset" in new and (unit := _unit_under(tournament, new["ruleset"])) != tournament.unit:
        before["unit"], new["unit"] = tournament.unit, unit
    if new:
        for name, value in new.items():
            setattr(tournament, name, value)
        tournament.confirm_after = _hours(tournament.confirm_minutes)
        tournament.save(update_fields=[*new, "confirm_after"])
        raise_version(tournament)
        old_facts, now = _event_facts({name: before[name] for name in new}), _event_facts(new)
        facts: dict[str, Any] = {"before": old_facts, "after": now}
        if "ruleset" in new:  # stated only then: another change must not state a forged game
            facts["rows"] = [tournament]
        write_tournament_event(actor, "tournament.changed", tournament, tournament, **facts)
    if "visibility" in changes:
        tournament = set_visibility(actor, tournament, changes["visibility"])
    return tournament


def _unit_under(tournament: Tournament, ruleset: str) -> str:
    """Return what enters a draft under another ruleset; refuses one that it cannot be played by."""
    _check_game(ruleset, tournament.options)
    stages = list(tournament.stages.order_by("number"))
    units = {_unit(ruleset, stage.kind).value for stage in stages}
    unit = units.pop()
    if units:
        raise Refusal(Reason.WRONG_SEATS, text=stages[-1].format)
    _checked_sets(ruleset, stages, tournament.cotos, tournament.deal_sets, tournament.stop)
    entry = tournament.entries.order_by("number").first()
    if unit != tournament.unit and entry is not None:
        label = str(Tournament.Unit(unit).label)
        raise Refusal(Reason.WRONG_UNIT, text=entry.name, unit=label)
    return unit


@transaction.atomic
def discard_draft(actor: Actor, tournament: Tournament) -> None:
    """Discard a draft, with its entries, plan, places in seasons and webhooks of its own.

    The club keeps its players and pairs, and the audit log its events; the short name becomes free.
    Refuses FORBIDDEN, ROUNDS_DRAWN.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_closed("discard", tournament_facts(tournament))
    facts = {
        "slug": tournament.slug,
        "entries": tournament.entries.count(),
        "rows": deleted_rows(tournament.entries.all()),
    }
    Schedule.objects.filter(tournament=tournament).delete()
    tournament.seasons.all().delete()
    tournament.webhooks.all().delete()
    tournament.restore_points.all().delete()
    tournament.stages.all().delete()
    tournament.entries.all().delete()
    write_tournament_event(actor, "tournament.discarded", tournament, tournament, **facts)
    tournament.slug, tournament.discarded_at = f"~{tournament.pk}", timezone.now()
    tournament.save(update_fields=["slug", "discarded_at"])


def _checked_announcement(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with place and prizes as clean lines; refuses BAD_OPTIONS, BAD_REASON."""
    checked = dict(settings)
    for name, max_length in (("place", MAX_NAME_LENGTH), ("prizes", MAX_LINE_LENGTH)):
        if name in settings:
            checked[name] = validate_remark(settings[name])
            if len(checked[name]) > max_length or "\n" in checked[name]:
                raise Refusal(Reason.BAD_OPTIONS, text=name)
    return checked


def _event_facts(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as an audit event can hold them."""
    return {name: str(value) if name == "begins_at" else value for name, value in settings.items()}
