"""Where the tests run: a folder of their own, never the one the service uses.

Loaded by pytest before Django's settings are read (`-p tests.surroundings` in pyproject.toml).
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test times anything, Hypothesis neither: a busy machine is no fault.
settings.register_profile("baza", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("baza")

worker = os.environ.get("PYTEST_XDIST_WORKER", "")


def take_a_folder() -> Path:
    """Make this process's own `BAZA_VAR`, with the folder of static files whitenoise looks for."""
    folder = Path(tempfile.mkdtemp(prefix=f"baza-tests-{worker}"))
    (folder / "static").mkdir()
    return folder


VAR = take_a_folder()
os.environ["BAZA_VAR"] = str(VAR)
os.environ["BAZA_SECRET_KEY"] = "for-tests-only-" + "x" * 50
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
    "true"  # playwright runs an event loop in the tests' thread
)
for name in ("BAZA_ALLOWED_HOSTS", "BAZA_PUBLIC_URL", "BAZA_DEBUG"):
    os.environ.pop(name, None)


def pytest_configure() -> None:
    """Ask Django for cheap password hashes and for static files as they are."""
    from django.conf import settings as django_settings

    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django_settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    shutil.rmtree(VAR, ignore_errors=True)
