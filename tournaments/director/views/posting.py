"""The page on which a tournament is posted, taken down or cancelled."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.find import find_tournament
from tournaments.core.forms import ReasonForm
from tournaments.core.views import run_action
from tournaments.director.services import posting
from tournaments.director.views.tournaments import find_managed_head


@require_http_methods(["GET", "HEAD", "POST"])
def post(request: HttpRequest, slug: str) -> HttpResponse:
    """Post a draft, take its poster down, or cancel the tournament with a reason."""
    actor, head = find_managed_head(request, slug)
    verb = request.POST.get("verb", "")
    form = ReasonForm(request.POST if verb == "cancel" else None)
    if verb in ("post", "unpost"):
        tournament = find_tournament(slug, actor)
        service = posting.post_tournament if verb == "post" else posting.unpost_tournament
        text = _("The tournament is posted.") if verb == "post" else _("The poster is down.")
        run_action(request, lambda: service(actor, tournament), text)
        return redirect("post", slug)
    cancelled = form.submit(
        lambda: posting.cancel_tournament(
            actor, find_tournament(slug, actor), form.cleaned_data["reason"]
        )
    )
    if cancelled is not None:
        messages.success(request, _("The tournament is cancelled; its poster says so."))
        return redirect("post", slug)
    address = request.build_absolute_uri(reverse("tournament", args=[slug]))
    context = {"head": head, "form": form, "address": address}
    return render(request, "director/tournaments/post.html", context, status=form.status)
