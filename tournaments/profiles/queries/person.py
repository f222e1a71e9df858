"""Personal data: what the service holds of a person, and what erasing removes."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from tournaments.core.db import row_of
from tournaments.core.find import find_club, find_main_player, not_found_unless, or_404
from tournaments.core.permissions import Actor, may_administer, refuse_unless
from tournaments.domain.file.writing import text_of
from tournaments.domain.names import fold_name, sort_key
from tournaments.domain.person_names import judge_person
from tournaments.domain.personal_data import CLUB_OF, COLUMNS, PersonalDataKind
from tournaments.domain.pseudonyms import Renaming
from tournaments.domain.sides import SIDES
from tournaments.exchange.queries.exports import to_json_value
from tournaments.models import (
    Absence,
    AnalysedSeat,
    ApiToken,
    AuditEvent,
    Bot,
    BotVersion,
    ByeRequest,
    Club,
    Entry,
    Erasure,
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
    SignUpNews,
    SignUpRequest,
    Substitution,
    Tournament,
)
from tournaments.models.matches import at_any_place

# --- Erasing --------------------------------------------------------------------------------------
# What an erasure removes and what it leaves, shown before it is confirmed.


@dataclass(frozen=True, slots=True)
class PlayerToErase:
    """A player with the number of their entries, their pairs and unfinished ``tournaments``.

    ``erased``: the erasure has been done. ``merged`` are other names under which the player was
    entered, which are erased too.
    """

    pk: int
    name: str
    code: str
    club_slug: str
    club_name: str
    has_account: bool
    pairs: tuple[str, ...]
    entries: int
    tournaments: tuple[str, ...]
    erased: bool
    merged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AccountToErase:
    """An account and what is erased with it; ``stuck``: clubs that would have no organiser."""

    username: str
    email: str
    roles: int
    sign_ins: int
    tokens: int
    bots: int
    players: tuple[PlayerToErase, ...]
    stuck: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A player of a club; ``erased``: has only a number as name."""

    pk: int
    name: str
    has_account: bool
    erased: bool


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """The players of a club, for those who may erase them."""

    slug: str
    name: str
    people: tuple[PersonRow, ...]


def people_to_erase(slug: str, viewer: Actor) -> PeoplePage:
    """Return the players of a club by name, without merged ones.

    Refuses SIGN_IN, FORBIDDEN, NOT_FOUND.
    """
    club = find_club(slug)
    refuse_unless(may_administer(viewer, club), viewer)
    erasures = Erasure.objects.filter(player_key=OuterRef("pk"))
    players = Player.objects.filter(club=club, same_as=None).annotate(gone=Exists(erasures))
    rows = players.values_list("pk", "name", "user", "gone")
    people = [PersonRow(pk, name, user is not None, erased) for pk, name, user, erased in rows]
    people.sort(key=lambda person: sort_key(person.name))
    return PeoplePage(club.slug, club.name, tuple(people))


def player_to_erase(slug: str, pk: int, viewer: Actor) -> PlayerToErase:
    """Return what erasing a player removes; 7 queries. Refuses SIGN_IN, FORBIDDEN, NOT_FOUND."""
    return _of_player(player_of_club(slug, pk, viewer))


def player_of_club(slug: str, pk: int, viewer: Actor) -> Player:
    """Return a player, or the main one, for the club's organisers.

    Refuses as :func:`player_to_erase`.
    """
    club = find_club(slug)
    refuse_unless(may_administer(viewer, club), viewer)
    player = find_main_player(pk)
    not_found_unless(player.club_id == club.pk)
    return player


def refused_names(club: Club) -> list[Player]:
    """Return the players of a club whose names would be refused today; they stay as they are."""
    players = club.players.order_by("folded").only("pk", "name", "club")
    doubts = ((player, judge_person(player.name)) for player in players)
    return [player for player, doubt in doubts if doubt is not None and doubt.is_refused]


def same_people(*players: Player) -> list[Player]:
    """Return main players, each followed by those who are merged into it."""
    rows = Player.objects.select_related("club").order_by("code")
    return [row for player in players for row in (player, *rows.filter(same_as=player))]


def account_to_erase(user: User) -> AccountToErase:
    """Return what erasing an account removes; five queries, and four for each of its players."""
    players = Player.objects.filter(user=user).select_related("club").order_by("club_id", "pk")
    return AccountToErase(
        username=user.get_username(),
        email=user.email,
        roles=Membership.objects.filter(user=user).count(),
        sign_ins=SignIn.objects.filter(user=user).count(),
        tokens=ApiToken.objects.filter(user=user).count(),
        bots=Bot.objects.filter(owner=user).count(),
        players=tuple(_of_player(player) for player in players),
        stuck=_clubs_left_without_organiser(user),
    )


def entries_of(player: Player) -> QuerySet[Entry]:
    """Return the entries of a player, alone or in a pair."""
    condition = Q(player=player) | Q(pair__first=player) | Q(pair__second=player)
    return Entry.objects.filter(condition).order_by("tournament_id", "number")


