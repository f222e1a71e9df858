"""Services of accounts: passwords, e-mail addresses, sessions, second factor."""

import ipaddress
import secrets
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tournaments.core import keys
from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.faults import NAME_FAULTS
from tournaments.core.find import or_404, refresh_row
from tournaments.core.permissions import Actor
from tournaments.core.push import end_noted
from tournaments.domain.names import is_invisible
from tournaments.domain.totp import matching_step, step_at
from tournaments.models import Membership, NewAddress, RecoveryCode, SecondFactor, SignIn
from tournaments.models.accounts import MAX_AGENT_LENGTH

# --- Sign-ins -------------------------------------------------------------------------------------
# One row a session. Deleting the session ends it.


SIGN_IN_UPDATE_INTERVAL: Final = timedelta(minutes=5)
"""Precision of a session's last use: at most one write in this time."""

ADDRESS_PREFIX_BITS: Final = {4: 24, 6: 48}
"""Bits of a network address that are stored, by version: enough to recognise one's own network."""


@transaction.atomic
def note_sign_in(user: User, session_key: str, *, agent: str, address: str) -> None:
    """Store that a user's session is in use; delete the rows of sessions that have ended."""
    _delete_ended_sessions(user)
    SignIn.objects.update_or_create(
        session_key=session_key,
        defaults={
            "user": user,
            "agent": agent[:MAX_AGENT_LENGTH],
            "address": truncate_address(address),
            "seen_at": timezone.now(),
        },
    )


def _delete_ended_sessions(user: User) -> None:
    rows = SignIn.objects.filter(user=user)
    keys = set(rows.values_list("session_key", flat=True))
    live = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    rows.filter(session_key__in=keys - set(live.values_list("pk", flat=True))).delete()


def truncate_address(address: str) -> str:
    """Return a network address without its last part: 192.168.1.0, 2001:db8:1::; "" if invalid."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return ""
    network = ipaddress.ip_network((ip, ADDRESS_PREFIX_BITS[ip.version]), strict=False)
    return str(network.network_address)


@transaction.atomic
def end_sign_in(actor: Actor, pk: int) -> None:
    """End one of the actor's own sessions. Refuses NOT_FOUND."""
    row = SignIn.objects.filter(pk=pk, user=actor.user).first()
    if row is None or actor.user is None or actor.token is not None:
        raise Refusal(Reason.NOT_FOUND)
    _delete_sessions([row.session_key])


@transaction.atomic
def end_sign_ins(user: User, *, keep: str | None) -> int:
    """End all sessions of a user except the one with key ``keep``; return how many."""
    rows = SignIn.objects.filter(user=user).exclude(session_key=keep or "")
    keys = list(rows.values_list("session_key", flat=True))
    _delete_sessions(keys)
    return len(keys)


def _delete_sessions(keys: list[str]) -> None:
    sessions = Session.objects.filter(session_key__in=keys)
    for session in sessions:
        end_noted(session.get_decoded())
    sessions.delete()
    SignIn.objects.filter(session_key__in=keys).delete()


# --- Accounts -------------------------------------------------------------------------------------
# Creating accounts, changing passwords and e-mail addresses.


ADDRESS_LINK: Final = "baza.address"
ADDRESS_LINK_LASTS: Final = 3 * 24 * 3600  # seconds
FIRST_ACCOUNT_LINK: Final = "baza.first_account"
FIRST_ACCOUNT_LINK_LASTS: Final = 24 * 3600  # seconds


def require_user(actor: Actor) -> User:
    """Return the user who acts in person, not by a token. Refuses SIGN_IN, FORBIDDEN."""
    if actor.user is None:
        raise Refusal(Reason.SIGN_IN)
    if actor.token is not None:
        raise Refusal(Reason.FORBIDDEN)
    return actor.user


def write_account_events(actor: Actor, user: User, verb: str) -> None:
    """Write a change of a user's account into the history of each club where they have a role."""
    memberships = Membership.objects.filter(user=user).select_related("club", "user")
    for membership in memberships.order_by("club_id"):
        write_event(actor, verb, membership, club=membership.club, user=user.get_username())


