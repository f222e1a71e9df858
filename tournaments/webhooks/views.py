"""Pages of a club's webhooks: the list, one webhook with its deliveries, and the actions."""

from collections.abc import Mapping
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.buttons import Button, find_button
from tournaments.core.find import find_club, find_tournament
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.core.views import ConfirmedAction, actor_from, confirm_page
from tournaments.models import Webhook
from tournaments.webhooks import queries
from tournaments.webhooks.forms import WebhookForm
from tournaments.webhooks.services import webhooks as webhooks_services

NEW_WEBHOOK_SESSION_KEY: Final = "webhook_whose_secret_is_new"
"""Session key that holds the primary key of the webhook whose secret the next page shows."""


@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """List the webhooks of a club, with a form to add one."""
    actor, club = actor_from(request), find_club(slug)
    refuse_unless(may_manage(actor, club), actor)
    form = WebhookForm(queries.tournaments_of(slug, actor), request.POST or None)

    def act() -> Webhook:
        data = dict(form.cleaned_data)
        tournament_slug = data.pop("tournament")
        tournament = find_tournament(tournament_slug, actor) if tournament_slug else None
        return webhooks_services.add_webhook(actor, club, tournament=tournament, **data)

    new_webhook = form.submit(act)
    if new_webhook:
        request.session[NEW_WEBHOOK_SESSION_KEY] = new_webhook.pk
        messages.success(request, _("The webhook is there. Keep its secret now."))
        return redirect("webhook", slug, new_webhook.pk)
    page = queries.club_webhooks(slug, actor)
    context = {"page": page, "form": form, "most": webhooks_services.MAX_PER_CLUB}
    return render(request, "webhooks/list.html", context, status=form.status)


@require_safe
@never_cache
def webhook(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show one webhook with its deliveries; its secret only once, when it is new."""
    row, actor = find_managed_webhook(request, slug, pk)
    page = queries.webhook_page(slug, pk, actor)
    is_new = request.session.get(NEW_WEBHOOK_SESSION_KEY) == pk
    if is_new and request.method == "GET":  # HEAD shows nothing
        del request.session[NEW_WEBHOOK_SESSION_KEY]
    secret = webhooks_services.secret_text(row) if is_new else ""
    return render(request, "webhooks/page.html", {"page": page, "secret": secret})


@require_POST
def act(request: HttpRequest, slug: str, pk: int, verb: str) -> HttpResponse:
    """Run an action that needs no confirmation: ping, pause, resume or redeliver."""
    row, actor = find_managed_webhook(request, slug, pk)
    if verb == "redeliver":
        count = webhooks_services.redeliver_failed(actor, row)
        text = ngettext(
            "%(count)s message is sent again.", "%(count)s messages are sent again.", count
        )
        messages.success(request, text % {"count": count})
    else:
        button = find_button(WEBHOOK_BUTTONS, verb)[1]
        button.act(actor, row)
        messages.success(request, str(button.done))
    return redirect("webhook", slug, pk)


WEBHOOK_BUTTONS: Final[Mapping[str, Button[[Actor, Webhook]]]] = {
    "ping": Button(
        webhooks_services.ping,
        gettext_lazy("A test message is under way: look again in a moment."),
    ),
    "pause": Button(
        webhooks_services.pause_webhook,
        gettext_lazy("Nothing is sent until you resume it."),
    ),
    "resume": Button(
        webhooks_services.resume_webhook,
        gettext_lazy("It goes on, with what happened meanwhile."),
    ),
}


@require_POST
def redeliver(request: HttpRequest, slug: str, pk: int, delivery: int) -> HttpResponse:
    """Send a message again."""
    _row, actor = find_managed_webhook(request, slug, pk)
    webhooks_services.redeliver(actor, queries.find_delivery(slug, pk, delivery, actor))
    messages.success(request, _("The message is sent again: look again in a moment."))
    return redirect("webhook", slug, pk)


@require_http_methods(["GET", "HEAD", "POST"])
def change_secret(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Replace the secret of a webhook, after a confirmation."""
    row, actor = find_managed_webhook(request, slug, pk)

    def act() -> None:
        webhooks_services.change_secret(actor, row)
        request.session[NEW_WEBHOOK_SESSION_KEY] = pk

    back = reverse("webhook", args=[slug, pk])
    step = ConfirmedAction(act, _("The secret is another. Keep it now."), back)
    return confirm_page(request, "webhooks/secret.html", {"webhook": row, "club": row.club}, step)


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a webhook, after a confirmation."""
    row, actor = find_managed_webhook(request, slug, pk)
    message = _("The webhook has been removed.")
    back = reverse("webhooks", args=[slug])
    step = ConfirmedAction(lambda: webhooks_services.remove_webhook(actor, row), message, back)
    return confirm_page(request, "webhooks/remove.html", {"webhook": row, "club": row.club}, step)


def find_managed_webhook(request: HttpRequest, slug: str, pk: int) -> tuple[Webhook, Actor]:
    """Return the webhook and the viewer. Refuses FORBIDDEN, NOT_FOUND."""
    actor = actor_from(request)
    refuse_unless(may_manage(actor, find_club(slug)), actor)
    return queries.find_webhook(slug, pk, actor), actor
