"""What `deploy/` starts is there, is named as the service names it, and serves every queue."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml
from django.core.management import get_commands
from granian.cli import OctalIntType

from tournaments import environment
from tournaments.environment import ROOT
from tournaments.management.commands import up
from tournaments.models.heartbeats import QUEUES
from tournaments.operations.views import MULTIPROC_VARIABLE

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
KNOWN = set(re.findall(r"^\| `([A-Z_]+)` \|", environment.__doc__ or "", flags=re.MULTILINE))
REQUIRED = {"BAZA_SECRET_KEY", "BAZA_AUDIT_KEY", "BAZA_PUBLIC_URL", "DATABASE_URL", "REDIS_URL"}
WANTED = {*REQUIRED, "BAZA_VAR", "BAZA_LOG", "BAZA_BACKUP_DIR", "BAZA_METRICS_TOKEN"}


def unit(path: Path) -> configparser.ConfigParser:
    """Read a unit; of what it says twice, all of it."""

    class Twice(dict[str, Any]):
        def __setitem__(self, key: str, value: Any) -> None:
            if key in self and isinstance(value, list) and isinstance(self[key], list):
                value = [*self[key], "\n", *value]
            super().__setitem__(key, value)

    parser = configparser.ConfigParser(
        strict=False, interpolation=None, delimiters=("=",), dict_type=Twice
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    return parser


def of_units() -> dict[str, list[list[str]]]:
    """Return the commands of each unit, in words after the interpreter."""
    return {
        path.stem: [
            shlex.split(line)[2:] if "-m" in line else shlex.split(line)[1:]
            for line in filter(None, unit(path)["Service"]["ExecStart"].splitlines())
        ]
        for path in UNITS
    }


def of_compose() -> dict[str, list[list[str]]]:
    """Return the commands of the services made of our own image."""
    texts: dict[str, list[list[str]]] = {}
    for name, service in COMPOSE["services"].items():
        if service["image"] != "baza":
            continue
        words = [str(word) for word in service["command"]]
        if words[0] == "sh":
            texts[name] = [shlex.split(part)[1:] for part in words[-1].split("&&")]
        else:
            texts[name] = [words[words.index("celery") :] if "celery" in words else words]
    return texts


BOTH = {"systemd": of_units(), "compose": of_compose()}


def option(words: list[str], name: str) -> str:
    """Return the value of an option, however it is written."""
    for at, word in enumerate(words):
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
        if word == name:
            return words[at + 1]
    return ""


def test_every_variable_that_is_named_is_one_of_the_service() -> None:
    names = set()
    for path in DEPLOY.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            names |= set(re.findall(r"\bBAZA_[A-Z_]+|\b(?:DATABASE|REDIS)_URL\b", path.read_text()))
    assert names <= KNOWN
    assert names >= WANTED


def test_every_variable_is_explained_and_no_other() -> None:
    text = (ROOT / "docs" / "operators" / "running.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", text, flags=re.MULTILINE)) == KNOWN
    read = (ROOT / "tournaments" / "environment.py").read_text(encoding="utf-8")
    names = r"\"(BAZA_[A-Z_]+|(?:DATABASE|REDIS)_URL)\""
    assert set(re.findall(names, read)) == KNOWN


def test_the_example_names_every_variable_but_the_one_for_developers() -> None:
    text = (DEPLOY / "baza.env.example").read_text(encoding="utf-8")
    names = re.findall(r"^#?([A-Z_]+)=", text, flags=re.MULTILINE)
    assert sorted(names) == sorted(KNOWN - {"BAZA_DEBUG"})


def test_what_a_service_of_its_own_needs_is_given() -> None:
    text = (DEPLOY / "baza.env.example").read_text(encoding="utf-8")
    names = set(re.findall(r"^([A-Z_]+)=", text, flags=re.MULTILINE))
    service = COMPOSE["services"]["web"]
    assert names | set(service["environment"]) >= REQUIRED
    for path in UNITS:
        section = unit(path)["Service"]
        assert section["EnvironmentFile"] == "/etc/baza/baza.env"
        assert "BAZA_VAR=/var/lib/baza" in section["Environment"]


def test_no_secret_is_written_down() -> None:
    text = (DEPLOY / "baza.env.example").read_text(encoding="utf-8")
    for name in ("BAZA_SECRET_KEY", "BAZA_AUDIT_KEY", "BAZA_METRICS_TOKEN"):
        assert re.search(rf"^{name}=$", text, flags=re.MULTILINE)
    assert COMPOSE["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${")


SECRET = ("deploy/baza.env", "deploy/.env", "deploy/baza.env~", "baza.env", "var-of-club/audit-key")
OPEN = ("deploy/baza.env.example", "deploy/compose.yaml", "tournaments/environment.py")


def is_in_image(name: str) -> bool:
    """Return whether a file goes into the image: of the lines that name it, the last one counts."""
    is_included = True
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        if not pattern or line.startswith("#"):
            continue
        path = PurePosixPath(name)
        anywhere = "**/" in line
        for candidate in (path, *path.parents[:-1]):
            if candidate.match(pattern) and (
                anywhere or len(candidate.parts) == len(Path(pattern).parts)
            ):
                is_included = line.startswith("!")
    return is_included


def test_what_is_to_stay_secret_gets_into_no_image() -> None:
    """`COPY . .` takes all that `.dockerignore` does not keep out."""
    assert [name for name in (*SECRET, "var/secret-key") if is_in_image(name)] == []
    assert [name for name in OPEN if not is_in_image(name)] == []


def test_what_is_to_stay_secret_gets_into_no_commit(tmp_path: Path) -> None:
    shutil.copy(ROOT / ".gitignore", tmp_path)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    texts = ["git", "check-ignore", *SECRET, *OPEN]
    left_out = subprocess.run(texts, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert left_out.stdout.split() == [*SECRET]


@pytest.mark.parametrize("way", BOTH)
def test_every_queue_is_served(way: str) -> None:
    queues = [
        queue
        for commands in BOTH[way].values()
        for words in commands
        if words[0] == "celery" and "worker" in words
        for queue in option(words, "--queues").split(",")
    ]
    assert sorted(queues) == sorted(QUEUES)


@pytest.mark.parametrize("way", BOTH)
def test_what_is_started_exists(way: str) -> None:
    commands = [words for several in BOTH[way].values() for words in several]
    started = {words[0] for words in commands} - {"compileall"}
    assert started == {"celery", "granian", "manage.py"}
    for words in commands:
        if words[0] == "manage.py":
            assert words[1] in get_commands()
        elif words[0] == "compileall":
            assert all((ROOT / folder).is_dir() for folder in words[2:])
        elif words[0] == "granian":
            assert words[-1] == "tournaments.asgi:application"
            assert option(words, "--uds").startswith("/run/baza/")
            assert "--respawn-failed-workers" in words
        else:
            assert option(words, "-A") == "tournaments"
    assert [words for words in commands if "beat" in words] != []


def test_analyses_come_after_everything_else_within_their_group_and_among_groups() -> None:
    service = unit(DEPLOY / "systemd" / "baza-analyst.service")["Service"]
    container = COMPOSE["services"]["analyst"]
    usual = 100, 1024
    assert 0 < int(service["CPUWeight"]) / usual[0] <= 0.1
    assert 0 < container["cpu_shares"] / usual[1] <= 0.1
    priority = ["nice", "-n", service["Nice"]]
    assert container["command"][:3] == up.analyst_command("analyst")[:3] == priority


def test_several_web_workers_count_together_in_a_folder_that_begins_empty() -> None:
    """Else each request for the figures would meet those of one worker, now this one, now that."""
    several = {}
    for path in UNITS:
        service = unit(path)["Service"]
        several[path.stem] = int(option(shlex.split(service["ExecStart"]), "--workers") or 1)
        pattern_match = re.search(rf"\b{MULTIPROC_VARIABLE}=(\S+)", service["Environment"])
        assert (pattern_match is not None) == (several[path.stem] > 1), path.name
        if pattern_match:
            assert pattern_match[1].startswith(f"/run/{service['RuntimeDirectory']}/")
            first = [line for line in service["ExecStartPre"].splitlines() if line]
            assert first == [f"/bin/rm -rf {pattern_match[1]}", f"/bin/mkdir {pattern_match[1]}"]
    for name, service in COMPOSE["services"].items():
        workers = int(option([str(word) for word in service.get("command", [])], "--workers") or 1)
        assert workers == several.get(f"baza-{name}", 1)
        folder = (
            service["environment"].get(MULTIPROC_VARIABLE) if "environment" in service else None
        )
        assert (folder is not None) == (workers > 1), name
        assert folder is None or [line.partition(":")[0] for line in service["tmpfs"]] == [folder]
    assert several["baza-web"] > 1


def test_both_ways_start_the_same() -> None:
    names = {name.removeprefix("baza-") for name in BOTH["systemd"]}
    assert names == set(BOTH["compose"])


def words_of(path: Path, key: str) -> set[str]:
    """Return what a unit says under a key of its first section."""
    return set(unit(path)["Unit"].get(key, "").split())


def test_who_prepares_a_release_again_stops_nobody() -> None:
    """A unit that requires another, or is part of it, stops with it: a restart is a stop first."""
    prepare = "baza-prepare.service"
    others = [path for path in UNITS if path.name != prepare]
    for path in others:
        assert prepare in words_of(path, "Wants") & words_of(path, "After"), path.name
        for key in ("Requires", "BindsTo", "PartOf", "Upholds"):
            assert prepare not in words_of(path, key), (path.name, key)
    for key in ("Conflicts", "PropagatesStopTo", "PartOf"):
        assert words_of(DEPLOY / "systemd" / prepare, key) == set()


def test_an_upgrade_prepares_reloads_the_web_and_restarts_the_workers() -> None:
    """Who answers requests is never restarted; who does not need not reload."""
    text = (ROOT / "docs" / "operators" / "runbook.md").read_text(encoding="utf-8")
    steps = text.partition("\n## Upgrade\n")[2].partition("**Back**")[0]
    occurrences = re.findall(r"`systemctl (\w+) (baza-[^`]+)`", steps)
    assert [verb for verb, _ in occurrences] == ["restart", "reload", "restart"]
    prepared, reloaded, restarted = ({*units.split()} for _, units in occurrences)
    assert prepared == {"baza-prepare"}
    assert reloaded == {path.stem for path in UNITS if "ExecReload" in unit(path)["Service"]}
    assert reloaded == {"baza-web", "baza-stream"}
    assert restarted == {path.stem for path in UNITS} - prepared - reloaded


@pytest.mark.parametrize("way", ["systemd", "compose"])
def test_the_sockets_are_for_their_group_to_write_to(way: str) -> None:
    commands = (of_units() if way == "systemd" else of_compose()).values()
    words = " ".join(word for lines in commands for line in lines for word in line)
    occurrences = re.findall(r"--uds-permissions[ =](\S+)", words)
    kind = OctalIntType()
    modes = [kind.convert(text, None, None) for text in occurrences]  # type: ignore[no-untyped-call]
    assert len(modes) == 2
    assert all(mode & ~0o666 == 0 and mode & 0o660 == 0o660 for mode in modes)


def test_the_target_wants_every_unit() -> None:
    assert words_of(DEPLOY / "systemd" / "baza.target", "Wants") == {path.name for path in UNITS}


def test_stopping_the_target_waits_for_every_service() -> None:
    """A unit stops before those that it starts after; the target's own job is waited for."""
    for path in UNITS:
        if path.name != "baza-prepare.service":
            assert "baza.target" in words_of(path, "PartOf") & words_of(path, "After"), path.name
    runbook = (ROOT / "docs" / "operators" / "runbook.md").read_text(encoding="utf-8")
    assert "systemctl stop baza.target" in runbook