@transaction.atomic
def create_account(username: str, password: str | None) -> User:
    """Create an account; without a password, nobody can sign in before a link has set one.

    The caller has checked that there is an invitation, or that the actor is staff. Refuses
    BAD_USERNAME, NAME_TAKEN, BAD_PASSWORD.
    """
    user = User(username=User.normalize_username(username.strip()))
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        reason = " ".join(error.messages)
        raise Refusal(Reason.BAD_USERNAME, text=username[:60], why=reason) from error
    if any(map(is_invisible, user.username)):  # Django lets blank letters pass, as letters
        reason = str(NAME_FAULTS["bad_character"])
        raise Refusal(Reason.BAD_USERNAME, text=username[:60], why=reason)
    _set_password(user, password)
    # One account at a time, by the lock of a row that is always there: the database lets two names
    # differ in case alone, and on PostgreSQL neither transaction sees the other's name.
    ContentType.objects.select_for_update(no_key=True).get(app_label="auth", model="user")
    if User.objects.filter(username__iexact=user.username).exists():
        raise Refusal(Reason.NAME_TAKEN, text=user.username)
    user.save()
    return user


def first_account_proof() -> str:
    """Return the signed text of a link that makes the first account, valid for a day."""
    return signing.dumps("first", salt=FIRST_ACCOUNT_LINK)


def find_first_account(proof: str) -> None:
    """Refuse NOT_FOUND for a link that is invalid or too old, or once there is any account."""
    try:
        signing.loads(proof, salt=FIRST_ACCOUNT_LINK, max_age=FIRST_ACCOUNT_LINK_LASTS)
    except signing.BadSignature as error:
        raise Refusal(Reason.NOT_FOUND) from error
    if User.objects.exists():
        raise Refusal(Reason.NOT_FOUND)


@transaction.atomic
def create_first_account(proof: str, username: str, password: str) -> User:
    """Create the first account, a superuser, by a link.

    Nothing of the link is stored: with the first account every link is used up. Refuses NOT_FOUND,
    BAD_USERNAME, BAD_PASSWORD.
    """
    find_first_account(proof)
    user = create_account(username, password)
    # `create_account` holds the lock under which accounts are made: two presses at once make one.
    if User.objects.exclude(pk=user.pk).exists():
        raise Refusal(Reason.NOT_FOUND)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
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


def refuse_last_superuser(user: User) -> None:
    """Refuse LAST_SUPERUSER if the user is the only active one; locks all superusers.

    Call it in the transaction that erases, demotes or suspends the user.
    """
    rulers = User.objects.select_for_update().filter(is_active=True, is_superuser=True)
    if {ruler.pk for ruler in rulers.order_by("pk")} == {user.pk}:
        raise Refusal(Reason.LAST_SUPERUSER)


@transaction.atomic
def check_password(actor: Actor, password: str) -> User:
    """Return the actor's user, locked, if the password is right.

    The lock holds for the caller's transaction: nobody sets another password before its change.
    Refuses SIGN_IN, FORBIDDEN, NOT_FOUND for an account that was erased meanwhile, WRONG_PASSWORD.
    """
    user = refresh_row(User.objects.select_for_update(), require_user(actor))
    if not user.check_password(password):
        raise Refusal(Reason.WRONG_PASSWORD)
    return user


@transaction.atomic
def change_password(actor: Actor, old: str, new: str, *, keep: str | None) -> User:
    """Change the actor's password and end all their sessions except the one with key ``keep``.

    Refuses as :func:`check_password`, and BAD_PASSWORD.
    """
    user = check_password(actor, old)
    _set_password(user, new)
    user.save(update_fields=["password"])
    _note_new_password(actor, user, keep=keep)
    return user


@transaction.atomic
def reset_password(user: User, token: str, new: str) -> None:
    """Set a password by the token of a link, and end all the user's sessions.

    Refuses NOT_FOUND for a token that was used, and BAD_PASSWORD.
    """
    user = refresh_row(User.objects.select_for_update(), user)
    # A token is made of the password too. Under the lock, it is refused once that has changed.
    if not default_token_generator.check_token(user, token):
        raise Refusal(Reason.NOT_FOUND)
    _set_password(user, new)
    user.save(update_fields=["password"])
    _note_new_password(Actor.for_user(user), user, keep=None)


def _note_new_password(actor: Actor, user: User, *, keep: str | None) -> None:
    """End what may have been begun with the old password: sessions, a change of the address."""
    end_sign_ins(user, keep=keep)
    NewAddress.objects.filter(user=user).delete()
    write_account_events(actor, user, "member.password_changed")


def reset_path(user: User) -> tuple[str, str]:
    """Return the two parts of a link that sets a password: encoded user key, and token."""
    uidb64 = urlsafe_base64_encode(force_bytes(user.pk))
    return uidb64, default_token_generator.make_token(user)


@transaction.atomic
def request_address_change(actor: Actor, password: str, email: str) -> str:
    """Store the address that the actor wants; return the proof for the link that confirms it.

    Refuses SIGN_IN, FORBIDDEN, WRONG_PASSWORD, BAD_ADDRESS.
    """
    return store_unconfirmed_address(check_password(actor, password), email)


