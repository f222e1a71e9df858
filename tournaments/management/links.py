"""Links that the administrator of the service gives to users."""

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.urls import reverse

from tournaments.accounts.services.accounts import reset_path


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
