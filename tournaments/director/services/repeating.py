"""Creates a tournament that is played as another one was."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import or_404
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.days import ordered_days
from tournaments.director.queries.repeating import repeatable_entries
from tournaments.director.services.days import NewDay, add_day
from tournaments.director.services.entries import Newcomer, store_entries
from tournaments.director.services.settings import (
    STAGE_TIMES,
    TERM_FIELDS,
    NewTournament,
    Terms,
    game_of,
)
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.file import rules_to_dict
from tournaments.domain.stages import rules_to_begin
from tournaments.models import Entry, SignUp, Stage, Tournament

SIGN_UP_COPIED: Final = (
    *("places", "minimum", "most_waiting", "singles", "only_paid", "condition"),
    *("asks_contact", "shows_names", "fee_cents", "fee_per", "member_cents"),
)
"""Columns of a sign-up that do not belong to a day."""

PRIZES_COPIED: Final = ("prizes_meant_for", "prizes_scale_up", "prizes_unit")
"""Columns of a tournament that say how prizes follow its entries."""

COPIED = ("rating", "origin", "apart", "fixed_table")
"""Fields of an entry that the draw considers."""


@transaction.atomic
def repeat_tournament(
    actor: Actor,
    tournament: Tournament,
    name: str,
    *,
    slug: str | None = None,
    begins_at: datetime | None = None,
    place: str = "",
    entries: Collection[int] = (),
) -> Tournament:
    """Create a draft with the game, stages, rules, terms, sign-up and prizes of a tournament.

    Its days are planned again from ``begins_at``, as far apart as they were.
    ``entries`` are the numbers of those that are entered again, with what the draw considers of
    them. Refuses FORBIDDEN, UNKNOWN_CHOICE for a number that cannot be entered again, and what
    creating and entering refuse (:func:`create_tournament`, :func:`enter_newcomers`).
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    again = {entry.number: entry for entry in repeatable_entries(tournament)}
    if unknown := set(entries) - again.keys():
        raise Refusal(Reason.UNKNOWN_CHOICE, text=str(min(unknown)))
    announcement = {name: getattr(tournament, name) for name in ("prizes", "rules_text")}
    announcement |= {"begins_at": begins_at, "place": place}
    settings = _settings_of(tournament, announcement)
    new = create_tournament(actor, tournament.club, name, settings, slug=slug)
    _copy_sign_up(actor, tournament, new)
    _copy_prizes(actor, tournament, new)
    _copy_days(actor, tournament, new)
    _enter(actor, new, [again[number] for number in sorted(entries)])
    new.refresh_from_db()
    return new


def _settings_of(tournament: Tournament, announcement: Mapping[str, Any]) -> NewTournament:
    """Return what a tournament was created with, with another announcement."""
    terms = {name: getattr(tournament, name) for name in TERM_FIELDS}
    terms["confirm_minutes"] = tournament.minutes_to_object
    stages = tournament.stages.order_by("number")
    return NewTournament(
        game=game_of(tournament),
        stages=[
            {"format": stage.format, "rules": _rules_of(stage), "name": stage.name}
            | {name: getattr(stage, name) for name in STAGE_TIMES}
            for stage in stages
        ],
        terms=Terms(**terms, visibility=tournament.visibility),
        announcement={name: value for name, value in announcement.items() if value},
    )


def _rules_of(stage: Stage) -> dict[str, Any]:
    return rules_to_dict(rules_to_begin(stage.rules), stage.kind.rules)


def _copy_sign_up(actor: Actor, tournament: Tournament, new: Tournament) -> None:
    """Copy places, fee and questions; a form on the web opens when the draft is posted."""
    signup = SignUp.objects.filter(tournament=tournament).first()
    if signup is None:
        return
    copied = {name: getattr(signup, name) for name in SIGN_UP_COPIED}
    copied["opens_when_posted"] = signup.opens_when_posted or signup.opens_at is not None
    SignUp.objects.create(tournament=new, **copied)
    write_tournament_event(actor, "sign_up.set", new, new, after=copied)


def _copy_prizes(actor: Actor, tournament: Tournament, new: Tournament) -> None:
    """Copy the list of prizes, and how its amounts follow the number of entries."""
    lines = list(tournament.prize_lines.order_by("order"))
    if not lines:
        return
    for name in PRIZES_COPIED:
        setattr(new, name, getattr(tournament, name))
    new.save(update_fields=PRIZES_COPIED)
    for line in lines:
        line.pk, line.tournament = None, new
        line.save()
    columns = ("stage", "first", "last", "per", "cents", "percent", "raffled", "text")
    facts = [{name: getattr(line, name) for name in columns} for line in lines]
    write_tournament_event(actor, "prizes.set", new, new, lines=facts, rows=lines)


def _copy_days(actor: Actor, tournament: Tournament, new: Tournament) -> None:
    """Plan the days again, as far from each other as they were; without a beginning none."""
    days = ordered_days(tournament)
    if not days or new.begins_at is None:
        return
    first = days[0].play_by if days[0].starts_at is None else timezone.localdate(days[0].starts_at)
    assert first is not None  # noqa: S101 - a constraint of the model
    shift = timezone.localdate(new.begins_at) - first
    for day in days:
        starts_at = None
        if day.starts_at is not None:
            local = timezone.localtime(day.starts_at).replace(tzinfo=None)
            starts_at = timezone.make_aware(local + shift)
        play_by = None if day.play_by is None else day.play_by + shift
        add_day(actor, new, NewDay(starts_at, play_by, day.place, day.note, day.holds))


def _enter(actor: Actor, new: Tournament, entries: Collection[Entry]) -> None:
    """Enter the people and bots of entries: people first, as they are stored, by their numbers."""
    before = sorted(entries, key=lambda entry: (entry.bot_id is not None, entry.number))
    newcomers = [_newcomer(entry) for entry in before]
    if not newcomers:
        return
    stored = store_entries(actor, new, newcomers)
    for entry, old in zip(stored, before, strict=True):
        for name in COPIED:
            setattr(entry, name, getattr(old, name))
    Entry.objects.bulk_update(stored, COPIED)


def _newcomer(entry: Entry) -> Newcomer:
    """Return the pair, the player or the bot of an entry."""
    if entry.pair is not None:
        return entry.pair
    return or_404(entry.bot) if entry.player is None else entry.player
