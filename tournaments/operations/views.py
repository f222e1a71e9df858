"""Endpoints for monitoring: `/healthz`, `/readyz`, `/metrics`.

Answered before the middleware of sessions, languages, hosts and redirections: a probe uses plain
HTTP and any host name. Details are only for requests from this machine or with
`BAZA_METRICS_TOKEN`.
"""

import ipaddress
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import redis
from django.conf import settings
from django.db import DatabaseError, connections
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from tournaments.operations.queries import GaugeRow, database_gauges, queue_lengths
from tournaments.operations.services.readiness import (
    backup_age,
    queue_ages,
    readiness,
    unresponsive_hosts,
)

MULTIPROC_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Variable of prometheus_client: the folder in which several web processes count together."""


class MonitoringEndpoints:
    """Middleware that answers the monitoring endpoints and passes all other requests on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a monitoring endpoint, or pass the request on."""
        probe = PROBES.get(request.path_info)
        return self.get_response(request) if probe is None else answer_probe(probe, request)


def answer_probe(
    probe: Callable[[HttpRequest], HttpResponse], request: HttpRequest
) -> HttpResponse:
    """Answer GET and HEAD, uncached, and close the thread's database connections."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    try:
        answer = probe(request)
    finally:
        if not any(connection.in_atomic_block for connection in connections.all()):
            connections.close_all()
    answer["Cache-Control"] = "no-store"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def health(_: HttpRequest) -> HttpResponse:
    """Return 200 if the process answers; reads no row."""
    return HttpResponse("ok\n", content_type="text/plain")


def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if all parts are in order, else 503 with the names of those that are not."""
    checks = readiness()
    missing = [check.name for check in checks if check.needed and not check.ok]
    report: dict[str, Any] = {"ready": not missing, "missing": missing}
    if is_trusted(request):
        report["deaf"] = [check.name for check in checks if not check.needed and not check.ok]
        report["checks"] = {check.name: {"ok": check.ok, "seen": check.seen} for check in checks}
    return JsonResponse(report, status=503 if missing else 200)


def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics in Prometheus' text format; 404 for untrusted requests."""
    if not is_trusted(request):
        return HttpResponse("not found\n", status=404, content_type="text/plain")
    counted: CollectorRegistry = REGISTRY
    if MULTIPROC_VARIABLE in os.environ:
        forget_dead_workers(Path(os.environ[MULTIPROC_VARIABLE]))
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    registry.register(GaugeCollector())
    body = generate_latest(counted) + generate_latest(registry)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)


def forget_dead_workers(folder: Path) -> None:
    """Delete the live gauges of web workers that were killed: their streams ended with them."""
    for file in folder.glob("gauge_live*_*.db"):
        number = int(file.stem.rpartition("_")[2])
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            mark_process_dead(number, str(folder))  # type: ignore[no-untyped-call]


def is_trusted(request: HttpRequest) -> bool:
    """Return whether the request has the token, or comes from this machine without a proxy."""
    header = request.headers.get("Authorization", "")
    token = settings.ENVIRONMENT.metrics_token
    if token and constant_time_compare(header, f"Bearer {token}"):
        return True
    passed_on = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return address.is_loopback and not passed_on


class GaugeCollector:
    """Prometheus collector of the gauges of database, broker and backups, read at each scrape."""

    def describe(self) -> list[GaugeMetricFamily]:
        """Return no descriptions, so that registering the collector reads nothing."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield every gauge; ``baza_up`` is 0 for a part that does not answer."""
        rows: list[GaugeRow] = []
        database = broker = 1.0
        try:
            rows += database_gauges()
            ages = queue_ages()
            rows.append(GaugeRow("pulse_age_seconds", "Last sign of life.", ages, "queue"))
            deaf = {name: float(is_deaf) for name, is_deaf in unresponsive_hosts().items()}
            rows.append(GaugeRow("host_deaf", "Whether only other hosts are heard.", deaf, "host"))
        except DatabaseError:
            database = 0.0
        try:
            rows.append(queue_lengths())
        except (redis.RedisError, OSError):
            broker = 0.0
        up = {"database": database, "redis": broker}
        rows.append(GaugeRow("up", "Whether a part answers.", up, "part"))
        backup = backup_age()
        if backup is not None:
            rows.append(GaugeRow("backup_age_seconds", "Age of the last backup.", {"": backup}))
        yield from map(gauge, rows)


def gauge(figure: GaugeRow) -> GaugeMetricFamily:
    """Convert a figure to a Prometheus gauge."""
    labels = [figure.label] if figure.label else None
    family = GaugeMetricFamily(f"baza_{figure.name}", figure.meaning, labels=labels)
    for value, number in figure.values.items():
        family.add_metric([value] if figure.label else [], number)
    return family


# The monitoring endpoints by path.
PROBES: Final[dict[str, Callable[[HttpRequest], HttpResponse]]] = {
    "/healthz": health,
    "/readyz": ready,
    "/metrics": metrics,
}
