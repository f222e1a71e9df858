"""How Django knows this app."""

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """The one app of the project."""

    name = "tournaments"
    label = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make our Celery application the current one: a page's job goes to our broker."""
        from tournaments import celery  # noqa: F401  (Django's apps must be loaded first)


class Static(StaticFilesConfig):
    """The collector of static files, without what no page asks for: most of the bytes."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "rest_framework", "redoc", "*.js.map"]
