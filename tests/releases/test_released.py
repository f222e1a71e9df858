"""The commits of the releases are what is written of them."""

import subprocess

import pytest

from tests.releases.released import RELEASES, Release
from tournaments.environment import ROOT


def git(*arguments: str) -> str:
    """Return what git prints; empty where this copy lacks it, as one without the history does."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.version)
def test_a_commit_has_the_version_and_ends_with_the_migration(release: Release) -> None:
    project = git("show", f"{release.commit}:pyproject.toml")
    if not project:
        pytest.skip("a copy without the history")
    assert f'\nversion = "{release.version}"\n' in project
    migrations = git("ls-tree", "--name-only", release.commit, "tournaments/migrations/")
    last = max(line for line in migrations.split() if "/0" in line)
    assert last == f"tournaments/migrations/{release.migration}.py"
