"""Pages of an account, of the members of a club, of invitations and tokens."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils import timezone

from tournaments.core.db import row_of
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club, or_404
from tournaments.core.permissions import (
    Actor,
    is_blocked_without_second_factor,
    may_administer,
    may_revoke,
    refuse_unless,
)
from tournaments.domain.names import sort_key
from tournaments.models import (
    ApiToken,
    Bot,
    Club,
    Invitation,
    Membership,
    NewAddress,
    Player,
    RecoveryCode,
    SecondFactor,
    SignIn,
)

# --- Accounts -------------------------------------------------------------------------------------
# The viewer's own account: address, second factor, sessions, clubs.


@dataclass(frozen=True, slots=True)
class SignInRow:
    """A session: user agent, truncated address, times; ``this`` marks the current one."""

    pk: int
    agent: str
    address: str
    began_at: datetime
    seen_at: datetime
    this: bool


@dataclass(frozen=True, slots=True)
class AccountRole:
    """A user's role in a club, or one of its players."""

    club_slug: str
    club_name: str
    role: str
    player: str


@dataclass(frozen=True, slots=True)
class AccountPage:
    """An account. ``codes_left`` counts recovery codes; ``held_back``: a factor must be set up."""

    username: str
    email: str
    new_email: str
    has_factor: bool
    codes_left: int
    held_back: bool
    sign_ins: tuple[SignInRow, ...]
    belongings: tuple[AccountRole, ...]


def account_page(viewer: Actor, session_key: str | None) -> AccountPage:
    """Return the viewer's own account: seven queries, six without a session.

    Refuses SIGN_IN.
    """
    user = viewer.user
    if user is None:
        raise Refusal(Reason.SIGN_IN)
    address = NewAddress.objects.filter(user=user).first()
    return AccountPage(
        username=user.get_username(),
        email=user.email,
        new_email=address.email if address else "",
        has_factor=SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists(),
        codes_left=RecoveryCode.objects.filter(user=user, used_at=None).count(),
        held_back=is_blocked_without_second_factor(viewer),
        sign_ins=_sign_ins(user, session_key),
        belongings=_account_roles(user),
    )


def _sign_ins(user: User, session_key: str | None) -> tuple[SignInRow, ...]:
    """Return the live sessions, the current one first."""
    rows = list(SignIn.objects.filter(user=user))
    keys = [row.session_key for row in rows]
    living = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    live = set(living.values_list("pk", flat=True))
    sessions = [
        row_of(SignInRow, row, this=row.session_key == session_key)
        for row in rows
        if row.session_key in live
    ]
    return tuple(sorted(sessions, key=lambda row: not row.this))


def _account_roles(user: User) -> tuple[AccountRole, ...]:
    memberships = Membership.objects.filter(user=user).select_related("club")
    players = Player.objects.filter(user=user).select_related("club")
    return (
        *(AccountRole(m.club.slug, m.club.name, m.get_role_display(), "") for m in memberships),
        *(AccountRole(p.club.slug, p.club.name, "", p.name) for p in players),
    )


def active_user(pk: int | None) -> User | None:
    """Return an active user, or None; one query."""
    return None if pk is None else User.objects.filter(pk=pk, is_active=True).first()


# --- Invitations ----------------------------------------------------------------------------------
# Staff of a club, its open invitations, the tokens of its programs.


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member of the club; ``alone``: the only organiser, whose role cannot be changed."""

    pk: int
    username: str
    role: str
    is_organiser: bool
    has_factor: bool
    alone: bool
    you: bool


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """An invitation that can still be accepted."""

    key: str
    role: str
    player: str
    note: str
    invited_by: str
    expires_at: datetime
    uses: int
    most_uses: int


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token of a program; ``is_live`` unless it was revoked or has expired."""

    pk: int
    name: str
    key: str
    username: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    is_live: bool


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Staff and open invitations of a club; ``players``: key and name of those without account."""

    slug: str
    name: str
    members: tuple[MemberRow, ...]
    invitations: tuple[InvitationRow, ...]
    players: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class TokensPage:
    """A club's tokens, newest first."""

    slug: str
    name: str
    tokens: tuple[TokenRow, ...]


