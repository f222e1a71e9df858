"""Logs of programs at the tables: what their authors read to find a slow answer or a fault."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Final, NamedTuple

from django.db.models.functions import Now

from tournaments.core.db import replace_unstorable
from tournaments.models import Bot, BotLog, Match

MAX_STDERR_BYTES: Final = 4096

MAX_LOGS: Final = 40_000  # at 5 kB at most, with the counts: 200 MB in all

RETENTION: Final = timedelta(days=30)


class SeatLog(NamedTuple):
    """The log of a bot in one record: answers by the binary digits of their milliseconds."""

    bot: Bot
    times: Mapping[int, int]
    stderr: str


def store_logs(match: Match, logs: Mapping[str, SeatLog]) -> None:
    """Add the logs of a record that was just accepted to those of its match, by place.

    The match is locked.
    """
    for place, log in logs.items():
        row = match.bot_logs.filter(place=place).first() or BotLog(
            match=match, place=place, bot=log.bot
        )
        added = {str(digits): count for digits, count in log.times.items()}
        row.times = dict(Counter(row.times) + Counter(added))
        end = (row.stderr + replace_unstorable(log.stderr)).encode()[-MAX_STDERR_BYTES:]
        row.stderr = end.decode(errors="ignore")
        row.save()


def delete_old_logs() -> int:
    """Delete logs after a month, and the oldest beyond `MAX_LOGS`; return how many."""
    count: int = BotLog.objects.filter(made_at__lt=Now() - RETENTION).delete()[0]
    surplus = BotLog.objects.order_by("-pk").values_list("pk", flat=True)[MAX_LOGS : MAX_LOGS + 1]
    for newest in list(surplus):
        count += BotLog.objects.filter(pk__lte=newest).delete()[0]
    return count
