"""Who may do what: plain questions with a yes or no.

A token never does more than its user, and only in its own club and within its scopes. A superuser
may do whatever an organiser may, in every club, but not by token. Whoever gives the code of an
entry speaks for that entry, in its own matches and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from tournaments.errors import Reason, Refusal
from tournaments.models import (
    ApiToken,
    Club,
    Entry,
    Match,
    Membership,
    Player,
    Record,
    Round,
    Tournament,
)
from tournaments.models.matches import SIDES

Role = Membership.Role
Scope = ApiToken.Scope


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: somebody signed in, a program, an entry by its code, nobody, the service itself."""

    user: User | None = None
    token: ApiToken | None = None
    is_system: bool = False
    entry: Entry | None = None

    @classmethod
    def anonymous(cls) -> Actor:
        """Return nobody known."""
        return cls()

    @classmethod
    def system(cls) -> Actor:
        """Return the service itself: commands and background work."""
        return cls(is_system=True)

    @classmethod
    def of(cls, user: User | AnonymousUser) -> Actor:
        """Return whoever is signed in, if anybody is."""
        return cls(user=user) if isinstance(user, User) and user.is_active else cls()

    @classmethod
    def from_token(cls, token: ApiToken) -> Actor:
        """Return the program that presented the token, already authenticated."""
        return cls(user=token.user, token=token)

    @classmethod
    def of_entry(cls, entry: Entry) -> Actor:
        """Return the people of an entry, of whom one has given its code."""
        return cls(entry=entry)

    @property
    def is_anonymous(self) -> bool:
        """Nobody known asks."""
        return self.user is None and self.entry is None and not self.is_system

    @property
    def label(self) -> str:
        """How the history names this actor."""
        if self.is_system:
            return "system"
        if self.entry is not None:
            return f"entry {self.entry.number} · {self.entry.name}"
        if self.user is None:
            return "anonymous"
        name = self.user.get_username()
        return f"{name} ({self.token.name})" if self.token else name

    @property
    def scope_name(self) -> str:
        """What idempotency keys are kept apart by."""
        if self.token:
            return f"token:{self.token.pk}"
        if self.entry:
            return f"entry:{self.entry.pk}"
        return f"user:{self.user.pk}" if self.user else self.label

    def allows(self, scope: ApiToken.Scope) -> bool:
        """Tell whether the way of signing in covers this use."""
        return self.token is None or scope in self.token.scopes

    def reaches(self, club: Club) -> bool:
        """Tell whether the way of signing in is good in this club."""
        if self.entry is not None:
            return self.entry.tournament.club_id == club.pk
        return self.token is None or self.token.club_id == club.pk


def refuse_unless(allowed: bool, actor: Actor) -> None:
    """Raise the refusal that fits: sign in first, or you may not."""
    if not allowed:
        raise Refusal(Reason.SIGN_IN if actor.is_anonymous else Reason.FORBIDDEN)


def role_in(actor: Actor, club: Club) -> Membership.Role | None:
    """Return the actor's role in the club; reads the membership, once a call."""
    if actor.is_system:
        return Role.ORGANISER
    if actor.user is None or not actor.reaches(club):
        return None
    if actor.user.is_superuser and actor.token is None:
        return Role.ORGANISER
    membership = Membership.objects.filter(club=club, user=actor.user).first()
    return Role(membership.role) if membership else None


@dataclass(frozen=True, slots=True)
class Powers:
    """What an actor may do in a club, all at once.

    ``member``: read what only the club sees; ``manage``: run its tournaments; ``administer``: say
    who belongs to it and give out tokens, in person, not by token; ``arbitrate``: decide about
    matches; ``submit``: submit any match's record; ``run_bots``: have bots play; ``read_history``.
    """

    member: bool = False
    manage: bool = False
    administer: bool = False
    arbitrate: bool = False
    submit: bool = False
    run_bots: bool = False
    read_history: bool = False


def powers(actor: Actor, club: Club) -> Powers:
    """Return what the actor may do in the club; reads the membership."""
    role = role_in(actor, club)
    if role is None:
        return Powers()
    organises = role is Role.ORGANISER
    return Powers(
        member=actor.allows(Scope.READ),
        manage=organises and actor.allows(Scope.MANAGE),
        administer=organises and actor.token is None,
        arbitrate=actor.allows(Scope.MANAGE),
        submit=actor.allows(Scope.SUBMIT),
        run_bots=organises and actor.allows(Scope.BOTS),
        read_history=actor.allows(Scope.AUDIT),
    )


def may_create_club(actor: Actor) -> bool:
    """Found a club: the service's staff."""
    return actor.is_system or (
        actor.user is not None and actor.token is None and actor.user.is_staff
    )


def is_member(actor: Actor, club: Club) -> bool:
    """Read what only the club sees: drafts, refused records, the history."""
    return powers(actor, club).member


def clubs_read_by(actor: Actor) -> QuerySet[Club]:
    """Return the clubs of which the actor is a member, in the sense of :func:`is_member`."""
    if not actor.allows(Scope.READ) or actor.is_anonymous:
        return Club.objects.none()
    if actor.is_system or (actor.user and actor.user.is_superuser and actor.token is None):
        return Club.objects.all()
    if actor.user is None:
        return Club.objects.none()
    clubs = Club.objects.filter(memberships__user=actor.user)
    return clubs if actor.token is None else clubs.filter(pk=actor.token.club_id)


def may_manage(actor: Actor, club: Club) -> bool:
    """Run the club and its tournaments."""
    return powers(actor, club).manage


