"""What Celery runs to show that a worker listens.

`manage.py up` asks each worker through its own queue, the scheduler any worker of each queue.
"""

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services import canary, pulses


@shared_task(name=Job.SING)
def sing(name: str) -> None:
    """Show that the worker of this name takes messages and works them off."""
    canary.sing(name)


@shared_task(name=Job.CALL)
def call() -> None:
    """Ask a worker of every queue to answer."""
    pulses.call()


@shared_task(name=Job.ANSWER)
def answer(queue: str) -> None:
    """Show that somebody serves the queue through which this came."""
    pulses.answer(queue)
