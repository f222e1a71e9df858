"""What the API says about itself is what it does."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from playwright.sync_api import expect

from tests.engine.test_messages import ids_of
from tests.support.caller import Caller, document
from tests.support.routes import api_patterns
from tournaments.api.documentation import openapi_document
from tournaments.core.api.problems import kinds
from tournaments.core.faults import RECORD_FAULTS
from tournaments.environment import ROOT
from tournaments.models import ApiToken

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

GUIDE = ROOT / "docs" / "programs" / "api.md"
NOTICES = {"declare.omitted", "match.unfinished", "hand.unaudited", "claim.missing"}
HOW = "manage.py spectacular --lang en --format openapi-json --file docs/openapi.json"


def guide_text() -> str:
    return GUIDE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_document_checked_in_is_the_one_that_is_served(db: None) -> None:
    with override("en"):
        generated = StringIO()
        call_command(
            "spectacular",
            "--format",
            "openapi-json",
            "--validate",
            "--fail-on-warn",
            stdout=generated,
        )
    assert json.loads(generated.getvalue()) == document(), f"write it anew: {HOW}"
    assert document()["openapi"].startswith("3.1")
    for language in ("es", "en"):
        assert Caller(language=language).read("openapi.json") == document()


def test_the_document_is_generated_once_and_sent_only_to_who_does_not_have_it(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    openapi_document.cache_clear()
    generated: list[object] = []
    get_schema: Any = SchemaGenerator.get_schema

    def count(self: SchemaGenerator, **options: Any) -> Any:
        generated.append(self)
        return get_schema(self, **options)

    monkeypatch.setattr(SchemaGenerator, "get_schema", count)
    plain = Client().get(PATH)
    packed = Client(headers={"accept-encoding": "gzip"}).get(PATH)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    for answer in (plain, packed):
        assert answer.headers["Content-Type"] == "application/vnd.oai.openapi+json"
        assert "Accept-Encoding" in answer.headers["Vary"]
    second_response = Client(headers={"if-none-match": plain.headers["ETag"]}).get(PATH)
    assert (second_response.status_code, second_response.content) == (304, b"")
    assert len(generated) == 1


PATH = "/api/v1/openapi.json"


def test_every_operation_is_described() -> None:
    described = {
        operation["operationId"]
        for operations in document()["paths"].values()
        for operation in operations.values()
        if operation["summary"] and operation["description"] and operation["tags"]
    }
    undocumented = {"openapi", "docs", "nothing"}
    paths = document()["paths"]
    assert len(described) == sum(map(len, paths.values()))
    assert len(paths) == len([p for p in api_patterns if p.name not in undocumented])


def test_the_examples_fit_their_shapes() -> None:
    checked = 0
    for schema, value in examples():
        Draft202012Validator({**schema, "components": document()["components"]}).validate(value)
        checked += 1
    assert checked >= 4


def examples() -> Any:
    """Yield the shape and the value of every example in the document."""
    for operations in document()["paths"].values():
        for operation in operations.values():
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            for content in (kind for body in bodies for kind in body.get("content", {}).values()):
                for example in content.get("examples", {}).values():
                    yield content["schema"], example["value"]


def test_every_code_is_in_the_guide_under_its_status() -> None:
    codes: dict[int, list[str]] = {}
    for kind in kinds():
        for status in kind.status:
            codes.setdefault(status, []).append(f"`{kind.code}`")
    table = [f"| {status} | {' '.join(codes[status])} |" for status in sorted(codes)]
    occurrences = re.findall(r"^\| \d{3} \| `.*$", guide_text(), re.MULTILINE)
    assert occurrences == table, "the table of docs/programs/api.md should be:\n" + "\n".join(table)


def test_every_fault_of_the_engine_has_a_code_here() -> None:
    codes = {code for code in ids_of("fault") if "/" not in code}
    assert codes - NOTICES == set(RECORD_FAULTS)


def test_every_scope_is_in_the_guide() -> None:
    for scope in ApiToken.Scope.values:
        assert f"| `{scope}` |" in guide_text()


def test_every_address_is_in_the_guide() -> None:
    for path in document()["paths"]:
        last = path.rstrip("/").rpartition("/")[2]
        text = last.replace("{number}", "<n>").replace("{", "<").replace("}", ">")
        assert f"{text}/" in guide_text(), path


@pytest.mark.slow
@pytest.mark.browser
def test_the_page_draws_the_document_under_the_strict_policy(
    page: Page, live_server: LiveServer
) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    answer = page.goto(f"{live_server.url}/api/v1/docs/")
    assert answer
    assert "'unsafe-inline'" not in answer.headers["content-security-policy"]
    groups = Counter(
        operation["tags"][0]
        for methods in document()["paths"].values()
        for operation in methods.values()
    )
    for tag, operations in groups.items():
        page.locator(f".opblock-tag[data-tag='{tag}']").click()
        expect(page.locator(".opblock")).to_have_count(operations + len(document()["webhooks"]))
        page.locator(f".opblock-tag[data-tag='{tag}']").click()
    assert page.locator("h1").count() == 1
    page.locator(".opblock-tag[data-tag='records']").click()
    page.locator("#operations-records-submit_record .opblock-summary-control").click()
    page.get_by_text("Idempotency-Key").first.wait_for()
    assert not complaints
