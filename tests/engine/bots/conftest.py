"""A kernel that can hold a stranger's program, or the proof that it refuses to start one."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.bots import sandbox
from engine.bots.process import ProcessBot
from tests.engine.bots.tables import RULES

ZOO = Path(__file__).with_name("zoo")

Take = Callable[[str], list[str]]


@pytest.fixture
def take(tmp_path: Path) -> Take:
    """Give a function that takes a bot of the zoo to a folder of its own: its command."""
    home = tmp_path / "home"
    home.mkdir()

    def copied(name: str) -> list[str]:
        return ["python3", str(shutil.copy(ZOO / f"{name}.py", home))]

    return copied


@pytest.fixture
def is_confined(take: Take) -> bool:
    """Whether strangers can be held here; where not, that they are refused has been proved."""
    capabilities = sandbox.capabilities()
    if not capabilities.can_isolate:
        with pytest.raises(sandbox.SandboxError) as refused:
            ProcessBot(take("quitter"), RULES, "A").start()
        assert refused.value.reasons == capabilities.missing
    return capabilities.can_isolate
