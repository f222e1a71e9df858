"""All that the service holds about a person, as one document of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from tournaments.domain.file.writing import text_of
from tournaments.domain.personal_data import COLUMNS, Holds
from tournaments.domain.pseudonyms import Renaming
from tournaments.models import (
    Absence,
    AnalysedSeat,
    ApiToken,
    AuditEvent,
    Bot,
    BotVersion,
    ByeRequest,
    Club,
    Invitation,
    Match,
    Membership,
    NewAddress,
    Pair,
    Penalty,
    Player,
    Rating,
    RatingChange,
    Record,
    RecoveryCode,
    Result,
    Review,
    SecondFactor,
    SignIn,
    Substitution,
)
from tournaments.models.matches import PLACES, SIDES
from tournaments.queries.erasing import entries_of
from tournaments.queries.exports import plain
from tournaments.queries.naming import holding

FORMAT: Final = "baza-person/1"
"""What the document's ``format`` says."""

LEFT_OUT: Final = frozenset({("User", "password"), ("SignIn", "session_key")})
"""What opens something: as little as a digest is it told to anybody."""


def account_document(user: User) -> bytes:
    """Return what is held about somebody with an account, with the players that he is."""
    players = Player.objects.filter(user=user).select_related("club").order_by("club_id", "pk")
    return _written({"account": _account(user)}, list(players), user)


def player_document(player: Player) -> bytes:
    """Return what is held about a player, without an account that may be his."""
    return _written({}, [player], None)


def _written(document: dict[str, Any], players: Sequence[Player], user: User | None) -> bytes:
    made = {"format": FORMAT, "made_at": timezone.now().isoformat()}
    told = {"players": [_player(player) for player in players], "events": _events(players, user)}
    return text_of({**made, **document, **told}).encode()


def _account(user: User) -> dict[str, Any]:
    """Return an account and what hangs on it; of secrets only that there are any."""
    submitted = Record.objects.filter(submitted_by=user).order_by("pk")
    return {
        **_row(user),
        "new_address": _rows(NewAddress.objects.filter(user=user)),
        "second_factor": _rows(SecondFactor.objects.filter(user=user)),
        "recovery_codes": RecoveryCode.objects.filter(user=user).count(),
        "sign_ins": _rows(SignIn.objects.filter(user=user)),
        "memberships": _rows(Membership.objects.filter(user=user), club="club__slug"),
        "tokens": _rows(ApiToken.objects.filter(user=user), club="club__slug"),
        "invitations": _rows(Invitation.objects.filter(invited_by=user), club="club__slug"),
        "bots": _rows(Bot.objects.filter(owner=user)),
        "bot_versions": _rows(BotVersion.objects.filter(bot__owner=user)),
        "records_submitted": _rows(submitted, tournament=f"match__{_TOURNAMENT}"),
    }


_TOURNAMENT: Final = "round__stage__tournament__slug"


def _player(player: Player) -> dict[str, Any]:
    """Return a player with all that he played."""
    entries = entries_of(player)
    keys = list(entries.values_list("pk", flat=True))
    of_entries = {"entry__in": keys}
    stood_in = Q(entry__in=keys) | Q(comes=player) | Q(leaves=player)
    matches = Match.objects.filter(pk__in=_matches(player, keys)).order_by("pk")
    of_matches = {"match__in": matches}
    return {
        **_row(player),
        "club": player.club.slug,
        "pairs": _rows(Pair.objects.filter(Q(first=player) | Q(second=player))),
        "entries": _rows(entries, tournament="tournament__slug"),
        "absences": _rows(Absence.objects.filter(**of_entries)),
        "bye_requests": _rows(ByeRequest.objects.filter(**of_entries)),
        "penalties": _rows(Penalty.objects.filter(**of_entries)),
        "substitutions": _rows(Substitution.objects.filter(stood_in)),
        "matches": _rows(matches, tournament=_TOURNAMENT, round="round__number"),
        "results": _rows(Result.objects.filter(**of_matches)),
        "records": _rows(Record.objects.filter(**of_matches)),
        "analysed": _rows(AnalysedSeat.objects.filter(player=player)),
        "reviews": _rows(Review.objects.filter(player=player)),
        "ratings": _rows(Rating.objects.filter(player=player), ruleset="ledger__ruleset"),
        "rating_changes": _rows(RatingChange.objects.filter(rating__player=player)),
    }


def _matches(player: Player, entries: Sequence[int]) -> set[int]:
    """Return the keys of the matches of some entries, and of those that he stood in at."""
    at_table = Q()
    for place in PLACES:
        at_table |= Q(**{f"{place}__in": entries})
    own = set(Match.objects.filter(at_table).values_list("pk", flat=True))
    stood_in = Match.objects.filter(round__stage__tournament__club=player.club).exclude(lineup={})
    return own | {
        pk
        for pk, lineup in stood_in.values_list("pk", "lineup")
        if any(player.pk in lineup.get(side, {}).get("players", ()) for side in SIDES)
    }


def _events(players: Iterable[Player], user: User | None) -> list[dict[str, Any]]:
    """Return the events of the history that somebody did or that name him, club by club."""
    names: dict[int, list[str]] = {}
    for player in players:
        names.setdefault(player.club_id, []).extend((player.name, *player.earlier_names))
    own = [] if user is None else [user.get_username()]
    clubs = Club.objects.order_by("pk") if own else Club.objects.filter(pk__in=names).order_by("pk")
    return [
        {"club": club.slug, **_row(event)}
        for club in clubs
        for event in _events_of(club, [*names.get(club.pk, ()), *own], user)
    ]


def _events_of(club: Club, names: list[str], user: User | None) -> Iterable[AuditEvent]:
    gone = Renaming(dict.fromkeys(names, ""))
    done = Q() if user is None else Q(user=user)
    events = AuditEvent.objects.filter(club=club).order_by("sequence")
    rows = holding(events, ("actor", "subject", "facts"), gone, done)
    for event in rows:
        texts = [event.actor, event.subject, event.facts]
        if (user is not None and event.user_id == user.pk) or gone.value(texts) != texts:
            yield event


# --- rows ----------------------------------------------------------------------------------------


def _rows(rows: QuerySet[Any], **more: str) -> list[dict[str, Any]]:
    """Return rows in the order of their keys; ``more`` are columns of rows above them."""
    rows = rows.order_by("pk")
    if not more:
        return [_row(row) for row in rows]
    above = dict(zip(rows.values_list("pk", flat=True), rows.values(*more.values()), strict=True))
    return [_row(row) | {n: above[row.pk][path] for n, path in more.items()} for row in rows]


def _row(row: Model) -> dict[str, Any]:
    """Return the columns of a row, without secrets; whom it names by their keys."""
    model = row._meta.object_name
    return {
        field.name: _told(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if COLUMNS.get((str(model), field.name)) is not Holds.SECRET
        and (model, field.name) not in LEFT_OUT
    }


def _told(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | time | datetime) else plain(value)
