"""Accounts: made by invitation or by the staff, their passwords and their e-mail addresses."""

from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Membership, NewAddress
from tournaments.permissions import Actor
from tournaments.services.sign_ins import end_sign_ins

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
