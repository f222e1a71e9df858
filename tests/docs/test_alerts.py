"""The rules for Prometheus ask for figures that the service has, and lead to the runbook."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from tests.docs.test_deploy import DEPLOY
from tests.support import scenes
from tournaments.environment import ROOT
from tournaments.models.heartbeats import QUEUES
from tournaments.operations.services import backups, readiness

pytestmark = pytest.mark.django_db

RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
OF_PROMETHEUS = {"up", "sum", "rate", "absent", "histogram_quantile", "by", "or", "le"}
ANCHORS = {
    re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-")
    for head in re.findall(
        r"^## (.+)$|^\*\*(First look)\.\*\*",
        (ROOT / "docs/operators/runbook.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    for head in head
    if head
}


def figures(settings: Any, tmp_path: Any) -> dict[str, set[str]]:
    """Return the names of the figures of a running service, each with its labels."""
    settings.BACKUPS = tmp_path
    backups.make_backup(tmp_path)
    for queue in QUEUES:
        readiness.store_heartbeat(queue)
    Client().get("/")  # counted
    text = Client().get("/metrics").content.decode()
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    return labels


@pytest.mark.redis
def test_every_rule_asks_for_figures_and_labels_that_there_are(
    scene: scenes.Scene, settings: Any, tmp_path: Any
) -> None:
    known = figures(settings, tmp_path)
    for rule in RULES:
        text = re.sub(r'"[^"]*"', '""', rule["expr"])
        names = set(re.findall(r"\bbaza_\w+", text))
        assert names or "up{" in text
        assert names <= set(known) | {"baza_host_deaf"}, rule["alert"]  # one host alone is not deaf
        for name, labels in re.findall(r"\b(baza_\w+)\{([^}]*)\}", text):
            assert set(re.findall(r"(\w+)=", labels)) <= known[name], rule["alert"]
        shown = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
        assert shown <= {label for name in names for label in known.get(name, {"host"})}
        words = set(re.findall(r"\b[a-z_]{2,}\b(?!=|\")", re.sub(r"\{[^}]*\}|\[[^]]*\]", "", text)))
        assert words - names <= OF_PROMETHEUS, rule["alert"]
        assert text.count("(") == text.count(")")


def test_every_rule_has_what_an_alarm_needs() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in {"info", "warning", "critical"}
        assert rule["annotations"]["runbook"] in ANCHORS, rule["alert"]


def test_every_alarm_of_the_documents_is_a_rule() -> None:
    text = (ROOT / "docs/operators/running.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^- Alarms.*: (`baza.*)$", text, re.MULTILINE)
    rules = " ".join(rule["expr"] for rule in RULES)
    for alarm in re.findall(r"`(baza_[^`]+)`", line):
        assert alarm in rules