def people_page(slug: str, viewer: Actor) -> PeoplePage:
    """Return staff and invitations of a club, for its organisers.

    Five queries, and one for each user who made an open invitation. Refuses FORBIDDEN.
    """
    club = _find_administered_club(slug, viewer)
    members = Membership.objects.filter(club=club).select_related("user__second_factor")
    rows = list(members.order_by("-role", "user__username"))
    organisers = sum(row.role == Membership.Role.ORGANISER for row in rows)
    players = club.players.filter(user=None, same_as=None).values_list("pk", "name")
    return PeoplePage(
        slug=club.slug,
        name=club.name,
        members=tuple(_member(row, organisers, viewer) for row in rows),
        invitations=_open_invitations(club),
        players=tuple(sorted(players, key=lambda player: sort_key(player[1]))),
    )


def _member(row: Membership, organisers: int, viewer: Actor) -> MemberRow:
    organises = row.role == Membership.Role.ORGANISER
    factor = getattr(row.user, "second_factor", None)
    return MemberRow(
        pk=row.user_id,
        username=row.user.get_username(),
        role=row.get_role_display(),
        is_organiser=organises,
        has_factor=factor is not None and factor.confirmed_at is not None,
        alone=organises and organisers == 1,
        you=row.user == viewer.user,
    )


def _open_invitations(club: Club) -> tuple[InvitationRow, ...]:
    """Return the invitations that can still be accepted: their inviters may still invite."""
    rows = Invitation.objects.filter(
        club=club, revoked_at=None, expires_at__gt=timezone.now(), uses__lt=F("most_uses")
    ).select_related("player", "invited_by__second_factor")
    inviters = {row.invited_by for row in rows}
    inviters = {user for user in inviters if may_administer(Actor.for_user(user), club)}
    return tuple(
        row_of(
            InvitationRow,
            row,
            role=row.get_role_display(),
            player=row.player.name if row.player else "",
            invited_by=row.invited_by.get_username() if row.invited_by else "",
        )
        for row in rows
        if row.invited_by in inviters
    )


def tokens_page(slug: str, viewer: Actor) -> TokensPage:
    """Return the tokens of a club, for its organisers: three queries. Refuses FORBIDDEN."""
    club = _find_administered_club(slug, viewer)
    now = timezone.now()
    return TokensPage(
        slug=club.slug,
        name=club.name,
        tokens=tuple(
            _token(row, now) for row in ApiToken.objects.filter(club=club).select_related("user")
        ),
    )


def _token(row: ApiToken, now: datetime) -> TokenRow:
    return row_of(
        TokenRow,
        row,
        username=row.user.get_username(),
        scopes=tuple(str(ApiToken.Scope(scope).label) for scope in row.scopes),
        is_live=row.revoked_at is None and (row.expires_at is None or row.expires_at > now),
    )


def _find_administered_club(slug: str, viewer: Actor) -> Club:
    club = find_club(slug)
    refuse_unless(may_administer(viewer, club), viewer)
    return club


def find_member(slug: str, user_pk: int, viewer: Actor) -> Membership:
    """Return a user's membership in a club, for its organisers. Refuses FORBIDDEN, NOT_FOUND."""
    club = _find_administered_club(slug, viewer)
    members = Membership.objects.select_related("user", "club")
    return or_404(members.filter(club=club, user__id=user_pk).first())


def find_invitation(slug: str, key: str, viewer: Actor) -> Invitation:
    """Return an invitation of a club, for its organisers. Refuses FORBIDDEN, NOT_FOUND."""
    club = _find_administered_club(slug, viewer)
    return or_404(Invitation.objects.select_related("club").filter(club=club, key=key).first())


def find_token(slug: str, pk: int, viewer: Actor) -> ApiToken:
    """Return a token, for its user and the organisers. Refuses FORBIDDEN, NOT_FOUND."""
    club = find_club(slug)
    token = ApiToken.objects.select_related("club").filter(club=club, pk=pk).first()
    allowed = may_administer(viewer, club) or (token is not None and may_revoke(viewer, token))
    refuse_unless(allowed, viewer)
    return or_404(token)


def bot_tokens(bot: Bot, viewer: Actor) -> tuple[TokenRow, ...]:
    """Return the viewer's own tokens that run bots in the club of a bot: one query."""
    rows = ApiToken.objects.filter(club=bot.club, user=viewer.user).select_related("user")
    now = timezone.now()
    return tuple(_token(row, now) for row in rows if ApiToken.Scope.BOTS in row.scopes)
