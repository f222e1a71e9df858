"""Permission checks: functions that return whether an actor may do something.

They follow the table in `domain.rights`. A token never does more than its user, and only in its own
club and within its scopes. A superuser may do everything that an organiser may, in every club, but
not by token. Anyone who gives the code of an entry acts for that entry, in its own matches and
nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from tournaments.core.db import one_or_none
from tournaments.core.errors import Reason, Refusal
from tournaments.domain.rights import RIGHTS, Right
from tournaments.domain.sides import SIDES
from tournaments.models import (
    ApiToken,
    Bot,
    Club,
    Entry,
    Match,
    Membership,
    Player,
    Record,
    Round,
    SecondFactor,
    SignUpRequest,
    Tournament,
)
from tournaments.models.people import plays_as

Role = Membership.Role
Scope = ApiToken.Scope

MAX_LABEL_LENGTH: Final = 200
"""Characters of the columns that hold an actor's label: `made_by`, `actor` …"""


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a request: a user, a token, an entry by its code, nobody, or the service.

    ``codes`` are the entry codes stored in the session, with their tournaments' slugs: they make a
    private tournament visible, and nothing more.
    """

    user: User | None = None
    token: ApiToken | None = None
    is_system: bool = False
    entry: Entry | None = None
    codes: tuple[tuple[str, str], ...] = ()

    @classmethod
    def anonymous(cls) -> Actor:
        """Return an actor without any identification."""
        return cls()

    @classmethod
    def system(cls) -> Actor:
        """Return the service itself: commands and background work."""
        return cls(is_system=True)

    @classmethod
    def for_user(
        cls, user: User | AnonymousUser | None, codes: Mapping[str, str] | None = None
    ) -> Actor:
        """Return the signed-in user, if any, with the entry codes stored in the session."""
        active_user = user if isinstance(user, User) and user.is_active else None
        return cls(user=active_user, codes=tuple((codes or {}).items()))

    @classmethod
    def from_token(cls, token: ApiToken) -> Actor:
        """Return the program that presented the token, already authenticated."""
        return cls(user=token.user, token=token)

    @classmethod
    def for_entry(cls, entry: Entry) -> Actor:
        """Return the people of an entry, identified by its code."""
        return cls(entry=entry)

    @property
    def is_anonymous(self) -> bool:
        """Whether the actor is not identified."""
        return self.user is None and self.entry is None and not self.is_system

    @property
    def label(self) -> str:
        """The name of this actor in the history, cut to the length of its columns."""
        if self.is_system:
            return "system"
        if self.entry is not None:
            return f"entry {self.entry.number} · {self.entry.name}"[:MAX_LABEL_LENGTH]
        if self.user is None:
            return "anonymous"
        name = self.user.get_username()
        return (f"{name} ({self.token.name})" if self.token else name)[:MAX_LABEL_LENGTH]

    @property
    def scope_name(self) -> str:
        """The namespace of this actor's idempotency keys."""
        if self.token:
            return f"token:{self.token.pk}"
        if self.entry:
            return f"entry:{self.entry.pk}"
        return f"user:{self.user.pk}" if self.user else self.label

    def allows(self, scope: ApiToken.Scope) -> bool:
        """Return whether the way of signing in includes this scope; in person all are included."""
        return self.token is None or scope in self.token.scopes

    def has_scope_for(self, right: Right) -> bool:
        """Return whether the way of signing in includes a row of the table; in person all are."""
        if right.scope is None:
            return self.token is None
        return not right.scope or self.allows(Scope(right.scope))

    def is_valid_in(self, club: Club) -> bool:
        """Return whether the way of signing in is valid in this club."""
        if self.entry is not None:
            return self.entry.tournament.club_id == club.pk
        return self.token is None or self.token.club_id == club.pk


NOBODY: Final = Actor.anonymous()
"""The viewer of what all see: parts of pages that are cached for all, pictures of links."""


def refuse_unless(allowed: bool, actor: Actor) -> None:
    """Refuse unless allowed: SIGN_IN, SECOND_FACTOR or FORBIDDEN."""
    if allowed:
        return
    if actor.is_anonymous:
        raise Refusal(Reason.SIGN_IN)
    raise Refusal(
        Reason.SECOND_FACTOR if is_blocked_without_second_factor(actor) else Reason.FORBIDDEN
    )


def lacks_second_factor(actor: Actor) -> bool:
    """Return whether a user in person lacks the second factor that organisers need here.

    Reads it once a user. A user who has a second factor has proved it, or set it up, in every
    session.
    """
    if not settings.SECOND_FACTOR_REQUIRED or actor.user is None or actor.token is not None:
        return False
    try:
        return actor.user.second_factor.confirmed_at is None
    except SecondFactor.DoesNotExist:
        return True


