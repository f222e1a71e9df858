"""Celery beat's scheduler, made safe against a clock that is set back.

Beat's own schedules by the wall clock, in memory and in a file. Set back by three hours, it sends
nothing for three hours, over restarts too.
"""

import logging
from datetime import UTC, datetime
from typing import Any, Final

from celery import beat

LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)

logger = logging.getLogger(__name__)


class Scheduler(beat.Scheduler):
    """Stores no file; every entry is due at its start and when the clock was set back.

    That does no harm, because each task asks the rows what is due.
    """

    def setup_schedule(self) -> None:
        """Load the entries of the settings."""
        super().setup_schedule()
        self._make_all_due()

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send the due messages; called at least every five seconds, by the monotonic clock."""
        now = self.app.now()
        if any((entry.last_run_at or now) > now for entry in self.schedule.values()):
            logger.warning("the clock was set back: every entry is due now")
            self._make_all_due()
        seconds: float = super().tick(*args, **kwargs)
        return seconds

    def _make_all_due(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = LONG_AGO
        self._heap = None  # rebuilt by the next tick
