"""Moments given with a zone, in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tournaments.domain.datetimes import FIRST, LAST, in_utc


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-21T20:00:00+01:00", datetime(2026, 11, 21, 19, tzinfo=UTC)),
        ("8317-08-26T09:22:44-16:52", datetime(8317, 8, 27, 2, 14, 44, tzinfo=UTC)),
        ("0001-01-01T00:00:00+10:00", FIRST),
        ("0001-01-01T00:00:00+00:00", FIRST),
        ("9999-12-31T23:59:59+00:00", LAST),
        ("9999-12-31T23:59:59-10:00", LAST),
    ],
)
def test_every_moment_has_one_in_utc(text: str, expected: datetime) -> None:
    moment = in_utc(datetime.fromisoformat(text))
    assert (moment, moment.tzinfo) == (expected, UTC)


@pytest.mark.parametrize("hours", [-23, 23])
def test_every_moment_has_a_local_time_in_every_zone(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    for moment in (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)):
        assert in_utc(moment).astimezone(zone).tzinfo == zone
