"""Celery tasks of mails; the rows decide what is sent."""

from celery import shared_task
from django.urls import reverse

from tournaments.accounts.services import mails
from tournaments.core.jobs import Job


@shared_task(name=Job.SEND_MAIL)
def send(mail_pk: int) -> None:
    """Send a mail, if it is due."""
    mails.send(mail_pk, lambda page, *words: reverse(page, args=words))


@shared_task(name=Job.SWEEP_MAILS)
def sweep() -> None:
    """Queue the mails that were not sent."""
    mails.wake_due()
