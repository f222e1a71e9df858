"""Tasks of results: automatic confirmation, old idempotency keys."""

from celery import shared_task

from tournaments.core import idempotency
from tournaments.core.jobs import Job
from tournaments.results.services import reports, write

# --- Results --------------------------------------------------------------------------------------
# What Celery runs for results that wait: found by the database's clock, confirmed one by one.


@shared_task(name=Job.CONFIRM_RESULTS)
def confirm() -> None:
    """Confirm the results to which nobody has objected in time."""
    reports.confirm_due()


# --- Submissions ----------------------------------------------------------------------------------
# What Celery runs for what was submitted: old keys and counts are forgotten.


@shared_task(name=Job.FORGET_KEYS)
def forget() -> None:
    """Forget idempotency keys after a day, and what was counted on days that are over."""
    idempotency.forget_old()
    write.forget_old()