def is_blocked_without_second_factor(actor: Actor) -> bool:
    """Return whether the missing second factor suspends the rights of an organiser or of staff."""
    if actor.user is None or not lacks_second_factor(actor):
        return False
    organises = Membership.objects.filter(user=actor.user, role=Role.ORGANISER)
    return actor.user.is_staff or actor.user.is_superuser or organises.exists()


def role_in(actor: Actor, club: Club) -> Membership.Role | None:
    """Return the actor's role in the club; reads the membership at each call."""
    if actor.is_system:
        return Role.ORGANISER
    if actor.user is None or not actor.is_valid_in(club):
        return None
    if actor.user.is_superuser and actor.token is None:
        return Role.ORGANISER
    memberships = Membership.objects.only("role").filter(club=club.pk, user=actor.user.pk)
    membership = one_or_none(memberships)
    return None if membership is None else Role(membership.role)


@dataclass(frozen=True, slots=True)
class ClubRights:
    """All rights of an actor in a club.

    ``member``: read what only the club sees; ``manage``: run its tournaments; ``administer``:
    manage its members and tokens, in person, not by token; ``arbitrate``: decide about matches;
    ``submit``: submit any match's record; ``run_bots``: have bots play; ``read_history`` of
    tournaments; ``read_trail``: that of the whole club.
    """

    member: bool = False
    manage: bool = False
    administer: bool = False
    arbitrate: bool = False
    submit: bool = False
    run_bots: bool = False
    read_history: bool = False
    read_trail: bool = False


def club_rights(actor: Actor, club: Club) -> ClubRights:
    """Return what the actor may do in the club; reads the membership."""
    role = role_in(actor, club)
    if role is None:
        return ClubRights()
    is_short = role is Role.ORGANISER and lacks_second_factor(actor)
    return ClubRights(
        **{
            right.name: role in right.who
            and not (is_short and right.needs_factor)
            and actor.has_scope_for(right)
            for right in CLUB_RIGHTS
        }
    )


CLUB_RIGHTS: Final = tuple(RIGHTS[field.name] for field in fields(ClubRights))
"""The rows of the table that depend on a role in a club."""


def may_act_as_staff(actor: Actor) -> bool:
    """Return whether the actor may do what the service's staff may, in person.

    They found clubs, pause all bots, register commands of the machine and change house bots.
    """
    if actor.is_system:
        return True
    if actor.user is None or not (actor.user.is_staff and actor.has_scope_for(RIGHTS["serve"])):
        return False
    return not lacks_second_factor(actor)


def is_member(actor: Actor, club: Club) -> bool:
    """Return whether the actor may read drafts, refused records and the history of the club."""
    return club_rights(actor, club).member


def clubs_with_member(actor: Actor) -> QuerySet[Club]:
    """Return the clubs with the actor as member, in the sense of :func:`is_member`."""
    if not actor.has_scope_for(RIGHTS["member"]) or actor.is_anonymous:
        return Club.objects.none()
    if actor.is_system or (actor.user and actor.user.is_superuser and actor.token is None):
        return Club.objects.all()
    if actor.user is None:
        return Club.objects.none()
    clubs = Club.objects.filter(memberships__user=actor.user)
    return clubs if actor.token is None else clubs.filter(pk=actor.token.club_id)


def may_manage(actor: Actor, club: Club) -> bool:
    """Return whether the actor may run the club and its tournaments."""
    return club_rights(actor, club).manage


def may_administer(actor: Actor, club: Club) -> bool:
    """Return whether the actor, in person, may manage the club's members and tokens."""
    return club_rights(actor, club).administer


def may_arbitrate(actor: Actor, club: Club) -> bool:
    """Return whether the actor may decide about matches of the club."""
    return club_rights(actor, club).arbitrate


def may_run_bots(actor: Actor, club: Club) -> bool:
    """Return whether the actor may have the bots of a round play."""
    return club_rights(actor, club).run_bots


def may_submit_bots(actor: Actor, club: Club) -> bool:
    """Return whether the actor may add a bot: the club's staff, its players with an account."""
    if actor.is_system:
        return True
    return actor.has_scope_for(RIGHTS["bring"]) and belongs_to(actor, club)


def belongs_to(actor: Actor, club: Club) -> bool:
    """Return whether the actor's user has a role in the club or is one of its players."""
    if actor.user is None or not actor.is_valid_in(club):
        return False
    if role_in(actor, club) is not None:
        return True
    return Player.objects.filter(plays_as(actor.user), club=club).exists()