def store_unconfirmed_address(user: User, email: str) -> str:
    """Store an unconfirmed address; return the proof for its link. Refuses BAD_ADDRESS."""
    email = User.objects.normalize_email(email.strip())
    try:
        NewAddress._meta.get_field("email").clean(email, None)  # also its length
        email.rpartition("@")[2].encode("idna")  # as mail is addressed; Django checks less
    except (ValidationError, UnicodeError) as error:
        raise Refusal(Reason.BAD_ADDRESS, text=email[:60]) from error
    NewAddress.objects.update_or_create(user=user, defaults={"email": email})
    return address_proof(user, email)


def address_proof(user: User, email: str) -> str:
    """Return the signed text of a link that confirms an address, valid for three days."""
    return signing.dumps({"user": user.pk, "email": email}, salt=ADDRESS_LINK)


@transaction.atomic
def confirm_address(proof: str) -> User:
    """Set the address that a link confirms. Refuses NOT_FOUND, ADDRESS_TAKEN."""
    new_address = address_of_link(proof)
    # All who want it, so that of two accounts at once the second finds it taken.
    same = NewAddress.objects.select_for_update().filter(email__iexact=new_address.email)
    new_address = or_404({row.pk: row for row in same.order_by("pk")}.get(new_address.pk))
    user = User.objects.select_for_update().get(pk=new_address.user_id)
    others = User.objects.filter(email__iexact=new_address.email).exclude(pk=user.pk)
    if others.exists():
        raise Refusal(Reason.ADDRESS_TAKEN)
    user.email = new_address.email
    user.save(update_fields=["email"])
    new_address.delete()
    write_account_events(Actor.for_user(user), user, "member.address_confirmed")
    return user


def address_of_link(proof: str) -> NewAddress:
    """Return the address that a link confirms. Refuses NOT_FOUND for an invalid link."""
    try:
        payload: dict[str, Any] = signing.loads(
            proof, salt=ADDRESS_LINK, max_age=ADDRESS_LINK_LASTS
        )
    except signing.BadSignature as error:
        raise Refusal(Reason.NOT_FOUND) from error
    return or_404(NewAddress.objects.filter(user=payload["user"], email=payload["email"]).first())


# --- Second factors -------------------------------------------------------------------------------
# An authenticator app (TOTP), and recovery codes in case the phone is lost.


RECOVERY_CODE_COUNT: Final = 10
"""Recovery codes of a user."""

