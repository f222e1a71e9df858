"""Creates, changes, publishes, closes, announces and discards tournaments and their rounds."""

import secrets
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import get_language, gettext

import engine
from tournaments.core.audit import Deleted, deleted_rows, write_event, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_round, lock_tournament, raise_version
from tournaments.core.jobs import Job, post
from tournaments.core.names import create_with_slug, validate_name, validate_remark
from tournaments.core.permissions import Actor, may_arbitrate, may_manage, refuse_unless
from tournaments.director.queries.drafts import drafts_beside, forbidding_warnings, warnings_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.queries.state import (
    refusal_of,
    refuse_closed,
    round_facts,
    tournament_facts,
)
from tournaments.director.services.posting import renew_sources
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.settings import (
    EVENING_CONFIRM,
    NAME_FIELDS,
    TERM_FIELDS,
    WEEKS_CONFIRM,
    NewTournament,
    Terms,
    check_game,
    checked_announcement,
    checked_plan,
    checked_sets,
    common_unit,
    event_facts,
    game_of,
    stage_facts,
    validate_terms,
    whole_hours,
)
from tournaments.director.services.stage_times import time_stages
from tournaments.domain.messages import explain
from tournaments.domain.names import MAX_ANNOUNCEMENT_LENGTH
from tournaments.domain.ranking import contradictions
from tournaments.domain.stages import stage_of
from tournaments.models import (
    BotTurn,
    Club,
    Round,
    Schedule,
    SignUpPerson,
    SignUpRequest,
    Tournament,
)
from tournaments.people.services.bots import refuse_ruleset_of_bots

# --- Tournaments ----------------------------------------------------------------------------------
# Creating a tournament; publishing and closing its rounds; finishing it.


@transaction.atomic
def create_tournament(
    actor: Actor,
    club: Club,
    name: str,
    new: NewTournament | None = None,
    *,
    slug: str | None = None,
) -> Tournament:
    """Create a tournament as a draft that takes entries.

    Refuses FORBIDDEN, BAD_NAME, BAD_SLUG, SLUG_TAKEN, UNKNOWN_RULESET, BAD_OPTIONS (of terms too),
    BAD_REASON (of its announcement), UNKNOWN_FORMAT, BAD_TURNS, BAD_STAGE, WRONG_SEATS.
    """
    refuse_unless(may_manage(actor, club), actor)
    name, new = validate_name(name), new or NewTournament()
    stages, plan = checked_plan(new)
    terms = validate_terms(new.terms)
    if terms["confirm_minutes"] is None:
        endless = any(stage.kind.is_endless for stage in stages)
        terms["confirm_minutes"] = WEEKS_CONFIRM if endless else EVENING_CONFIRM
    announcement = checked_announcement(new.announcement)
    tournament = create_with_slug(
        Tournament.objects.all(),
        name,
        slug,
        club=club,
        confirm_after=whole_hours(terms["confirm_minutes"]),
        open_to_bots=new.open_to_bots,
        **announcement,
        **plan,
        **terms,
    )
    for stage in stages:
        stage.tournament = tournament
        stage.next_seed = secrets.token_hex(32)
        stage.save()
    facts = {
        **{name: plan[name] for name in ("ruleset", "options", "cotos")},
        **{name: plan[name] for name in ("deal_sets", "stop") if plan[name]},
        **event_facts({name: value for name, value in announcement.items() if value}),
        "terms": terms,
        "stages": [stage_facts(stage) for stage in stages],
        "rows": [tournament, *stages],
    }
    write_tournament_event(actor, "tournament.created", tournament, tournament, **facts)
    return tournament