def may_change_bot(actor: Actor, bot: Bot) -> bool:
    """Return whether the actor may add versions of a bot, unbench or retire it.

    Its author, while they belong to the club, and the club's organisers may; house bots belong to
    the service's staff.
    """
    if bot.club is None:
        return may_act_as_staff(actor)
    if may_run_bots(actor, bot.club):
        return True
    is_own = actor.user is not None and bot.owner_id == actor.user.pk
    return is_own and may_submit_bots(actor, bot.club)


def may_enter_bot(actor: Actor, bot: Bot) -> bool:
    """Return whether the actor may enter a bot where the tournament is open to bots.

    So may those who may change it, and withdraw it again. House bots have no club to play in.
    """
    if not settings.LADDERS or bot.club is None or not actor.has_scope_for(RIGHTS["enter_bot"]):
        return False
    return may_change_bot(actor, bot)


def may_compare_versions(actor: Actor, bot: Bot) -> bool:
    """Return whether the actor may compare versions of a bot, and see its comparisons.

    Those who may change it may; house bots have no versions.
    """
    if bot.club is None or not actor.has_scope_for(RIGHTS["compare"]):
        return False
    return may_change_bot(actor, bot)


def may_connect_bot(actor: Actor, bot: Bot) -> bool:
    """Return whether the actor may issue a token for a bot's turns.

    Its author may, in person and while they belong to the club. An organiser's token runs all
    bots of the club, so it requires the second factor.
    """
    if actor.user is None or not actor.has_scope_for(RIGHTS["connect"]):
        return False
    if bot.club is None or bot.owner_id != actor.user.pk or is_blocked_without_second_factor(actor):
        return False
    return belongs_to(actor, bot.club)


def may_revoke(actor: Actor, token: ApiToken) -> bool:
    """Return whether the actor may revoke a token: its user in person, the club's organisers."""
    is_own = actor.user is not None and actor.token is None and token.user_id == actor.user.pk
    return is_own or may_administer(actor, token.club)


def side_of(actor: Actor, match: Match, own_keys: Collection[int] | None = None) -> str:
    """Return the actor's side (`SIDES`), or an empty text when the actor does not play.

    A substitute and the player being replaced both count as players of the match. ``own_keys`` are
    the keys of the actor's players (:func:`own_players`), where they are known.
    """
    if not actor.is_valid_in(match.tournament.club):
        return ""
    if actor.entry is not None:
        of_entries = {
            entry.pk: side for side, entries in _entries_by_side(match) for entry in entries
        }
        return of_entries.get(actor.entry.pk, "")
    if actor.user is None:
        return ""
    people = {
        pk: side
        for side, entries in _entries_by_side(match)
        for pk in _player_keys(match, side, entries)
    }
    if not people:
        return ""
    if own_keys is None:
        players = Player.objects.filter(plays_as(actor.user), pk__in=people)
        own_keys = players.values_list("pk", flat=True)
    first = min((pk for pk in own_keys if pk in people), default=None)
    return "" if first is None else people[first]


def own_players_at(actor: Actor, match: Match) -> frozenset[int]:
    """Return which players at a table, just read with their names, are the actor's user.

    Only the substitutes and the merged ones have to be read.
    """
    if actor.user is None:
        return frozenset()
    sides = _entries_by_side(match)
    players = [player for _, entries in sides for entry in entries for player in entry.players]
    own_keys = {player.pk for player in players if player.user_id == actor.user.pk}
    others = {pk for side, entries in sides for pk in _player_keys(match, side, entries)}
    if unknown := others - {player.pk for player in players if player.same_as_id is None}:
        rows = Player.objects.filter(plays_as(actor.user), pk__in=unknown)
        own_keys.update(rows.values_list("pk", flat=True))
    return frozenset(own_keys)


def own_players(actor: Actor) -> frozenset[int]:
    """Return the keys of the actor's players, in every club."""
    if actor.user is None:
        return frozenset()
    return frozenset(Player.objects.filter(plays_as(actor.user)).values_list("pk", flat=True))


def _entries_by_side(match: Match) -> list[tuple[str, tuple[Entry, ...]]]:
    return list(zip(SIDES, match.sides, strict=False))


def _player_keys(match: Match, side: str, entries: tuple[Entry, ...]) -> set[int]:
    """Return the keys of the players of a side, substitutes included."""
    people = set(match.lineup.get(side, {}).get("players", ()))
    for entry in entries:
        pair = entry.pair
        people |= {entry.player_id} if pair is None else {pair.first_id, pair.second_id}
    return people - {None}


