"""Mails with a link: queued as a row in a transaction, sent by a worker afterwards.

The row decides what is sent, the job only wakes a worker, and a sweep finds what was missed. The
link is made when the mail is sent, so a row contains no credential. A mail is sent once, unless a
worker dies between the mail server's answer and deleting the row: then it is sent twice, a minute
apart.
"""

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, gettext, override

from tournaments.accounts.services.accounts import address_proof, reset_path
from tournaments.core.jobs import Job, post
from tournaments.core.mail import delay_after, is_last_attempt, send_text
from tournaments.models import Mail, NewAddress

Kind = Mail.Kind
Links = Callable[..., str]
"""Makes the path of a link from the name of its page and the arguments."""


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
    went = message is not None and send_text(*message, tries=mail.tries)
    if went or message is None or is_last_attempt(mail.tries):
        Mail.objects.filter(pk=pk, tries=mail.tries).delete()  # unless it was requested again
    return went


@transaction.atomic
def _claim(pk: int) -> Mail | None:
    """Claim a mail that is due by setting its next attempt, so that no other worker sends it."""
    now = timezone.now()
    mail = Mail.objects.select_for_update().filter(pk=pk, next_at__lte=now).first()
    if mail is None:
        return None
    mail.next_at = now + delay_after(mail.tries)
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