@transaction.atomic
def publish_round(
    actor: Actor, round_: Round, *, as_is: bool = False, together: bool = False
) -> Round:
    """Publish a round with the commitment to its seed, and open it for records.

    ``together``: with it, and at the same moment, the next rounds of the stages that are played
    beside it, without those that are outdated. Refuses FORBIDDEN, NOT_RUNNING, ROUND_NOT_DRAFT;
    EARLIER_DRAFT while a round before it is a draft; DRAFT_OUTDATED if it would be drawn otherwise
    now, which is the event's to state with ``as_is``; ROUND_IMPOSSIBLE if an entry sits twice, or
    sits and is away, out or not qualified.
    """
    refuse_unless(may_manage(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    rounds = [round_, *(drafts_beside(round_) if together else ())]
    published_at = timezone.now()
    for one in sorted(rounds, key=lambda one: one.number):
        if one is round_ or as_is or refusal_of("publish", round_facts(one)) is None:
            _publish(actor, one, published_at, as_is=as_is)
    return round_


def _publish(actor: Actor, round_: Round, published_at: datetime, *, as_is: bool) -> None:
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
    facts = {"as_is": round_.drawn["outdated"]} if was_outdated else {}
    publish_now(actor, round_, published_at, **facts)


def publish_now(
    actor: Actor, round_: Round, published_at: datetime | None = None, **facts: Any
) -> Round:
    """Publish a draft of a locked tournament that has been checked, with the facts of its event."""
    tournament = round_.stage.tournament
    _fix_line(round_)
    round_.state = Round.State.PUBLISHED
    round_.published_at = published_at or timezone.now()
    round_.save(update_fields=["state", "published_at"])
    # Published before and taken back: its matches begin again, also for bots that run elsewhere.
    BotTurn.objects.filter(match__round=round_).delete()
    raise_version(tournament)
    facts = {"round": round_.number, "commitment": round_.commitment, **facts}
    write_tournament_event(actor, "round.published", round_, tournament, **facts)
    return round_


def _fix_line(draft: Round) -> None:
    """Note in the rules of a stage that gets its first round which boards it is filled without."""
    stage = draft.stage
    if stage.number == 1 or stage.rounds.exclude(state=Round.State.DRAFT).exists():
        return
    without = stage_of(rows_of(stage.tournament), stage.number).rules.without
    if without != stage.rules.without:
        stage.rules = replace(stage.rules, without=without)
        stage.save(update_fields=["settings"])


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
        actor, "tournament.finished", tournament, tournament, early=bool(facts.to_draw)
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
    renew_sources(actor, tournament)
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


@transaction.atomic
def change_tournament(
    actor: Actor, tournament: Tournament, changes: Mapping[str, Any]
) -> Tournament:
    """Change a tournament's ``name``, what announces it, terms, ``ruleset`` or ``visibility``.

    ``house_rules`` are all that differ from the ruleset's; they can change as long as it can.
    ``stages`` are times of stages (`time_stages`).

    Fields left out stay, and present values change nothing. The name and `ANNOUNCED` can change
    until the tournament is over, the terms (`Terms`) and the ruleset until its rounds are drawn;
    the short name never. Refuses FORBIDDEN, BAD_NAME, BAD_REASON, TOURNAMENT_OVER, ROUNDS_DRAWN,
    BAD_OPTIONS; of a ruleset UNKNOWN_RULESET, NOT_ITS_RULESET, WRONG_SEATS, WRONG_UNIT;
    without ``despite_requests`` REQUESTS_DO_NOT_FIT.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    settings = _read_changes(tournament, changes)
    tournament.confirm_minutes = tournament.minutes_to_object
    before = {name: getattr(tournament, name) for name in settings}
    new = {name: value for name, value in settings.items() if value != before[name]}
    state = tournament_facts(tournament)
    if set(new) & set(NAME_FIELDS):
        refuse_closed("rename", state)
    if set(new) - set(NAME_FIELDS):
        refuse_closed("change_terms", state)
    validate_terms(Terms(**{name: new[name] for name in TERM_FIELDS if name in new}))
    if "options" in new:
        ruleset = new.get("ruleset", tournament.ruleset)
        check_game(replace(game_of(tournament), ruleset=ruleset, options=new["options"]))
        tournament.options = new["options"]
    if "ruleset" in new:
        refuse_ruleset_of_bots(tournament, new["ruleset"])
    if "ruleset" in new and (unit := _unit_under(tournament, new["ruleset"])) != tournament.unit:
        if not changes.get("despite_requests"):
            refuse_unfit_requests(tournament, unit)
        before["unit"], new["unit"] = tournament.unit, unit
    if new:
        for name, value in new.items():
            setattr(tournament, name, value)
        tournament.confirm_after = whole_hours(tournament.confirm_minutes)
        tournament.save(update_fields=[*new, "confirm_after"])
        raise_version(tournament)
        old_facts, now = event_facts({name: before[name] for name in new}), event_facts(new)
        facts: dict[str, Any] = {"before": old_facts, "after": now}
        # Stated only then: another change must not state a forged game.
        if {"ruleset", "options"} & new.keys():
            facts["rows"] = [tournament]
        write_tournament_event(actor, "tournament.changed", tournament, tournament, **facts)
    return _change_others(actor, tournament, changes)


def _change_others(actor: Actor, tournament: Tournament, changes: Mapping[str, Any]) -> Tournament:
    """Make the changes of a tournament that have a verb of their own."""
    if changes.get("stages"):
        tournament = time_stages(actor, tournament, changes["stages"])
    if "visibility" in changes:
        tournament = set_visibility(actor, tournament, changes["visibility"])
    return tournament


def _read_changes(tournament: Tournament, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes as columns, checked; refuses BAD_NAME, BAD_REASON, BAD_OPTIONS."""
    fields = (*NAME_FIELDS, *TERM_FIELDS, "ruleset")
    settings = {name: changes[name] for name in fields if name in changes}
    if "name" in settings:
        settings["name"] = validate_name(settings["name"])
    settings = checked_announcement(settings)
    if "house_rules" in changes:
        settings["options"] = _with_house_rules(tournament, changes["house_rules"])
    return settings


def _with_house_rules(tournament: Tournament, house_rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a tournament with these house rules instead of its own."""
    length = {k: v for k, v in tournament.options.items() if k not in engine.HOUSE_RULES}
    return {**length, **house_rules}


def _unit_under(tournament: Tournament, ruleset: str) -> str:
    """Return what enters a draft under another ruleset; refuses one that it cannot be played by."""
    game = replace(game_of(tournament), ruleset=ruleset)
    check_game(game)
    stages = list(tournament.stages.order_by("number"))
    unit = common_unit(ruleset, stages).value
    checked_sets(game, stages)
    entry = tournament.entries.order_by("number").first()
    if unit != tournament.unit and entry is not None:
        label = str(Tournament.Unit(unit).label)
        raise Refusal(Reason.WRONG_UNIT, text=entry.name, unit=label)
    return unit


def refuse_unfit_requests(tournament: Tournament, unit: str) -> None:
    """Refuse REQUESTS_DO_NOT_FIT where a request is of more or fewer people than such an entry."""
    people = SignUpPerson.objects.filter(
        request__signup__tournament=tournament, request__left_at=None, request__is_ticket=True
    )
    ticket = Coalesce("request__joined__ticket", "request__ticket")
    names: dict[int, list[str]] = defaultdict(list)
    for number, name in people.order_by("request__ticket", "seat").values_list(ticket, "name"):
        names[number].append(name)
    seats = 2 if unit == Tournament.Unit.PAIR else 1
    unfit = [f"{number} {' – '.join(of)}" for number, of in names.items() if len(of) != seats]
    if unfit:
        label = str(Tournament.Unit(unit).label)
        raise Refusal(Reason.REQUESTS_DO_NOT_FIT, unit=label, text=", ".join(unfit))


@transaction.atomic
def discard_tournament(actor: Actor, tournament: Tournament) -> None:
    """Discard a draft, with its entries, plan, places in seasons, own webhooks and followers.

    The club keeps its players and pairs, and the audit log its events; the short name becomes free.
    Refuses FORBIDDEN, ROUNDS_DRAWN, HAS_SIGN_UPS.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    asked = (
        SignUpRequest.objects.filter(signup__tournament=tournament).exists()
        or tournament.cash_entries.exists()
    )
    refuse_closed("discard", replace(tournament_facts(tournament), asked=asked))
    facts = {
        "slug": tournament.slug,
        "entries": tournament.entries.count(),
        "rows": deleted_rows(tournament.entries.all()),
    }
    in_seasons = list(tournament.seasons.select_related("season__club").order_by("pk"))
    Schedule.objects.filter(tournament=tournament).delete()
    tournament.seasons.all().delete()
    tournament.webhooks.all().delete()
    tournament.push_subscriptions.all().delete()
    tournament.restore_points.all().delete()
    tournament.stages.all().delete()
    tournament.days.all().delete()
    tournament.entries.all().delete()
    write_tournament_event(actor, "tournament.discarded", tournament, tournament, **facts)
    for event in in_seasons:
        write_event(
            actor,
            "season.tournament_removed",
            event.season,
            club=tournament.club,
            played=tournament.slug,
            rows=[Deleted("seasonevent", event.pk)],
        )
    tournament.slug, tournament.discarded_at = f"~{tournament.pk}", timezone.now()
    tournament.save(update_fields=["slug", "discarded_at"])
    renew_sources(actor, tournament)
