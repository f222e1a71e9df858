"""Sends a mail, once; its row says when the next attempt is due."""

import logging
import smtplib
from datetime import timedelta
from typing import Final

from django.core.mail import send_mail

RETRY_DELAYS: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120))
"""Pauses after the first, second … failed attempt; after one more attempt the mail is given up."""

log = logging.getLogger(__name__)


def delay_after(failed: int) -> timedelta:
    """Return the pause after one more failed attempt than ``failed``."""
    return RETRY_DELAYS[min(failed, len(RETRY_DELAYS) - 1)]


def is_last_attempt(tries: int) -> bool:
    """Return whether a mail that was tried so often, this attempt included, is given up."""
    return tries > len(RETRY_DELAYS)


def send_text(email: str, subject: str, text: str, *, tries: int) -> bool:
    """Send a mail; return whether the mail server took it. The log names no address."""
    try:
        send_mail(subject, text, None, [email])
    except (OSError, smtplib.SMTPException, UnicodeError) as error:
        given_up = is_last_attempt(tries)
        next_step = "and is given up" if given_up else "and will be tried again"
        log.log(
            logging.ERROR if given_up else logging.WARNING,
            "A mail could not be sent %s: %s",
            next_step,
            type(error).__name__,
        )
        return False
    return True
