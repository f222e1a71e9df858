"""What several commands share: refusals as errors, users by name, links for users."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from tournaments.accounts.services.accounts import reset_path
from tournaments.core.errors import Refusal


class ServiceCommand(BaseCommand):
    """A command that calls services: their refusals become its error message."""

    failures: tuple[type[Exception], ...] = (Refusal,)

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; raises CommandError for ``failures``."""
        try:
            return super().execute(*args, **options)
        except self.failures as error:
            raise CommandError(str(error)) from error

    def progress(self, line: str) -> None:
        """Print a line about the progress, on a terminal only."""
        if self.stderr.isatty():
            self.stderr.write(line)


def password_link(user: User) -> str:
    """Return the link to set a user's password, valid for a day and once.

    Without `BAZA_PUBLIC_URL` it begins with the path: prepend the address of the service.
    """
    uidb64, token = reset_path(user)
    path = reverse("new-password", kwargs={"uidb64": uidb64, "token": token})
    return f"{settings.ENVIRONMENT.public_url}{path}"


def find_user(user: str) -> User:
    """Return the user with a name; raises CommandError."""
    try:
        return User.objects.get(username=user)
    except User.DoesNotExist as error:
        raise CommandError(f"There is no user {user!r}.") from error