def tournaments_showing(player: Player) -> QuerySet[Tournament]:
    """Return the tournaments that show a player's name: as entry or in a substitution."""
    condition = Q(pk__in=entries_of(player).order_by().values("tournament"))
    condition |= Q(entries__substitutions__comes=player) | Q(entries__substitutions__leaves=player)
    return Tournament.objects.filter(condition).distinct().order_by("pk")


def unfinished_tournaments(entries: QuerySet[Entry]) -> tuple[str, ...]:
    """Return the names of unfinished tournaments that not all entries have left for good."""
    withdrawals = Absence.objects.filter(entry=OuterRef("pk"), until_round__isnull=True)
    open_entries = entries.exclude(tournament__state=Tournament.State.FINISHED)
    names = open_entries.filter(~Exists(withdrawals)).values_list("tournament__name", flat=True)
    return tuple(dict.fromkeys(names))


def _of_player(player: Player) -> PlayerToErase:
    people = same_people(player)
    pairs = Pair.objects.filter(Q(first__in=people) | Q(second__in=people)).order_by("code")
    unfinished = (name for person in people for name in unfinished_tournaments(entries_of(person)))
    return row_of(
        PlayerToErase,
        player,
        club_slug=player.club.slug,
        club_name=player.club.name,
        has_account=player.user_id is not None,
        pairs=tuple(pairs.values_list("name", flat=True)),
        entries=sum(entries_of(person).count() for person in people),
        tournaments=tuple(dict.fromkeys(unfinished)),
        erased=Erasure.objects.filter(player_key=player.pk).exists(),
        merged=tuple(person.name for person in people[1:]),
    )


def _clubs_left_without_organiser(user: User) -> tuple[str, ...]:
    """Return the clubs whose only organiser is the user."""
    organisers = Membership.objects.filter(role=Membership.Role.ORGANISER)
    others = organisers.filter(club=OuterRef("pk")).exclude(user=user)
    own_clubs = Club.objects.filter(memberships__in=organisers.filter(user=user))
    return tuple(own_clubs.filter(~Exists(others)).values_list("name", flat=True))


# --- Naming ---------------------------------------------------------------------------------------
# Finds the rows that may contain a name.


BATCH_SIZE: Final = 200
"""Rows that are read at a time."""


def all_rows(model: type[Model]) -> QuerySet[Any]:
    """Return all rows of a model."""
    return model._default_manager.all()  # noqa: SLF001 - what every model has


def rows_naming(
    model: type[Model], columns: Collection[str], renaming: Renaming, club: Club | None
) -> Iterator[Any]:
    """Yield the rows that may contain one of the names in a column, by primary key."""
    rows = all_rows(model).order_by("pk")
    paths = CLUB_OF.get(model.__name__, "").split()
    if club is not None and paths:
        rows = rows.filter(reduce(or_, (Q(**{path: club}) for path in paths)))
    rows = rows_with_letters(rows, columns, renaming)
    keys = list(rows.values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH_SIZE):
        batch = all_rows(model).in_bulk(keys[start : start + BATCH_SIZE])
        yield from (batch[key] for key in sorted(batch))


def rows_with_letters(
    rows: QuerySet[Any], columns: Collection[str], renaming: Renaming, other: Q | None = None
) -> QuerySet[Any]:
    """Filter rows that contain letters of a name in one of the columns, or that match ``other``.

    The letters are those that every spelling of the name has: a superset, found by the database.
    """
    marks = renaming.marks
    if not all(marks):
        return rows
    texts = {f"said_{name}": Cast(name, TextField()) for name in columns}
    condition = other or Q()
    for text in texts:
        for mark in marks:
            condition |= Q(**{f"{text}__icontains": mark})
    matching: QuerySet[Any] = rows.alias(**texts).filter(condition)
    return matching


# --- Person ---------------------------------------------------------------------------------------
# All data about a person as one JSON document (docs/operators/privacy.md).


FORMAT: Final = "baza-person/1"
"""Value of ``format`` in the document."""

SECRET_COLUMNS: Final = frozenset({("User", "password"), ("SignIn", "session_key")})
"""Columns that give access, which are not exported, not even as digests."""


def account_document(user: User) -> bytes:
    """Return the JSON document of an account and of its players, merged ones included."""
    players = Player.objects.filter(user=user).select_related("club").order_by("club_id", "pk")
    return _document_bytes({"account": _account(user)}, same_people(*players), user)


def player_document(player: Player) -> bytes:
    """Return the JSON document of a player and of those merged into it, without any account."""
    return _document_bytes({}, same_people(player), None)


def sign_up_of_club(slug: str, ticket: int, viewer: Actor) -> SignUpRequest:
    """Return a request by its ticket, for the club's organisers. Refuses FORBIDDEN, NOT_FOUND."""
    requests = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    row = or_404(requests.filter(signup__tournament__slug=slug, ticket=ticket).first())
    refuse_unless(may_administer(viewer, row.signup.tournament.club), viewer)
    return row


