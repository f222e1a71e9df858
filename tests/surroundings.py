"""Where the tests run: a folder of their own, never the one the service uses.

Loaded by pytest before Django's settings are read (`-p tests.surroundings` in pyproject.toml).
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from requirements.catalogues import compile_old
from tests.quick import examples

# No test times anything, Hypothesis neither: a busy machine is no fault.
settings.register_profile(
    "baza",
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("baza")

worker = os.environ.get("PYTEST_XDIST_WORKER", "")
begun = 0
"""How many tests have begun."""


def take_a_folder() -> Path:
    """Make this process's own `BAZA_VAR`, with the folder of static files whitenoise looks for."""
    folder = Path(tempfile.mkdtemp(prefix=f"baza-tests-{worker}"))
    (folder / "static").mkdir()
    return folder


def own_number(url: str) -> str:
    """Return the address with this process's own database of Redis: `gw1` takes the next one."""
    number = int(worker.removeprefix("gw") or 0)
    head, _, suffix = url.rpartition("/")
    return f"{head}/{int(suffix) + number}" if suffix.isdecimal() else url


VAR = take_a_folder()
compile_old(Path(__file__).parents[1])
if "REDIS_URL" in os.environ:
    os.environ["REDIS_URL"] = own_number(os.environ["REDIS_URL"])
os.environ["BAZA_VAR"] = str(VAR)
os.environ["BAZA_SECRET_KEY"] = "for-tests-only-" + "x" * 50
os.environ["BAZA_AUDIT_KEY"] = "7e" * 32
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
    "true"  # playwright runs an event loop in the tests' thread
)
for name in ("BAZA_ALLOWED_HOSTS", "BAZA_PUBLIC_URL", "BAZA_DEBUG"):
    os.environ.pop(name, None)


def pytest_configure() -> None:
    """Ask Django for cheap password hashes, static files as they are, and a flush of everything."""
    from django.conf import settings as django_settings

    from tests import flushing

    flushing.allow()

    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django_settings.CACHES["default"]["KEY_FUNCTION"] = "tests.surroundings.key_of_this_test"
    django_settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from going through the tests that are collected.

    They live as long as the process, and there are ten thousand: it cost a tenth of the run.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtest_setup() -> None:
    """Begin with an empty cache."""
    global begun  # noqa: PLW0603
    begun += 1


def key_of_this_test(key: str, prefix: str, version: int) -> str:
    """Keep what a test remembers apart from what others did, in every thread."""
    from tournaments.core.cache import make_key  # Django's settings must be loaded first

    return make_key(key, f"{prefix}:{begun}", version)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    shutil.rmtree(VAR, ignore_errors=True)
