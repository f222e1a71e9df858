"""Every dependency has been decided on, in writing."""

import re

import pytest

from tournaments.environment import ROOT

DECISIONS = ROOT / "docs" / "decisions"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in DECISIONS.glob("*.md")}


def listed_packages() -> list[str]:
    """Name the packages that the two short lists ask for."""
    lists = [(ROOT / "requirements" / f"{name}.in").read_text() for name in ("base", "dev")]
    return re.findall(r"^([a-z][a-z0-9-]*)", "\n".join(lists), flags=re.MULTILINE)


@pytest.mark.parametrize("package", listed_packages())
def test_a_dependency_has_its_page(package: str) -> None:
    assert any(f"`{package}`" in text for name, text in PAGES.items() if name != "README.md")


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"README.md"}))
def test_a_page_says_context_decision_and_price_and_is_listed(name: str) -> None:
    for part in ("**Context.**", "**Decision.**", "**Price.**"):
        assert part in PAGES[name]
    assert f"({name})" in PAGES["README.md"]