def plays_in(actor: Actor, match: Match) -> bool:
    """Return whether the actor is one of the players of the match."""
    return bool(side_of(actor, match))


def may_submit(actor: Actor, match: Match) -> bool:
    """Return whether the actor may submit a record of the match: the club's staff, its players."""
    if may_submit_without_play(actor, match):
        return True
    return actor.has_scope_for(RIGHTS["play"]) and plays_in(actor, match)


def may_submit_without_play(actor: Actor, match: Match) -> bool:
    """Return whether the actor may submit hands without their play: the club's staff."""
    return club_rights(actor, match.tournament.club).submit


def may_submit_to(actor: Actor, tournament: Tournament) -> bool:
    """Return whether the actor may submit records to the tournament.

    The club's staff and the tournament's players may.
    """
    if club_rights(actor, tournament.club).submit:
        return True
    if actor.entry is not None:
        return actor.entry.tournament_id == tournament.pk
    if actor.user is None or not actor.is_valid_in(tournament.club):
        return False
    if not actor.has_scope_for(RIGHTS["play"]):
        return False
    participation = (
        Q(pairs_as_first__entries__tournament=tournament)
        | Q(pairs_as_second__entries__tournament=tournament)
        | Q(entries__tournament=tournament)
        | Q(substitutions__entry__tournament=tournament)
    )
    return Player.objects.filter(participation, plays_as(actor.user)).exists()


def may_see(actor: Actor, tournament: Tournament) -> bool:
    """Return whether the actor may see the tournament: everybody, once it is no draft.

    A private one is seen by its club, its participants and the authors of its bots. Same rule as
    :func:`visible_condition`, for one row.
    """
    if _is_of_its_people(actor, tournament):
        return True
    bots = _entries_of_bots(actor)
    is_draft = tournament.state == Tournament.State.DRAFT
    return not is_draft and bots is not None and bots.filter(tournament=tournament).exists()


def _is_of_its_people(actor: Actor, tournament: Tournament) -> bool:
    if is_public(tournament) or is_member(actor, tournament.club):
        return True
    return tournament.state != Tournament.State.DRAFT and takes_part(actor, tournament)


def may_see_poster(actor: Actor, tournament: Tournament) -> bool:
    """Return whether the actor may see the poster of a tournament: everybody, once it is posted.

    That of a private one is seen by its club, its participants and those with the code of a
    request, but not by the authors of its bots, whom the sign-up does not concern.
    """
    if _is_of_its_people(actor, tournament):
        return True
    if tournament.posted_at is None:
        return False
    is_open = tournament.visibility == Tournament.Visibility.PUBLIC
    codes = [code for slug, code in actor.codes if slug == tournament.slug]
    requests = SignUpRequest.objects.filter(signup__tournament=tournament, code__in=codes)
    return is_open or (bool(codes) and requests.exists())


def visible_condition(actor: Actor, prefix: str = "") -> Q:
    """Return the condition on tournaments that the actor may see them (:func:`may_see`).

    ``prefix`` is the path to the tournament from the queried rows, such as ``stage__tournament__``.
    """
    condition = public_condition(prefix)
    clubs = clubs_with_member(actor)
    if not actor.is_anonymous:
        condition |= Q(**{f"{prefix}club__in": clubs})
    for entries in (_entries_of(actor), _entries_of_bots(actor)):
        if entries is not None:
            takes_part = Q(**{f"{prefix}pk__in": entries.values("tournament")})
            condition |= takes_part & ~Q(**{f"{prefix}state": Tournament.State.DRAFT})
    return condition


def public_condition(prefix: str = "") -> Q:
    """Return the condition on tournaments that everybody may see them.

    Only matches of public tournaments count outside the tournament itself: in ratings, on the pages
    of people and of clubs.
    """
    draft, open_ = Tournament.State.DRAFT, Tournament.Visibility.PUBLIC
    return ~Q(**{f"{prefix}state": draft}) & Q(**{f"{prefix}visibility": open_})


def is_public(tournament: Tournament) -> bool:
    """Return whether everybody may see the tournament: :func:`public_condition` for one row."""
    is_open = tournament.visibility == Tournament.Visibility.PUBLIC
    return is_open and tournament.state != Tournament.State.DRAFT


def takes_part(actor: Actor, tournament: Tournament) -> bool:
    """Return whether the actor takes part in a tournament: by account, or by an entry's code."""
    own_entries = _entries_of(actor)
    return own_entries is not None and own_entries.filter(tournament=tournament).exists()