def test_redis_keeps_what_it_has_and_throws_nothing_away() -> None:
    words = COMPOSE["services"]["redis"]["command"]
    assert option(words, "--appendonly") == "yes"
    assert option(words, "--maxmemory-policy") == "noeviction"


def test_the_proxy_limits_bodies_passes_streams_on_and_keeps_the_figures_inside() -> None:
    proxy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert "max_size 2MiB" in proxy
    assert "flush_interval -1" in proxy
    assert "@inside path /healthz /readyz /metrics" in proxy
    sockets = {option(words, "--uds") for several in of_compose().values() for words in several}
    assert set(re.findall(r"unix/(/\S+)", proxy)) == sockets - {""}


def test_nginx_passes_on_to_the_same_sockets_and_keeps_the_figures_inside() -> None:
    """What it caches is tried in `tests/live/test_proxy_pages.py`."""
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    sockets = {option(words, "--uds") for several in of_compose().values() for words in several}
    assert set(re.findall(r"unix:(/[^;\s]+)", site)) == sockets - {""}
    assert "client_max_body_size 2m;" in site
    assert "location ~ ^/(healthz|readyz|metrics)$ { return 404; }" in site


def test_the_proxy_hides_what_is_inside_in_a_handle_of_its_own() -> None:
    """Caddy puts `handle` before a bare `respond`, which would never be asked."""
    proxy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    lines = [line.strip() for line in proxy.splitlines()]
    at = lines.index("handle @inside {")
    assert lines[at + 1 : at + 3] == ["respond 404", "}"]
    assert not [line for line in lines if line.startswith("respond @")]
