"""Prometheus metrics of a process; docs/operators/running.md lists every name."""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # start times that nobody queries

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the histogram's buckets; 0.3 is the limit for a page."""

REQUESTS: Final = Counter(
    "baza_requests", "Requests answered, by the route's name.", ("route", "method", "status")
)
DURATION: Final = Histogram(
    "baza_request_seconds", "Seconds until an answer began.", ("route", "method"), buckets=SECONDS
)
RETRIED_TRANSACTIONS: Final = Counter(
    "baza_database_retries", "Transactions that the database undid and that were begun again."
)
SUBMISSIONS: Final = Counter(
    "baza_submissions", "Records submitted, by bots too, by what became of them.", ["outcome"]
)
STREAMS: Final = Gauge("baza_streams", "Live streams open.", multiprocess_mode="livesum")
