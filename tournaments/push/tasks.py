"""Celery tasks of messages to browsers, in the queue of the webhooks."""

from celery import shared_task
from django.urls import reverse

from tournaments.core.jobs import Job
from tournaments.push import services


@shared_task(name=Job.SEND_PUSH)
def send(tournament_pk: int) -> None:
    """Send the messages to the browsers of a tournament."""
    services.send_due(tournament_pk, lambda page, *words: reverse(page, args=words))


@shared_task(name=Job.SWEEP_PUSH)
def sweep() -> None:
    """Queue a task for each tournament with something to tell."""
    services.wake_due()
