"""Mails with a link: queued as a row in a transaction, sent by a worker afterwards.

The row decides what is sent, the job only wakes a worker, and a sweep finds what was missed. The
link is made when the mail is sent, so a row contains no credential. A mail is sent once, unless a
worker dies between the mail server's answer and deleting the row: then it is sent twice, a minute
apart.
"""

import logging
import smtplib
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, gettext, override

from tournaments.accounts.services.accounts import address_proof, reset_path
from tournaments.core.jobs import Job, post
from tournaments.models import Mail, NewAddress

RETRY_DELAYS: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120))
"""Pauses after the first, second … failed attempt; after one more attempt the mail is given up."""

Kind = Mail.Kind
Links = Callable[..., str]
"""Makes the path of a link from the name of its page and the arguments."""

log = logging.getLogger(__name__)


def queue_mail(user: User, kind: Mail.Kind, origin: str) -> None:
    """Queue a mail for after the commit; one of each kind waits at most.

    ``origin`` is scheme and host of the request, such as ``https://club.example``.
    """
    fields = {"origin": origin, "language": get_language() or "", "tries": 0}
    mail, _made = Mail.objects.update_or_create(
        user=user, kind=kind, defaults={**fields, "next_at": timezone.now()}
    )
    post(Job.SEND_MAIL, mail.pk)


def wake_due() -> None:
    """Queue a send task for each mail that is due, at most a hundred at a time."""
    due = Mail.objects.filter(next_at__lte=timezone.now()).order_by("next_at")
    for pk in due.values_list("pk", flat=True)[:100]:
        post(Job.SEND_MAIL, pk)


def send(pk: int, path_of: Links) -> bool:
    """Send a mail that is due; return whether it was sent. ``path_of`` makes the paths of links."""
    mail = _claim(pk)
    if mail is None:
        return False
    with override(mail.language or None):
        message = _compose(mail, path_of)
    went = message is not None and _send(mail, *message)
    if went or message is None or mail.tries > len(RETRY_DELAYS):
        Mail.objects.filter(pk=pk, tries=mail.tries).delete()  # unless it was requested again
    return went


@transaction.atomic
def _claim(pk: int) -> Mail | None:
    """Claim a mail that is due by setting its next attempt, so that no other worker sends it."""
    now = timezone.now()
    mail = Mail.objects.select_for_update().filter(pk=pk, next_at__lte=now).first()
    if mail is None:
        return None
    mail.next_at = now + RETRY_DELAYS[min(mail.tries, len(RETRY_DELAYS) - 1)]
    mail.tries += 1
    mail.save(update_fields=["tries", "next_at"])
    return mail


def _compose(mail: Mail, path_of: Links) -> tuple[str, str, str] | None:
    """Return address, subject and text; None if the mail has become pointless."""
    user = User.objects.get(pk=mail.user_id)
    if mail.kind == Kind.ADDRESS:
        new_address = NewAddress.objects.filter(user=user).first()
        if new_address is None:
            return None
        link = path_of("confirm-address", address_proof(user, new_address.email))
        email, subject = new_address.email, gettext("Confirm your e-mail address")
    else:
        if not (user.is_active and user.email):
            return None
        link = path_of("new-password", *reset_path(user))
        email, subject = user.email, gettext("Your new password")
    facts = {"name": user.get_username(), "link": mail.origin + link}
    return email, f"Baza: {subject}", render_to_string(f"accounts/mail/{mail.kind}.txt", facts)


def _send(mail: Mail, email: str, subject: str, text: str) -> bool:
    try:
        send_mail(subject, text, None, [email])
    except (OSError, smtplib.SMTPException, UnicodeError) as error:
        given_up = mail.tries > len(RETRY_DELAYS)
        next_step = "and is given up" if given_up else "and will be tried again"
        log.log(
            logging.ERROR if given_up else logging.WARNING,
            "A mail could not be sent %s: %s",
            next_step,
            type(error).__name__,
        )
        return False
    return True
