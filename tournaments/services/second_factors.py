"""The second factor: an authenticator app, and recovery codes for when the phone is lost."""

import secrets
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.domain.totp import matching_step, step_at
from tournaments.errors import Reason, Refusal
from tournaments.models import RecoveryCode, SecondFactor
from tournaments.permissions import Actor
from tournaments.services.accounts import check_password, in_person, tell_clubs
from tournaments.services.sign_ins import end_sign_ins

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
