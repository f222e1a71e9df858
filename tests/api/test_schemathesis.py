"""Schemathesis over the whole document: every operation and every sequence, as everybody.

Requests are made by its three phases: the document's examples, what covers its bounds (values that
just fit and just do not, headers left out, methods that are not there), and chance; all of its
checks hold for every answer. Ordinarily the role changes with every request, and chance is seeded;
`./baza test --long` makes more requests, each as everybody.
"""

from __future__ import annotations

import os
from copy import deepcopy
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core import NOT_SET
from schemathesis.core.parameters import ParameterLocation

from tests.support.caller import document
from tests.support.world import World, filled_world
from tournaments.wsgi import application

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

EXAMPLES = int(os.environ.get("BAZA_API_EXAMPLES", "0"))
"""Requests by chance an operation in the long run, each as everybody; 0: the ordinary run."""

ACCEPTED = ["2xx", "304", "401", "403", "404", "409", "412", "422"]
CONDITIONAL = (
    "bring_bot",
    "act_on_webhook",
    "submit_record",
    "submit_record_to_tournament",
    "submit_lines",
    "import_list",
    "preview_list",
)

CONFIG = SchemathesisConfig.from_dict(
    {
        "seed": 20261121,
        # No text has a null character: the service refuses it wherever it is, with 400.
        "generation": {"deterministic": not EXAMPLES, "database": "none", "allow-x00": False},
        "phases": {"coverage": {"unexpected-methods": ["PATCH", "TRACE", "OPTIONS"]}},
        "checks": {
            # A change is held against what was seen before what it says is looked at.
            "negative_data_rejection": {
                "expected-statuses": [
                    *("400", "401", "403", "404", "405", "406", "409", "412"),
                    *("415", "422", "428", "429", "5xx"),
                ]
            },
            "missing_required_header": {
                "expected-statuses": ["400", "401", "403", "404", "406", "422", "428"]
            },
            # What the rules of the game refuse cannot be said in a schema; nor can that a value
            # is no time zone, or a score not one of this match.
            "positive_data_acceptance": {"expected-statuses": ACCEPTED},
        },
        "operations": [
            # A schema cannot say which fields a kind or a verb takes, that a list is text or rows,
            # that a score names sides, or that a text is of the form that its media type says.
            *(
                {
                    "include-operation-id": name,
                    "checks": {
                        "positive_data_acceptance": {
                            "expected-statuses": [*ACCEPTED, "400", "415"],
                        }
                    },
                }
                for name in CONDITIONAL
            ),
            # A line that is no answer is stored as such: a hand lost, answered with 200.
            {
                "include-operation-id": "answer_turn",
                "checks": {"negative_data_rejection": {"enabled": False}},
            },
            # A stream is a text; Schemathesis would have the text's schema hold for each event.
            {
                "include-operation-id": "follow_events",
                "checks": {"response_schema_conformance": {"enabled": False}},
            },
        ],
    }
)
GIVEN_OUT = ("cursor", "since")
"""Parameters that are taken from an answer, never made up."""

ORDINARY = settings(
    max_examples=EXAMPLES or 6,
    stateful_step_count=6,
    deadline=None,
    database=None,
    derandomize=not EXAMPLES,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@schemathesis.serializer("application/x-ndjson", "application/x-tute")
def as_lines(_context: Any, value: Any) -> bytes:
    """Send what was made up for lines and text as it is."""
    return value if isinstance(value, bytes) else str(value).encode()


def described() -> Any:
    """Load the document that is checked in, and the service to ask."""
    loaded = schemathesis.openapi.from_dict(deepcopy(document()), config=CONFIG)  # it adds links
    loaded.app = application
    return loaded


schema = described()


@pytest.fixture(scope="module")
def world(module_db: None) -> World:
    """A filled club, and everybody who may call: filled once."""
    return filled_world()


@pytest.fixture(autouse=True)
def connection_stays() -> Iterator[None]:
    """Keep the test's connection from one request to the next, as Django's own client does."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


def prepare(case: Any, world: World, role: str, number: int) -> None:
    """Choose a caller and a request, mostly for what exists."""
    if world.tokens[role] and not is_left_out(case, "Authorization"):
        case.headers["Authorization"] = f"Bearer {world.tokens[role]}"
    case.headers["Accept-Encoding"] = "identity"
    if is_sound(case, ParameterLocation.QUERY):
        for name in GIVEN_OUT:
            (case.query or {}).pop(name, None)
    if is_sound(case, ParameterLocation.HEADER):
        case.headers.pop("Last-Event-ID", None)
        give_key(case, f"key-{number}")
    if is_sound(case, ParameterLocation.BODY):
        case.body = whole(case.body)
    if number % 8 != 7 and is_sound(case, ParameterLocation.PATH):
        for name in case.path_parameters or {}:
            case.path_parameters[name] = world.value(case.path, name, number)


def give_key(case: Any, key: str) -> None:
    """Give a request that is no dry run the key that a schema can only call optional."""
    if (case.query or {}).get("dry_run") != 1:
        for parameter in case.operation.headers:
            if parameter.name == "Idempotency-Key":
                case.headers.setdefault(parameter.name, key)


def number_of(case: Any) -> int:
    """Return a number that follows from a request alone, whatever was asked before it."""
    request_key = (case.operation.label, case.path_parameters, case.query, case.headers, case.body)
    return crc32(repr(request_key).encode(errors="backslashreplace"))


def is_sound(case: Any, location: ParameterLocation) -> bool:
    """Return whether this part of a request was made to fit the document."""
    part = case.meta.components.get(location) if case.meta else None
    return part is None or not part.mode.is_negative


def is_left_out(case: Any, name: str) -> bool:
    """Return whether a request was made to lack this header, or to have another one."""
    text = getattr(case.meta.phase.data, "description", "") if case.meta else ""
    return name in case.headers or name in (text or "")


def whole(value: Any) -> Any:
    """Write 5.0 as 5: to JSON Schema both are integers, to the API only the second is."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {name: whole(item) for name, item in value.items()}
    return value


@schema.parametrize()  # type: ignore[untyped-decorator]
@ORDINARY
def test_every_answer_is_as_the_document_says(case: Any, world: World) -> None:
    if case.body is NOT_SET and case.operation.body:
        return  # taken for an empty object (tests/core/test_bad_input_api.py)
    number = number_of(case)
    roles = list(world.tokens)
    for role in roles if EXAMPLES else [roles[number % len(roles)]]:
        prepare(case, world, role, number)
        cache.clear()
        with transaction.atomic():  # each request finds the club as it was
            case.call_and_validate()
            transaction.set_rollback(True)


ROLES = (
    "anonymous",
    "stranger",
    "player",
    "arbiter",
    "organiser",
    "staff",
    "games:submit",
    "games:read",
    "tournaments:manage",
    "bots:run",
    "audit:read",
)


@pytest.mark.parametrize("role", ROLES)
def test_every_sequence_of_requests_is_as_the_document_says(role: str, world: World) -> None:
    assert set(ROLES) == set(world.tokens)

    class Visit(described().as_state_machine()):  # type: ignore[misc]
        """One after another, each with a value of an answer before it."""

        def setup(self) -> None:
            cache.clear()
            self.undone = transaction.atomic()
            self.undone.__enter__()

        def teardown(self) -> None:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

        def before_call(self, case: Any) -> None:
            prepare(case, world, role, number_of(case))

    Visit.run(settings=settings(ORDINARY, max_examples=EXAMPLES or 4))