def sign_up_document(request: SignUpRequest) -> bytes:
    """Return the JSON document of a request for a place, of people who may be no players."""
    document = {
        "format": FORMAT,
        "made_at": timezone.now().isoformat(),
        **_sign_up(request),
    }
    return text_of(document).encode()


def _sign_up(request: SignUpRequest) -> dict[str, Any]:
    return {
        **_row(request),
        "tournament": request.signup.tournament.slug,
        "people": _rows(request.people.order_by("seat")),
        "cash": _rows(request.cash_entries.order_by("pk")),
        "news": _rows(SignUpNews.objects.filter(request=request)),
    }


def own_names(player: Player) -> list[str]:
    """Return the names of a player, without earlier ones that another of the club has."""
    names = {fold_name(name): name for name in player.earlier_names}
    others = Player.objects.filter(club=player.club_id, folded__in=names).exclude(pk=player.pk)
    used = set(others.values_list("folded", flat=True))
    return [player.name, *(name for key, name in names.items() if key not in used)]


def _sign_ups(player: Player) -> list[dict[str, Any]]:
    """Return the requests with a name of a player (:func:`own_names`), or whose entry is theirs."""
    names = {fold_name(name) for name in own_names(player)}
    named = Q(people__folded__in=names, signup__tournament__club=player.club)
    own = named | Q(people__player=player) | Q(entry__in=entries_of(player).values("pk"))
    requests = SignUpRequest.objects.filter(own).distinct().order_by("pk")
    return [_sign_up(row) for row in requests.select_related("signup__tournament")]


def _document_bytes(
    document: dict[str, Any], players: Sequence[Player], user: User | None
) -> bytes:
    header = {"format": FORMAT, "made_at": timezone.now().isoformat()}
    activity = {
        "players": [_player(player) for player in players],
        "events": _events(players, user),
    }
    return text_of({**header, **document, **activity}).encode()


def _account(user: User) -> dict[str, Any]:
    """Return an account and its related rows; of secrets only their number."""
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
    """Return a player with all related rows."""
    entries = entries_of(player)
    keys = list(entries.values_list("pk", flat=True))
    of_entries = {"entry__in": keys}
    stood_in = Q(entry__in=keys) | Q(comes=player) | Q(leaves=player)
    matches = Match.objects.filter(pk__in=match_keys(keys, player)).order_by("pk")
    of_matches = {"match__in": matches}
    return {
        **_row(player),
        "club": player.club.slug,
        "sign_ups": _sign_ups(player),
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


def match_keys(entries: Collection[int], player: Player | None) -> set[int]:
    """Return the keys of the matches of entries, and of those where the player substituted."""
    at_table = Match.objects.filter(at_any_place(entries, "__in"))
    keys = set(at_table.values_list("pk", flat=True))
    if player is None:
        return keys
    stood_in = Match.objects.filter(round__stage__tournament__club=player.club).exclude(lineup={})
    return keys | {
        pk
        for pk, lineup in stood_in.values_list("pk", "lineup")
        if any(player.pk in lineup.get(side, {}).get("players", ()) for side in SIDES)
    }


def _events(players: Iterable[Player], user: User | None) -> list[dict[str, Any]]:
    """Return the events of the history by a person or naming them, club by club."""
    names: dict[int, list[str]] = {}
    for player in players:
        names.setdefault(player.club_id, []).extend(own_names(player))
    username = [] if user is None else [user.get_username()]
    clubs = Club.objects.order_by("pk")
    if user is None:
        clubs = clubs.filter(pk__in=names)
    return [
        {"club": club.slug, **_row(event)}
        for club in clubs
        for event in _events_of(club, [*names.get(club.pk, ()), *username], user)
    ]


def _events_of(club: Club, names: list[str], user: User | None) -> Iterable[AuditEvent]:
    renaming = Renaming(dict.fromkeys(names, ""))
    condition = Q() if user is None else Q(user=user)
    events = AuditEvent.objects.filter(club=club).order_by("sequence")
    rows = rows_with_letters(events, ("actor", "subject", "facts"), renaming, condition)
    for event in rows:
        texts = [event.actor, event.subject, event.facts]
        if (user is not None and event.user_id == user.pk) or renaming.value(texts) != texts:
            yield event


# --- rows ----------------------------------------------------------------------------------------


def _rows(rows: QuerySet[Any], **paths: str) -> list[dict[str, Any]]:
    """Return rows by primary key as dictionaries; ``paths`` adds columns of related rows."""
    rows = rows.order_by("pk")
    if not paths:
        return [_row(row) for row in rows]
    values_by_pk = dict(
        zip(rows.values_list("pk", flat=True), rows.values(*paths.values()), strict=True)
    )
    return [
        _row(row) | {n: values_by_pk[row.pk][path] for n, path in paths.items()} for row in rows
    ]


def _row(row: Model) -> dict[str, Any]:
    """Return the columns of a row without secrets; related rows by primary key."""
    model = row._meta.object_name
    return {
        field.name: to_json_value(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if COLUMNS.get((str(model), field.name)) is not PersonalDataKind.SECRET
        and (model, field.name) not in SECRET_COLUMNS
    }
