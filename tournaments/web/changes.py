"""What was said of a tournament, said otherwise; and a draft thrown away."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.permissions import refuse_unless
from tournaments.queries import find
from tournaments.queries.heads import tournament_head
from tournaments.queries.state import refuse_unless_open
from tournaments.services.changes import change_tournament, discard_draft
from tournaments.web.answers import Step, asker, confirmed
from tournaments.web.forms_plan import OF_THE_TERMS, SettingsForm


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Its name, and in a draft what is agreed for the day."""
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless_open(head.may.verbs, "rename", who)
    now = {name: getattr(head, name) for name in ("name", *OF_THE_TERMS)}
    form = SettingsForm(request.POST or None, initial=now, is_draft=head.may.verbs["change_terms"])
    said = form.ask(
        lambda: change_tournament(who, find.find_tournament(slug, who), form.cleaned_data)
    )
    if said:
        messages.success(request, _("The settings are changed."))
        return redirect("tournament", slug)
    context = {"head": head, "form": form}
    return render(request, "tournaments/settings.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def discard(request: HttpRequest, slug: str) -> HttpResponse:
    """Throw a draft away, once it was said what goes and what stays."""
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless(head.may.manage, who)
    is_draft = head.may.verbs["discard"]
    back = (
        reverse("club", args=[head.club_slug]) if is_draft else reverse("tournament", args=[slug])
    )
    step = Step(
        act=lambda: discard_draft(who, find.find_tournament(slug, who)),
        done=_("The draft is gone."),
        back=back,
        possible=is_draft,
    )
    return confirmed(request, "tournaments/discard.html", {"head": head}, step)