def may_administer(actor: Actor, club: Club) -> bool:
    """Say who belongs to the club and give out tokens: an organiser in person, no program."""
    return powers(actor, club).administer


def may_arbitrate(actor: Actor, club: Club) -> bool:
    """Decide about matches of the club."""
    return powers(actor, club).arbitrate


def may_run_bots(actor: Actor, club: Club) -> bool:
    """Have the bots of a round play."""
    return powers(actor, club).run_bots


def may_read_history(actor: Actor, club: Club) -> bool:
    """Read who did what in the club."""
    return powers(actor, club).read_history


def side_of(actor: Actor, match: Match) -> str:
    """Return the side that the actor plays on (`SIDES`), or nothing when he is none of the players.

    Those who stand in for somebody are players of the match, and so is whom they stand in for.
    """
    if not actor.reaches(match.tournament.club):
        return ""
    if actor.entry is not None:
        of_entries = {entry.pk: side for side, entries in _by_side(match) for entry in entries}
        return of_entries.get(actor.entry.pk, "")
    if actor.user is None:
        return ""
    people = {pk: side for side, entries in _by_side(match) for pk in _people(match, side, entries)}
    if not people:
        return ""
    players = Player.objects.filter(pk__in=people, user=actor.user).order_by("pk")
    own = players.values_list("pk", flat=True).first()
    return "" if own is None else people[own]


def _by_side(match: Match) -> list[tuple[str, tuple[Entry, ...]]]:
    return list(zip(SIDES, match.sides, strict=False))


def _people(match: Match, side: str, entries: tuple[Entry, ...]) -> set[int]:
    """Return the keys of the players of a side, stand-ins included."""
    people = set(match.lineup.get(side, {}).get("players", ()))
    for entry in entries:
        pair = entry.pair
        people |= {entry.player_id} if pair is None else {pair.first_id, pair.second_id}
    return people - {None}


def plays_in(actor: Actor, match: Match) -> bool:
    """Tell whether the actor is one of the players of the match."""
    return bool(side_of(actor, match))


def may_rule(actor: Actor, match: Match) -> bool:
    """Rule on a dispute or correct a result: an arbiter, never on a match that he plays in."""
    return may_arbitrate(actor, match.tournament.club) and not plays_in(actor, match)


def may_submit(actor: Actor, match: Match) -> bool:
    """Submit a record of the match: the club's people, and who plays in it."""
    return may_vouch(actor, match) or (actor.allows(Scope.SUBMIT) and plays_in(actor, match))


def may_vouch(actor: Actor, match: Match) -> bool:
    """Submit hands of which only the result was written down: the club's people."""
    return powers(actor, match.tournament.club).submit


def may_submit_to(actor: Actor, tournament: Tournament) -> bool:
    """Submit records to the tournament: the club's people, and who plays in it."""
    if powers(actor, tournament.club).submit:
        return True
    if actor.entry is not None:
        return actor.entry.tournament_id == tournament.pk
    if actor.user is None or not actor.reaches(tournament.club):
        return False
    if not actor.allows(Scope.SUBMIT):
        return False
    entered = (
        Q(pairs_as_first__entries__tournament=tournament)
        | Q(pairs_as_second__entries__tournament=tournament)
        | Q(entries__tournament=tournament)
        | Q(substitutions__entry__tournament=tournament)
    )
    return Player.objects.filter(entered, user=actor.user).exists()


def may_see(actor: Actor, tournament: Tournament) -> bool:
    """See the tournament: everybody, once it is no draft."""
    return tournament.state != Tournament.State.DRAFT or is_member(actor, tournament.club)


def may_see_round(actor: Actor, round_: Round) -> bool:
    """See a round and its matches: everybody, once it is published."""
    return round_.state != Round.State.DRAFT or is_member(actor, round_.stage.tournament.club)


def may_see_deals(actor: Actor, match: Match) -> bool:
    """See the cards of a match: everybody.

    While deals are still to be played at other tables, those who have played them, and the club.
    """
    if not match.boards or not match.round.stage.kind.same_deals:
        return True
    return (
        is_member(actor, match.tournament.club)
        or plays_in(actor, match)
        or match.round.stage.deals_are_open
    )


def may_see_record(actor: Actor, record: Record) -> bool:
    """See a record: everybody those that counted; evidence the club and whom it concerns."""
    if record.state in {Record.State.ACCEPTED, Record.State.SUPERSEDED}:
        return may_see_round(actor, record.match.round) and may_see_deals(actor, record.match)
    if actor.user is not None and record.submitted_by_id == actor.user.pk:
        return actor.reaches(record.match.tournament.club)
    return is_member(actor, record.match.tournament.club) or plays_in(actor, record.match)


def may_speak_for(actor: Actor, entry: Entry) -> bool:
    """Check an entry in, ask for its byes, take it out: the club's staff, or its own people."""
    return may_arbitrate(actor, entry.tournament.club) or (
        actor.allows(Scope.SUBMIT) and is_own_entry(actor, entry)
    )


def is_own_entry(actor: Actor, entry: Entry) -> bool:
    """Tell whether the actor is one of an entry's people."""
    if actor.entry is not None:
        return actor.entry.pk == entry.pk
    if actor.user is None or not actor.reaches(entry.tournament.club):
        return False
    people = [entry.player_id]
    if entry.pair is not None:
        people += [entry.pair.first_id, entry.pair.second_id]
    own = [pk for pk in people if pk is not None]
    return Player.objects.filter(pk__in=own, user=actor.user).exists()
