"""Accounts: passwords, e-mail addresses, sign-ins, second factor."""

import ipaddress
import secrets
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.domain.totp import matching_step, step_at
from tournaments.models import Membership, NewAddress, RecoveryCode, SecondFactor, SignIn
from tournaments.models.accounts import LONGEST_AGENT

# --- Sign ins -------------------------------------------------------------------------------------
# Where people are signed in: a row a session, ended by taking the session away.


SEEN_EVERY: Final = timedelta(minutes=5)
"""How exactly it is known when a session was last used."""

KEPT_BITS: Final = {4: 24, 6: 48}
"""Of a network address, by version: enough to know one's own place again."""


@transaction.atomic
def note_sign_in(user: User, session_key: str, *, agent: str, address: str) -> None:
    """Note that a user's session is in use; rows of sessions that are no more go."""
    _forget_dead(user)
    SignIn.objects.update_or_create(
        session_key=session_key,
        defaults={
            "user": user,
            "agent": agent[:LONGEST_AGENT],
            "address": shortened(address),
            "seen_at": timezone.now(),
        },
    )


def _forget_dead(user: User) -> None:
    rows = SignIn.objects.filter(user=user)
    keys = set(rows.values_list("session_key", flat=True))
    live = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    rows.filter(session_key__in=keys - set(live.values_list("pk", flat=True))).delete()


def shortened(address: str) -> str:
    """Return a network address without its last part: 192.168.1.0, 2001:db8:1::; or nothing."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return ""
    network = ipaddress.ip_network((known, KEPT_BITS[known.version]), strict=False)
    return str(network.network_address)


@transaction.atomic
def end_sign_in(actor: Actor, pk: int) -> None:
    """End one of one's own sessions. Refuses NOT_FOUND."""
    row = SignIn.objects.filter(pk=pk, user=actor.user).first()
    if row is None or actor.user is None or actor.token is not None:
        raise Refusal(Reason.NOT_FOUND)
    _end([row.session_key])


@transaction.atomic
def end_sign_ins(user: User, *, keep: str | None) -> int:
    """End all sessions of a user, but the one that is called ``keep``; answers how many."""
    rows = SignIn.objects.filter(user=user).exclude(session_key=keep or "")
    keys = list(rows.values_list("session_key", flat=True))
    _end(keys)
    return len(keys)


def _end(keys: list[str]) -> None:
    Session.objects.filter(session_key__in=keys).delete()
    SignIn.objects.filter(session_key__in=keys).delete()


# --- Accounts -------------------------------------------------------------------------------------
# Accounts: made by invitation or by the staff, their passwords and their e-mail addresses.


ADDRESS_LINK: Final = "baza.address"
ADDRESS_LINK_LASTS: Final = 3 * 24 * 3600  # seconds


def in_person(actor: Actor) -> User:
    """Return who acts for himself, not by a program. Refuses SIGN_IN, FORBIDDEN."""
    if actor.user is None:
        raise Refusal(Reason.SIGN_IN)
    if actor.token is not None:
        raise Refusal(Reason.FORBIDDEN)
    return actor.user


def tell_clubs(actor: Actor, user: User, verb: str) -> None:
    """Write what a user did to his account into the history of each club he works for."""
    memberships = Membership.objects.filter(user=user).select_related("club", "user")
    for membership in memberships.order_by("club_id"):
        write_event(actor, verb, membership, club=membership.club, user=user.get_username())