RECOVERY_CODE_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Alphabet of the codes, without letters and digits that look alike."""

RECOVERY_CODE_LENGTH: Final = 10  # letters of a code: 49 bits

# Five wrong codes close the second step for a quarter of an hour: at most 480 guesses a day, of a
# million codes (docs/decisions/accounts.md).
MAX_FAILURES: Final = 5
LOCKOUT_PERIOD: Final = timedelta(minutes=15)


@transaction.atomic
def begin_second_factor(actor: Actor) -> SecondFactor:
    """Return the unconfirmed second factor of the actor, creating it if needed.

    Refuses SIGN_IN, FORBIDDEN, NOT_FOUND if one is confirmed: its secret is never shown again.
    """
    user = require_user(actor)
    if has_second_factor(user):
        raise Refusal(Reason.NOT_FOUND)
    fresh = {"seed": SecondFactor.fresh_seed()}
    factor, _made = SecondFactor.objects.get_or_create(user=user, defaults=fresh)
    if not factor.secret:  # begun under a key that is lost
        factor.seed = SecondFactor.fresh_seed()
        factor.save(update_fields=["seed"])
    return factor


def confirm_second_factor(actor: Actor, code: str, *, keep: str | None) -> tuple[str, ...]:
    """Confirm the second factor by its first code; return the recovery codes, shown only once.

    All other sessions end, so that every session has proved or set up the factor. Refuses SIGN_IN,
    FORBIDDEN, NOT_FOUND as :func:`begin_second_factor`, WRONG_ONE_TIME_CODE, ONE_TIME_CODES_CLOSED.
    """
    user = require_user(actor)
    begin_second_factor(actor)
    _raise_refusal(_check_code(user, code, confirming=True))
    with transaction.atomic():
        codes = _fresh_codes(user)
        end_sign_ins(user, keep=keep)
        write_account_events(actor, user, "member.second_factor_set")
    return codes


def check_second_factor(user: User, code: str) -> None:
    """Check a code of the app or a recovery code.

    Refuses WRONG_ONE_TIME_CODE, and ONE_TIME_CODES_CLOSED after five of those in a row.
    """
    _raise_refusal(_check_code(user, code, confirming=False))


def _raise_refusal(reason: Reason | None) -> None:
    if reason is not None:
        raise Refusal(reason)


@transaction.atomic
def _check_code(user: User, code: str, *, confirming: bool) -> Reason | None:
    """Check a code and count failures; return the reason of a refusal.

    The caller raises it after this transaction, so that the count is not rolled back.
    """
    now = timezone.now()
    factor = SecondFactor.objects.select_for_update().filter(user=user).first()
    if factor is None or (factor.confirmed_at is None and not confirming):
        return Reason.WRONG_ONE_TIME_CODE
    if factor.closed_until is not None and factor.closed_until > now:
        return Reason.ONE_TIME_CODES_CLOSED
    typed = "".join(code.split()).lower().replace("-", "")
    step = None
    for secret in factor.possible_secrets:
        step = matching_step(secret, typed, step_at(now.timestamp()), factor.last_step)
        if step is not None:
            if not factor.is_sealed:
                factor.seed = keys.seal(factor.SALT, secret)
            break
    if step is None and (confirming or not _use_recovery_code(user, typed)):
        factor.failures += 1
        if factor.failures >= MAX_FAILURES:
            factor.failures, factor.closed_until = 0, now + LOCKOUT_PERIOD
        factor.save(update_fields=["failures", "closed_until"])
        return Reason.WRONG_ONE_TIME_CODE
    factor.failures, factor.closed_until = 0, None
    factor.last_step = factor.last_step if step is None else step
    if confirming:
        factor.confirmed_at = now
    factor.save()
    return None


def _use_recovery_code(user: User, code: str) -> bool:
    """Use up a recovery code; return False if it is none."""
    digests = RecoveryCode.digests_of(user.pk, code)
    rows = RecoveryCode.objects.filter(user=user, digest__in=digests, used_at=None)
    if not rows.update(used_at=timezone.now()):
        return False
    write_account_events(Actor.for_user(user), user, "member.recovery_code_used")
    return True


def _fresh_codes(user: User) -> tuple[str, ...]:
    """Replace a user's recovery codes, and return the new ones."""
    # Locked: two requests at once would each leave the codes of the other.
    or_404(SecondFactor.objects.select_for_update().filter(user=user).first())
    RecoveryCode.objects.filter(user=user).delete()
    codes = [
        "".join(secrets.choice(RECOVERY_CODE_LETTERS) for _ in range(RECOVERY_CODE_LENGTH))
        for _ in range(RECOVERY_CODE_COUNT)
    ]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, digest=RecoveryCode.digest_of(user.pk, code)) for code in codes
    )
    return tuple(f"{code[:5]}-{code[5:]}" for code in codes)


def renew_recovery_codes(actor: Actor, password: str, code: str) -> tuple[str, ...]:
    """Replace the actor's recovery codes, and return the new ones.

    Refuses as :func:`_check_password_and_code`.
    """
    user = _check_password_and_code(actor, password, code)
    with transaction.atomic():
        codes = _fresh_codes(user)
        write_account_events(actor, user, "member.recovery_codes_made")
    return codes


def remove_second_factor(actor: Actor, password: str, code: str) -> None:
    """Remove the actor's second factor. Refuses as :func:`_check_password_and_code`."""
    user = _check_password_and_code(actor, password, code)
    with transaction.atomic():
        _delete_second_factor(actor, user)


def _check_password_and_code(actor: Actor, password: str, code: str) -> User:
    """Return the actor's user if the password and a code of the app, or a recovery code, are right.

    Runs in no transaction of the caller's, which would undo the count of wrong codes. Refuses
    SIGN_IN, FORBIDDEN, WRONG_PASSWORD, NOT_FOUND without a second factor, WRONG_ONE_TIME_CODE,
    ONE_TIME_CODES_CLOSED.
    """
    user = check_password(actor, password)
    if not has_second_factor(user):
        raise Refusal(Reason.NOT_FOUND)
    check_second_factor(user, code)
    return user


@transaction.atomic
def reset_second_factor(actor: Actor, user: User) -> None:
    """Remove a user's second factor and sessions, after the loss of phone and recovery codes.

    For the service itself, by `manage.py`. Refuses FORBIDDEN.
    """
    if not actor.is_system:
        raise Refusal(Reason.FORBIDDEN)
    _delete_second_factor(actor, user)
    end_sign_ins(user, keep=None)


def _delete_second_factor(actor: Actor, user: User) -> None:
    RecoveryCode.objects.filter(user=user).delete()
    SecondFactor.objects.filter(user=user).delete()
    write_account_events(actor, user, "member.second_factor_removed")


def has_second_factor(user: User) -> bool:
    """Return whether a user has a confirmed second factor."""
    return SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists()
