"""What drills may ask for, and the account of what they did and lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.drills.crew import Broker, Crew, crew_of, messenger
from tournaments.core import jobs

if TYPE_CHECKING:
    from pathlib import Path

DONE = pytest.StashKey[list[tuple[str, str, int]]]()

Tell = Callable[[str, int], None]


def pytest_configure(config: pytest.Config) -> None:
    """Begin the account."""
    config.stash[DONE] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the account: what was done to the service, and what was lost by it."""
    rows = terminalreporter.config.stash.get(DONE, [])
    if not rows:
        return
    terminalreporter.section("what was done, and what was lost")
    for fault, summary, lost in rows:
        terminalreporter.write_line(f"{fault:<12} {summary:<96} lost: {lost}")


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Tell:
    """Give a function that enters into the account what was done, and what was lost by it."""

    def entered(summary: str, lost: int) -> None:
        name = request.node.function.__doc__.partition(":")[0].lower()
        request.config.stash[DONE].append((name, summary, lost))
        assert lost == 0

    return entered


@pytest.fixture
def own_broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    """Give a broker of the drill's own, to which this process sends its messages too."""
    broker = Broker(tmp_path)
    monkeypatch.setattr(jobs, "current_app", messenger(broker.url))
    yield broker
    broker.kill()


@pytest.fixture
def crew(child_environment: dict[str, str], tmp_path: Path, own_broker: Broker) -> Iterator[Crew]:
    """Give a crew of workers on this test's database and on a broker of their own."""
    environment = child_environment | {"REDIS_URL": own_broker.url}
    with crew_of(environment, tmp_path) as crew:
        yield crew
