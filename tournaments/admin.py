"""The Django admin: read-only views of the rows; only accounts can be changed.

Every change in a club goes through a service, which checks rights and rules and writes the history.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest

from tournaments.accounts.services.accounts import refuse_last_superuser
from tournaments.core.errors import Refusal
from tournaments.models import (
    ApiToken,
    AuditEvent,
    Bot,
    Club,
    Dispute,
    Entry,
    Match,
    Membership,
    Pair,
    Player,
    Record,
    Result,
    Round,
    Tournament,
)

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[models.Model]
    AccountAdmin = UserAdmin[User]
    ChangeForm = UserChangeForm[User]
else:
    ModelAdmin, AccountAdmin, ChangeForm = admin.ModelAdmin, UserAdmin, UserChangeForm


class ReadOnlyAdmin(ModelAdmin):
    """A read-only list of rows."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse to add rows."""
        del request
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Refuse to change rows."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Refuse to delete rows."""
        del request, obj
        return False


@admin.register(Club, Membership, Player, Pair, Bot, Tournament, Entry, Match, Result, Dispute)
class PlainRowAdmin(ReadOnlyAdmin):
    """Rows without secret columns."""


@admin.register(ApiToken)
class TokenAdmin(ReadOnlyAdmin):
    """Tokens, without the digests of their secrets."""

    exclude = ("digest",)
    list_display = ("name", "user", "club", "created_at", "last_used_at", "revoked_at")


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    """Rounds, without their seeds: those of a round that is being played are secret."""

    exclude = ("seed",)
    list_display = ("stage", "number", "state", "published_at", "closed_at")


@admin.register(Record)
class RecordAdmin(ReadOnlyAdmin):
    """Records with their verdicts."""

    list_display = ("match", "state", "source", "code", "submitter", "created_at")
    list_filter = ("state", "source")
    list_select_related = ("match__round__stage__tournament",)


@admin.register(AuditEvent)
class EventAdmin(ReadOnlyAdmin):
    """Events of the history."""

    list_display = ("club", "sequence", "at", "verb", "actor", "subject")
    list_filter = ("verb",)
    list_select_related = ("club",)
    search_fields = ("actor", "subject")


class AccountForm(ChangeForm):
    """The form in which the staff changes an account."""

    def clean(self) -> dict[str, Any]:
        """Refuse to suspend the last superuser or remove that user's rights."""
        data = super().clean() or self.cleaned_data
        if not (data.get("is_active") and data.get("is_superuser")):
            try:
                refuse_last_superuser(self.instance)
            except Refusal as refusal:
                raise ValidationError(refusal.message, code=refusal.code) from refusal
        return data


admin.site.unregister(User)


@admin.register(User)
class ClubAccountAdmin(AccountAdmin):
    """Accounts. None is deleted here, only suspended or erased (docs/operators/privacy.md)."""

    form = AccountForm

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse to delete accounts: the name would stay in the history."""
        del request, obj
        return False
