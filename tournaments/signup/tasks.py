"""Celery tasks of letters about sign-ups; the rows decide what is sent."""

from celery import shared_task
from django.urls import reverse

from tournaments.core.jobs import Job
from tournaments.signup.services import news


@shared_task(name=Job.SEND_NEWS)
def send(pk: int) -> None:
    """Send the letter of an address, if one is due."""
    news.send(pk, lambda page, *words: reverse(page, args=words))


@shared_task(name=Job.SWEEP_NEWS)
def sweep() -> None:
    """Find the letters that are due."""
    news.wake_due()
