"""The glossary's words of the code name modules that are there."""

import re

from tournaments.environment import ROOT


def test_every_module_of_the_glossary_is_there() -> None:
    text = (ROOT / "docs/contributors/glossary.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    modules = [name for row in rows for name in re.findall(r"`([a-z_]+/[a-z_./]+)`", row[3])]
    assert len(modules) > 40
    assert [name for name in modules if not (ROOT / "tournaments" / name).exists()] == []
