"""Asserting that a service says no."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tournaments.core.errors import Reason, Refusal


@contextmanager
def refusal(reason: Reason) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Assert that what is done inside is refused for this reason, in words that are complete."""
    with pytest.raises(Refusal) as refused:
        yield refused
    assert refused.value.reason is reason, str(refused.value)
    assert refused.value.message
    assert "%(" not in refused.value.message