@transaction.atomic
def create_account(username: str, password: str | None) -> User:
    """Make an account; without a password nobody signs in before a link has set one.

    Whoever calls has checked that it is by invitation, or is the staff. Refuses BAD_USERNAME,
    NAME_TAKEN, BAD_PASSWORD.
    """
    user = User(username=User.normalize_username(username.strip()))
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        why = " ".join(error.messages)
        raise Refusal(Reason.BAD_USERNAME, text=username[:60], why=why) from error
    if User.objects.filter(username__iexact=user.username).exists():
        raise Refusal(Reason.NAME_TAKEN, text=user.username)
    _set_password(user, password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise Refusal(Reason.NAME_TAKEN, text=user.username) from error
    return user


def _set_password(user: User, password: str | None) -> None:
    if password is None:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refusal(Reason.BAD_PASSWORD, why=" ".join(error.messages)) from error
    user.set_password(password)


def refuse_to_lose_the_last_superuser(user: User) -> None:
    """Refuse LAST_SUPERUSER when nobody else may run the service; locks those who may.

    To be asked in the transaction that erases, demotes or suspends somebody.
    """
    rulers = User.objects.select_for_update().filter(is_active=True, is_superuser=True)
    if {ruler.pk for ruler in rulers.order_by("pk")} == {user.pk}:
        raise Refusal(Reason.LAST_SUPERUSER)


def check_password(actor: Actor, password: str) -> User:
    """Return who acts, once he has given his password. Refuses SIGN_IN, WRONG_PASSWORD."""
    user = in_person(actor)
    if not user.check_password(password):
        raise Refusal(Reason.WRONG_PASSWORD)
    return user


@transaction.atomic
def change_password(actor: Actor, old: str, new: str, *, keep: str | None) -> User:
    """Change one's own password and end all one's other sessions but the one called ``keep``.

    Refuses SIGN_IN, FORBIDDEN, WRONG_PASSWORD, BAD_PASSWORD.
    """
    user = check_password(actor, old)
    _set_password(user, new)
    user.save(update_fields=["password"])
    end_sign_ins(user, keep=keep)
    tell_clubs(actor, user, "member.password_changed")
    return user


@transaction.atomic
def note_password_reset(user: User) -> None:
    """End all sessions of somebody who has set his password by a link."""
    end_sign_ins(user, keep=None)
    tell_clubs(Actor.of(user), user, "member.password_changed")


def reset_path(user: User) -> tuple[str, str]:
    """Return the two parts of a link by which somebody sets his password: who, and the proof."""
    who = urlsafe_base64_encode(force_bytes(user.pk))
    return who, default_token_generator.make_token(user)


@transaction.atomic
def ask_for_address(actor: Actor, password: str, email: str) -> str:
    """Note the address that somebody wants; answers what the link to confirm it holds.

    Refuses SIGN_IN, FORBIDDEN, WRONG_PASSWORD, BAD_ADDRESS.
    """
    return note_address(check_password(actor, password), email)


def note_address(user: User, email: str) -> str:
    """Note an address to be confirmed; answers what the link holds. Refuses BAD_ADDRESS."""
    email = User.objects.normalize_email(email.strip())
    try:
        validate_email(email)
    except ValidationError as error:
        raise Refusal(Reason.BAD_ADDRESS, text=email[:60]) from error
    NewAddress.objects.update_or_create(user=user, defaults={"email": email})
    return address_proof(user, email)


def address_proof(user: User, email: str) -> str:
    """Return what a link holds that confirms an address; good for three days from now."""
    return signing.dumps({"user": user.pk, "email": email}, salt=ADDRESS_LINK)


@transaction.atomic
def confirm_address(proof: str) -> User:
    """Take the address over that a link confirms. Refuses NOT_FOUND, ADDRESS_TAKEN."""
    wanted = address_wanted(proof)
    user = User.objects.select_for_update().get(pk=wanted.user_id)
    others = User.objects.filter(email__iexact=wanted.email).exclude(pk=user.pk)
    if others.exists():
        raise Refusal(Reason.ADDRESS_TAKEN)
    user.email = wanted.email
    user.save(update_fields=["email"])
    wanted.delete()
    tell_clubs(Actor.of(user), user, "member.address_confirmed")
    return user


def address_wanted(proof: str) -> NewAddress:
    """Return the address that a link confirms. Refuses NOT_FOUND for a link that is dead."""
    try:
        held: dict[str, Any] = signing.loads(proof, salt=ADDRESS_LINK, max_age=ADDRESS_LINK_LASTS)
    except signing.BadSignature as error:
        raise Refusal(Reason.NOT_FOUND) from error
    found = NewAddress.objects.filter(user=held["user"], email=held["email"]).first()
    if found is None:
        raise Refusal(Reason.NOT_FOUND)
    return found


# --- Second factors -------------------------------------------------------------------------------
# The second factor: an authenticator app, and recovery codes for when the phone is lost.


CODES: Final = 10
"""Recovery codes that are handed out at once."""

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What they are made of: nothing that is misread."""

LENGTH: Final = 10  # letters of a code: 49 bits

MOST_FAILURES: Final = 5
CLOSED_FOR: Final = timedelta(minutes=15)


@transaction.atomic
def begin_second_factor(actor: Actor) -> SecondFactor:
    """Return the app that is being set up; a new secret, unless one waits to be confirmed.

    Refuses SIGN_IN, FORBIDDEN, NOT_FOUND when one is set up already: its secret is not told again.
    """
    user = in_person(actor)
    if has_second_factor(user):
        raise Refusal(Reason.NOT_FOUND)
    fresh = {"seed": SecondFactor.fresh_seed()}
    factor, _made = SecondFactor.objects.get_or_create(user=user, defaults=fresh)
    if not factor.secret:  # begun under a key that is no more
        factor.seed = SecondFactor.fresh_seed()
        factor.save(update_fields=["seed"])
    return factor


def confirm_second_factor(actor: Actor, code: str, *, keep: str | None) -> tuple[str, ...]:
    """Turn the app on by its first code; answers the recovery codes, shown once.

    All other sessions end, so that every session has proved or set up the factor. Refuses SIGN_IN,
    FORBIDDEN, NOT_FOUND as :func:`begin_second_factor`, WRONG_ONE_TIME_CODE,
    ONE_TIME_CODES_CLOSED.
    """
    user = in_person(actor)
    begin_second_factor(actor)
    _refuse_unless_taken(_try(user, code, confirming=True))
    with transaction.atomic():
        codes = _fresh_codes(user)
        end_sign_ins(user, keep=keep)
        tell_clubs(actor, user, "member.second_factor_set")
    return codes


def check_second_factor(user: User, code: str) -> None:
    """Take a code of the app, or a recovery code, at sign-in.

    Refuses WRONG_ONE_TIME_CODE, ONE_TIME_CODES_CLOSED after five of those in a row.
    """
    _refuse_unless_taken(_try(user, code, confirming=False))


def _refuse_unless_taken(reason: Reason | None) -> None:
    if reason is not None:
        raise Refusal(reason)


@transaction.atomic
def _try(user: User, code: str, *, confirming: bool) -> Reason | None:
    """Look at a code and count it when it is wrong; the count outlives the refusal."""
    now = timezone.now()
    factor = SecondFactor.objects.select_for_update().filter(user=user).first()
    if factor is None or (factor.confirmed_at is None and not confirming):
        return Reason.WRONG_ONE_TIME_CODE
    if factor.closed_until is not None and factor.closed_until > now:
        return Reason.ONE_TIME_CODES_CLOSED
    typed = "".join(code.split()).lower().replace("-", "")
    step = None
    if secret := factor.secret:
        step = matching_step(secret, typed, step_at(now.timestamp()), factor.last_step)
    if step is None and (confirming or not _spend(user, typed)):
        factor.failures += 1
        if factor.failures >= MOST_FAILURES:
            factor.failures, factor.closed_until = 0, now + CLOSED_FOR
        factor.save(update_fields=["failures", "closed_until"])
        return Reason.WRONG_ONE_TIME_CODE
    factor.failures, factor.closed_until = 0, None
    factor.last_step = factor.last_step if step is None else step
    if confirming:
        factor.confirmed_at = now
    factor.save()
    return None


def _spend(user: User, code: str) -> bool:
    """Use a recovery code up, if it is one."""
    digests = RecoveryCode.digests_of(user.pk, code)
    rows = RecoveryCode.objects.filter(user=user, digest__in=digests, used_at=None)
    if not rows.update(used_at=timezone.now()):
        return False
    tell_clubs(Actor.of(user), user, "member.recovery_code_used")
    return True


def _fresh_codes(user: User) -> tuple[str, ...]:
    """Give a user new recovery codes in place of the old ones, and return them."""
    RecoveryCode.objects.filter(user=user).delete()
    codes = ["".join(secrets.choice(LETTERS) for _ in range(LENGTH)) for _ in range(CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, digest=RecoveryCode.digest_of(user.pk, code)) for code in codes
    )
    return tuple(f"{code[:5]}-{code[5:]}" for code in codes)


@transaction.atomic
def renew_recovery_codes(actor: Actor, password: str) -> tuple[str, ...]:
    """Answer new recovery codes; the old ones are worth nothing.

    Refuses SIGN_IN, FORBIDDEN, WRONG_PASSWORD, NOT_FOUND without a second factor.
    """
    user = check_password(actor, password)
    if not has_second_factor(user):
        raise Refusal(Reason.NOT_FOUND)
    codes = _fresh_codes(user)
    tell_clubs(actor, user, "member.recovery_codes_made")
    return codes


@transaction.atomic
def remove_second_factor(actor: Actor, password: str) -> None:
    """Do without one's second factor. Refuses SIGN_IN, FORBIDDEN, WRONG_PASSWORD."""
    _remove(actor, check_password(actor, password))


@transaction.atomic
def reset_second_factor(actor: Actor, user: User) -> None:
    """Take the second factor of somebody away who has lost phone and codes, and his sessions.

    For the service itself, by `manage.py`. Refuses FORBIDDEN.
    """
    if not actor.is_system:
        raise Refusal(Reason.FORBIDDEN)
    _remove(actor, user)
    end_sign_ins(user, keep=None)


def _remove(actor: Actor, user: User) -> None:
    RecoveryCode.objects.filter(user=user).delete()
    SecondFactor.objects.filter(user=user).delete()
    tell_clubs(actor, user, "member.second_factor_removed")


def has_second_factor(user: User) -> bool:
    """Tell whether a user's app is set up."""
    return SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists()
