"""What holds for whatever is sent: an answer that the document describes, and never a 500."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.quick import examples
from tests.support.scenes import Scene, record_between, records_of
from tournaments.models import Record, Result

if TYPE_CHECKING:
    from tests.support.caller import Caller

EXAMPLES = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEXT = st.text(max_size=20) | st.sampled_from(["\x00", "\ud800", "AC", "1o", "A:40", "x" * 2000])
SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)
ADDRESSES = st.sampled_from(
    [
        *("clubs/{}/", "tournaments/{}/", "tournaments/{}/standings/", "matches/{}/"),
        *("tournaments/{}/rounds/{}/", "matches/{}/hands/{}/", "records/{}/", "{}", "clubs/?{}={}"),
        *("clubs/?cursor={}", "tournaments/?page_size={}"),
    ]
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to everything in a JSON value, itself included."""
    paths = [at]
    if isinstance(value, dict):
        inner = list(value.items())
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    for key, item in inner:
        paths += places(item, (*at, key))
    return paths


def replaced(value: Any, at: tuple[Any, ...], other: Any) -> Any:
    """Return a JSON value with something else in one place."""
    if not at:
        return other
    copied = dict(value) if isinstance(value, Mapping) else list(value)
    copied[at[0]] = replaced(value[at[0]], at[1:], other)
    return copied


@pytest.fixture
def path(scene: Scene) -> str:
    return f"matches/{scene.matches()[1].pk}/records/"


@pytest.fixture
def record(scene: Scene) -> Any:
    return json.loads(record_between(scene.matches()[1], records_of("records")))


@EXAMPLES
@given(data=st.data())
def test_a_record_with_anything_anywhere_is_answered(
    data: st.DataObject, organiser: Caller, path: str, record: Any
) -> None:
    at = data.draw(st.sampled_from(places(record)))
    body = json.dumps(replaced(record, at, data.draw(VALUE)))
    response = organiser.submit(path, body, key=f"k{hash(body)}")
    assert response.status_code in {200, 201, 400, 409, 422}


@EXAMPLES
@given(body=st.binary(max_size=200), key=st.text("abñ \x7f", max_size=3))
def test_any_bytes_are_answered(organiser: Caller, path: str, body: bytes, key: str) -> None:
    results = Result.objects.count()
    response = organiser.submit(path, body, key=key)
    assert response.status_code in {400, 422}
    assert Result.objects.count() == results
    assert not Record.objects.exclude(state="accepted").exists()


@EXAMPLES
@given(address=ADDRESSES, parts=st.lists(st.text(max_size=30), min_size=2, max_size=2))
def test_any_address_is_answered(organiser: Caller, address: str, parts: list[str]) -> None:
    path = address.format(*(quote(part, safe="", errors="replace") for part in parts))
    assert organiser.get(path).status_code in {200, 400, 404}