def own_numbers(actor: Actor, tournament: Tournament) -> frozenset[int]:
    """Return the numbers of the actor's entries in a tournament; no query for the anonymous."""
    own_entries = _entries_of(actor)
    if own_entries is None:
        return frozenset()
    return frozenset(own_entries.filter(tournament=tournament).values_list("number", flat=True))


def _entries_of(actor: Actor) -> QuerySet[Entry] | None:
    """Return the entries that the actor belongs to; None where there can be none."""
    if actor.entry is not None:
        return Entry.objects.filter(pk=actor.entry.pk)
    conditions = [Q(tournament__slug=slug, code=code) for slug, code in actor.codes]
    if actor.user is not None and actor.has_scope_for(RIGHTS["see_own"]):
        players = Player.objects.filter(plays_as(actor.user))
        if actor.token is not None:
            players = players.filter(club=actor.token.club_id)
        paths = ("player", "pair__first", "pair__second", "substitutions__comes")
        conditions += [Q(**{f"{path}__in": players.values("pk")}) for path in paths]
    return Entry.objects.filter(Q(*conditions, _connector=Q.OR)) if conditions else None


def _entries_of_bots(actor: Actor) -> QuerySet[Entry] | None:
    """Return the entries of the actor's bots in clubs where the actor plays; None without a user.

    They let an author see a private tournament, and give no right to act in it. Who has a role in
    the club sees it anyway.
    """
    if actor.user is None or not actor.has_scope_for(RIGHTS["see_bots"]):
        return None
    clubs = Player.objects.filter(plays_as(actor.user)).values("club")
    entries = Entry.objects.filter(bot__owner=actor.user, tournament__club__in=clubs)
    return entries if actor.token is None else entries.filter(tournament__club=actor.token.club_id)


def sends_webhooks(tournament: Tournament) -> bool:
    """Return whether a club's webhooks receive a tournament's events: all but drafts'.

    Webhooks are the club's own, so they receive events of private tournaments too.
    """
    return tournament.state != Tournament.State.DRAFT


def may_see_round(actor: Actor, round_: Round) -> bool:
    """Return whether the actor may see a round: as its tournament, once it is published."""
    tournament = round_.stage.tournament
    if round_.state == Round.State.DRAFT:
        return is_member(actor, tournament.club)
    return may_see(actor, tournament)


def may_see_deals(actor: Actor, match: Match) -> bool:
    """Return whether the actor may see each deal of a match: its cards, and the points made in it.

    Everybody may; but while other tables still have to play the deals, only the club and those who
    have played them. Every page, endpoint, file and stream asks this or `hidden_matches`.
    """
    return (
        not match.boards
        or not match.round.stage.keeps_deals_secret
        or is_member(actor, match.tournament.club)
        or plays_in(actor, match)
    )


def hidden_matches(actor: Actor, tournament: Tournament) -> tuple[Match, ...]:
    """Return the matches of a tournament whose deals the actor may not see (`may_see_deals`)."""
    if is_member(actor, tournament.club):
        return ()
    secret = [stage.pk for stage in tournament.stages.all() if stage.keeps_deals_secret]
    if not secret:
        return ()
    matches = Match.objects.with_names().filter(round__stage__in=secret).exclude(boards=[])
    return tuple(match for match in matches if not plays_in(actor, match))


def may_see_record(actor: Actor, record: Record) -> bool:
    """Return whether the actor may see a record.

    Everybody sees those that counted; evidence is seen by the club and the people concerned.
    """
    if record.state in {Record.State.ACCEPTED, Record.State.SUPERSEDED}:
        return may_see_round(actor, record.match.round) and may_see_deals(actor, record.match)
    if actor.user is not None and record.submitted_by_id == actor.user.pk:
        return actor.is_valid_in(record.match.tournament.club)
    return is_member(actor, record.match.tournament.club) or plays_in(actor, record.match)


def may_act_for(actor: Actor, entry: Entry) -> bool:
    """Return whether the actor may check in, withdraw or ask byes for an entry.

    The club's staff and the entry's own people may.
    """
    return may_arbitrate(actor, entry.tournament.club) or (
        actor.has_scope_for(RIGHTS["speak"]) and is_own_entry(actor, entry)
    )


def is_own_entry(actor: Actor, entry: Entry) -> bool:
    """Return whether the actor is one of an entry's people."""
    if actor.entry is not None:
        return actor.entry.pk == entry.pk
    if actor.user is None or not actor.is_valid_in(entry.tournament.club):
        return False
    people = [entry.player_id]
    if entry.pair is not None:
        people += [entry.pair.first_id, entry.pair.second_id]
    player_keys = [pk for pk in people if pk is not None]
    return Player.objects.filter(plays_as(actor.user), pk__in=player_keys).exists()
