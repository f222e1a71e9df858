"""Configuration of the Django apps, and system checks of the machine."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core import checks
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.db import store_timeouts
from tournaments.environment import ROOT

NO_SANDBOX: Final = "tournaments.W001"
PRIVATE_WEBHOOKS: Final = "tournaments.W002"
OLD_CATALOGUES: Final = "tournaments.E001"


class TournamentsConfig(AppConfig):
    """The one app of the project."""

    name = "tournaments"
    label = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make our Celery application the current one, so that jobs go to our broker."""
        from tournaments import celery  # noqa: F401  (Django's apps must be loaded first)

        post_migrate.connect(store_timeouts, sender=self)
        checks.register(check_sandbox, "arena")
        checks.register(check_webhooks, checks.Tags.security)
        checks.register(check_catalogues, checks.Tags.translation)


def check_sandbox(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001
    **_asked: Any,
) -> list[checks.CheckMessage]:
    """Warn in `manage.py check` when submitted programs cannot run on this machine, and say why.

    Everything else works without them; `manage.py check_arena` prints the layers of the sandbox.
    """
    missing = engine.capabilities().missing
    if not missing:
        return []
    reasons = "; ".join(missing)
    hint = "The bots of the house and those over the API play all the same: docs/bots/sandbox.md."
    return [checks.Warning(f"untrusted programs are refused: {reasons}", hint, id=NO_SANDBOX)]


def check_webhooks(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001
    **_asked: Any,
) -> list[checks.CheckMessage]:
    """Warn when organisers may have this machine call others of its own network."""
    if not settings.ENVIRONMENT.webhooks_to_private:
        return []
    hint = "Good for trying webhooks on one's own machine, never for a service that others use."
    message = "BAZA_WEBHOOKS_TO_PRIVATE: webhooks reach this machine's own network, and need no TLS"
    return [checks.Warning(message, hint, id=PRIVATE_WEBHOOKS)]


def check_catalogues(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001
    **_asked: Any,
) -> list[checks.CheckMessage]:
    """Fail where a catalogue is not compiled, or its text is newer: pages would lack words."""
    hint = "./baza compiles them at its start; without it, python -m requirements.catalogues does."
    return [
        checks.Error(f"{text.relative_to(ROOT)} is not compiled, or newer", hint, id=OLD_CATALOGUES)
        for text in sorted(ROOT.glob("*/locale/*/LC_MESSAGES/*.po"))
        if is_older(text.with_suffix(".mo"), text)
    ]


def is_older(compiled: Path, text: Path) -> bool:
    """Return whether a compiled file is missing or older than its text."""
    return not compiled.exists() or compiled.stat().st_mtime_ns < text.stat().st_mtime_ns


class Admin(AdminConfig):
    """The admin, behind the sign-in of the pages."""

    default_site = "tournaments.accounts.views.accounts.PageSignInAdminSite"


class Static(StaticFilesConfig):
    """Collects static files, without those that no page uses: most of the bytes."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "rest_framework", "redoc", "*.js.map"]
