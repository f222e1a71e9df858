"""Pages of a tournament: wizard, history, start and end, settings, visibility, restoring."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

import engine
from tournaments.core import find
from tournaments.core.errors import Reason, refuse_unless_known
from tournaments.core.faults import DRAW_FAULTS
from tournaments.core.forms import CommaDecimalField, Form
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import ConfirmedAction, actor_from, confirm_page
from tournaments.director.forms.house_rules import RULE, code_of
from tournaments.director.forms.plan import (
    DEALS,
    TABLE_RULESET,
    TERM_FIELDS,
    TO,
    RepeatForm,
    TournamentForm,
    VisibilityForm,
    domain_text,
)
from tournaments.director.forms.settings import SettingsForm
from tournaments.director.queries import cards, tournaments
from tournaments.director.queries.desk import Pace, paces
from tournaments.director.queries.lists import MAX_ENTRIES
from tournaments.director.queries.repeating import repeat_proposal
from tournaments.director.queries.stage_rules import NEW_RULES, rule_offers
from tournaments.director.queries.state import closed_text, refusal_of, refuse_unless_open
from tournaments.director.queries.tickets import waiting_tickets
from tournaments.director.queries.tournaments import TournamentHead, tournament_head
from tournaments.director.services import restoring
from tournaments.director.services import tournaments as tournaments_services
from tournaments.director.services.draws import draw as draw_rounds
from tournaments.director.services.opening import draw_and_publish
from tournaments.director.services.repeating import repeat_tournament
from tournaments.director.services.settings import ANNOUNCED
from tournaments.director.services.stage_rules import adopt_rule
from tournaments.director.services.tournaments import (
    change_tournament,
    create_tournament,
    discard_tournament,
)
from tournaments.domain.names import MAX_NAME_LENGTH, ruleset_name
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.plan_drawing import MAX_NUMBERED, planned_rounds, stages_in_time
from tournaments.domain.plans import MOVEMENT, PLANS, Plan, StageSize, stage_name
from tournaments.domain.proposals import (
    MINUTES_BETWEEN,
    Aim,
    PlanRequest,
    Proposal,
    propose,
)
from tournaments.domain.state import PointFacts

# --- Tournaments ----------------------------------------------------------------------------------
# The history of a tournament, its start and its end.


def find_managed_head(request: HttpRequest, slug: str) -> tuple[Actor, TournamentHead]:
    """Return the actor and the tournament that they manage. Refuses SIGN_IN, FORBIDDEN."""
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless(head.may.manage, actor)
    return actor, head


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the tournament: its first rounds are drawn, with ``publish`` the first published."""
    actor, head = find_managed_head(request, slug)
    is_published = "publish" in request.POST
    act = draw_and_publish if is_published else draw_rounds
    done = _("The rounds are drawn. Publish the first one, and all see their tables.")
    step = ConfirmedAction(
        act=lambda: act(actor, find.find_tournament(slug, actor)),
        done=_("Round 1 is published: all see their tables.") if is_published else done,
        back=reverse("round", args=[slug, 1]) if is_published else reverse("rounds", args=[slug]),
        closed=closed_text(head.may.verbs, "draw"),
    )
    context = {"head": head, "waiting_tickets": waiting_tickets(head)}
    return confirm_page(request, "director/tournaments/draw.html", context, step)


# --- Changes --------------------------------------------------------------------------------------
# The settings of a tournament, and discarding a draft.


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name, and in a draft the terms of the day."""
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless_open(head.may.verbs, "rename", actor)
    now = {name: getattr(head, name) for name in ("name", *ANNOUNCED, "ruleset", *TERM_FIELDS)}
    now |= {RULE + name: code_of(value) for name, value in head.options.items()}
    form = SettingsForm(
        request.POST or None,
        initial=now,
        is_draft=head.may.verbs["change_terms"],
        stages=head.stages,
    )
    tournament = find.find_tournament(slug, actor)
    for rule, value in NEW_RULES.items():
        if request.POST.get(rule) == value:
            adopt_rule(actor, tournament, rule)
            by_play, exact = _("Places follow from what was played."), _("Sums are exact now.")
            messages.success(request, by_play if rule == "places" else exact)
            return redirect("tournament", slug)
    notice = form.submit(lambda: change_tournament(actor, tournament, form.changes))
    if notice:
        messages.success(request, _("The settings are changed."))
        return redirect("tournament", slug)
    context = {"head": head, "form": form, "offers": rule_offers(tournament)}
    return render(request, "director/tournaments/settings.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def repeat(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a tournament with the settings of another, and on request its entries."""
    actor, head = find_managed_head(request, slug)
    tournament = find.find_tournament(slug, actor)
    form = RepeatForm(repeat_proposal(tournament), request.POST or None)
    new = form.submit(lambda: repeat_tournament(actor, tournament, **form.cleaned_data))
    if new:
        messages.success(request, _("The tournament is there. Who plays in it?"))
        return redirect("entries", new.slug)
    context = {"head": head, "form": form}
    return render(request, "director/tournaments/repeat.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def discard(request: HttpRequest, slug: str) -> HttpResponse:
    """Discard a draft, after a page that lists what is deleted and what stays."""
    actor, head = find_managed_head(request, slug)
    closed = closed_text(head.may.verbs, "discard")
    back = reverse("tournament", args=[slug]) if closed else reverse("club", args=[head.club_slug])
    step = ConfirmedAction(
        act=lambda: discard_tournament(actor, find.find_tournament(slug, actor)),
        done=_("The draft is gone."),
        back=back,
        closed=closed,
    )
    return confirm_page(request, "director/tournaments/discard.html", {"head": head}, step)


# --- Visibility -----------------------------------------------------------------------------------
# The choice of who sees a tournament.


@require_http_methods(["GET", "HEAD", "POST"])
def set_visibility(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose between everybody, and the club with those who play."""
    actor, head = find_managed_head(request, slug)
    form = VisibilityForm(request.POST or None, initial={"visibility": head.visibility})
    notice = form.submit(
        lambda: tournaments_services.set_visibility(
            actor, find.find_tournament(slug, actor), form.cleaned_data["visibility"]
        )
    )
    if notice:
        messages.success(request, _("The visibility is changed."))
        return redirect("tournament", slug)
    context = {"head": head, "form": form}
    return render(request, "director/tournaments/visibility.html", context, status=form.status)


# --- Restoring ------------------------------------------------------------------------------------
# Restore points: the list, and going back to one.


@require_safe
def restore_points(request: HttpRequest, slug: str) -> HttpResponse:
    """List the steps that can be undone, the latest first."""
    actor, head = find_managed_head(request, slug)
    tournament = find.find_tournament(slug, actor)
    refused_pks = tournaments.refused_points(tournament)
    points = [
        point for point in tournaments.restore_points(tournament) if point.pk not in refused_pks
    ]
    context = {"head": head, "points": points, "refused": len(refused_pks)}
    return render(request, "director/restoring/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def go_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Restore the tournament to a point, after showing the effects."""
    actor, head = find_managed_head(request, slug)
    point = find.find_restore_point(slug, pk, actor)
    follows = tournaments.effects(find.find_tournament(slug, actor), point)
    closed = refusal_of("go_back", PointFacts(follows.live, follows.redrawn))
    step = ConfirmedAction(
        act=lambda: restoring.go_back(actor, point),
        done=_("The tournament is as it was. That, too, can be taken back."),
        back=reverse("restore-points", args=[slug]),
        closed="" if closed is None else closed.message,
    )
    context = {"head": head, "point": point, "follows": follows}
    return confirm_page(request, "director/restoring/go_back.html", context, step)


# --- Propose --------------------------------------------------------------------------------------
# The wizard: formats that suit a number of entries and the time available.


HOUR = 60  # minutes
MAX_HOURS = 24  # chosen: a day
SIDES, SINGLE, BOTS = "sides", "single", "bots"


class ProposalForm(Form):
    """The number of entries, the time available, and priorities."""

    entrants = forms.IntegerField(
        label=gettext_lazy("How many enter?"), min_value=2, max_value=MAX_ENTRIES, initial=8
    )
    who = forms.ChoiceField(
        label=gettext_lazy("Who enters"),
        choices=[
            (
                SIDES,
                gettext_lazy("pairs, or players where each plays alone"),
            ),
            (SINGLE, gettext_lazy("players with a new partner every round")),
            (BOTS, gettext_lazy("bots")),
        ],
        widget=forms.RadioSelect,
        initial=SIDES,
    )
    ruleset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        choices=lambda: [(name, ruleset_name(name)) for name in engine.RULESETS],
        initial=TABLE_RULESET,
    )
    place = forms.CharField(
        label=gettext_lazy("Where it is played"), max_length=MAX_NAME_LENGTH, required=False
    )
    hours = CommaDecimalField(
        label=gettext_lazy("Hours available"),
        min_value=1,
        max_value=MAX_HOURS,
        decimal_places=2,
        initial=4,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
    )
    day = forms.DateField(
        label=gettext_lazy("It is played on"),
        required=False,
        initial=timezone.localdate,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    starts = forms.TimeField(
        label=gettext_lazy("It begins at"),
        initial="17:00",
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    aim = forms.ChoiceField(
        label=gettext_lazy("What matters most"),
        choices=[
            (Aim.PLAY_ON.value, gettext_lazy("everybody plays to the end")),
            (Aim.WINNER.value, gettext_lazy("a final, and a winner at the end of it")),
            (Aim.EVERYBODY.value, gettext_lazy("everybody meets everybody")),
            (
                Aim.SAME_DEALS.value,
                gettext_lazy(
                    "the same cards at every table, so that luck counts least (duplicate)"
                ),
            ),
        ],
        widget=forms.RadioSelect,
        initial=Aim.PLAY_ON.value,
    )
    pace = forms.IntegerField(
        label=gettext_lazy("Minutes a hand takes"),
        min_value=1,
        max_value=HOUR,
        required=False,
        help_text=gettext_lazy(
            "Left empty: what was measured at your club, or else what is usual."
        ),
    )
    target = forms.IntegerField(
        label=gettext_lazy("Hands that win a match"),
        min_value=1,
        max_value=10,
        required=False,
        help_text=gettext_lazy(
            "Left empty: three, or two where time is short. Tables of three: deals."
        ),
    )

    FIRST_STEP: ClassVar = ("who", "entrants", "ruleset", "place")

    def __init__(self, asked: Mapping[str, str] | None) -> None:
        """Take what was asked; what an address leaves out is as the form proposes it."""
        super().__init__(asked)
        if asked is not None:
            usual = {name: self.get_initial_for_field(f, name) for name, f in self.fields.items()}
            self.data = {**usual, **asked}

    @property
    def first_step(self) -> Iterator[BoundField]:
        """The fields of the first step: who plays, and where."""
        return (self[name] for name in self.FIRST_STEP)

    @property
    def second_step(self) -> Iterator[BoundField]:
        """The fields of the second step: how long, and what matters."""
        return (self[name] for name in self.fields if name not in self.FIRST_STEP)

    @property
    def is_at_first_step(self) -> bool:
        """Whether nothing was asked yet, or a field of the first step has an error."""
        return not self.is_bound or any(name in self.errors for name in self.FIRST_STEP)

    def wish(self, measured: dict[str, Pace]) -> PlanRequest:
        """Return the wish as the domain takes it, with the club's own pace if none is chosen."""
        data = self.cleaned_data
        pace = measured.get(data["ruleset"])
        return PlanRequest(
            entrants=data["entrants"],
            minutes=int(data["hours"] * HOUR),
            ruleset=data["ruleset"],
            aim=Aim(data["aim"]),
            single=data["who"] == SINGLE and engine.RULESETS[data["ruleset"]].pairs,
            pace=data["pace"] or (pace.minutes if pace else None),
            target=data["target"],
        )

    @property
    def begins_at(self) -> datetime:
        """When the tournament begins, in local time; today where no day is chosen."""
        day = self.cleaned_data["day"] or timezone.localdate()
        return datetime.combine(day, self.cleaned_data["starts"])

    def proposals(self, wish: PlanRequest) -> tuple[Proposal, ...]:
        """Return suitable plans; if there are none, the reason becomes an error of its field."""
        try:
            return propose(wish)
        except CannotDraw as refused:
            self.add_error("entrants", str(DRAW_FAULTS[refused.code]) % refused.facts)
            return ()


@require_safe
def propose_formats(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask who plays; propose plans for the hours there are, each with a link to its form."""
    actor = actor_from(request)
    page = cards.club_page(slug, actor)
    refuse_unless(page.may.manage, actor)
    form = ProposalForm(request.GET.dict() if "entrants" in request.GET else None)
    context: dict[str, Any] = {"page": page, "form": form}
    if form.is_bound and form.is_valid():
        measured = dict(paces(slug))
        wish = form.wish(measured)
        context |= {
            "wish": wish,
            "between": MINUTES_BETWEEN,
            "measured": None if form.cleaned_data["pace"] else measured.get(wish.ruleset),
            "is_usual": wish.pace is None,
            "proposals": [
                proposal_context(reverse("new-tournament", args=[slug]), wish, proposal, form)
                for proposal in form.proposals(wish)
            ],
        }
    return render(request, "director/propose/page.html", context, status=form.status)


def proposal_context(
    address: str, wish: PlanRequest, proposal: Proposal, form: ProposalForm
) -> dict[str, Any]:
    """Return a proposal as the page shows it, with the ``address`` that takes it."""
    begins_at = form.begins_at
    ends_at = begins_at + timedelta(minutes=proposal.minutes)
    length = DEALS if wish.seats == 3 else TO
    query = {
        "plan": proposal.plan,
        **proposal.numbers,
        "begins_at": begins_at.strftime("%Y-%m-%dT%H:%M"),
        "ruleset": wish.ruleset,
        "length": length,
        "hands": proposal.target,
        "expected": wish.entrants,
        "round_minutes": proposal.minutes_a_round,
    }
    if form.cleaned_data["place"]:
        query["place"] = form.cleaned_data["place"]
    if form.cleaned_data["who"] == BOTS:
        query["bots"] = 1
    rounds = planned_rounds(
        stages_in_time(proposal.stages), proposal.minutes_a_round, MINUTES_BETWEEN
    )
    return {
        "one": proposal,
        "name": _proposal_name(proposal),
        "why": domain_text(proposal.why, rounds=proposal.stages[0].rounds or 0),
        "stages": [
            (planned_name(stage), stage.entrants, stage.rounds) for stage in proposal.stages
        ],
        "formats": [stage.format for stage in proposal.stages],
        "drawn": rounds,
        "is_numbered": len(rounds) <= MAX_NUMBERED,
        "begins": begins_at.time(),
        "ends": ends_at.time(),
        "is_next_day": ends_at.date() > begins_at.date(),
        "deals": length == DEALS or wish.same_deals,
        "url": f"{address}?{urlencode(query)}",
    }


def _proposal_name(proposal: Proposal) -> str:
    """Return the name of the plan, with its movement where there is one to choose."""
    name, movement = domain_text(f"plan.{proposal.plan}"), proposal.numbers.get(MOVEMENT.name)
    return f"{name} ({str(movement).capitalize()})" if movement else name


def planned_name(stage: StageSize) -> str:
    """Return the format of a planned stage, after its name if it has one."""
    format_ = domain_text(f"format.{stage.format}")
    name = stage_name(get_language() or "", stage.name) if stage.name else ""
    return f"{name}: {format_}" if name else format_


@require_http_methods(["GET", "HEAD", "POST"])
def new_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a tournament of the club from a plan; its entries come next.

    Without a plan the page lists them. With ``look`` only the outline of the plan is shown. The
    query string may fill in fields, as the links of the wizard do.
    """
    actor = actor_from(request)
    page = cards.club_page(slug, actor)
    refuse_unless(page.may.manage, actor)
    plan = requested_plan(request)
    proposed = {"rules_text": page.profile.house_terms, **request.GET.dict()}
    form = TournamentForm(plan, request.POST or None, initial=proposed)
    tournament = None
    if "look" not in request.POST or not form.is_valid():
        tournament = form.submit(
            lambda: create_tournament(
                actor, find.find_club(slug), form.cleaned_data["name"], form.tournament
            )
        )
    if tournament:
        messages.success(request, _("The tournament is there. Who plays in it?"))
        return redirect("entries", tournament.slug)
    context = {
        "form": form,
        "page": page,
        "plan": plan.name,
        "is_chosen": "plan" in request.GET or request.method == "POST",
        "is_of_bots": "bots" in {*request.GET, *request.POST}
        or FORMATS[plan.format].is_endless
        or form.has_set_values,
        "formats": [stage["format"] for stage in plan.stages({})],
        "suits": domain_text(f"plan.{plan.name}.for"),
        "plans": [
            (name, domain_text(f"plan.{name}"), [stage["format"] for stage in plan.stages({})])
            for name, plan in PLANS.items()
        ],
        "outline": outline_of(form),
    }
    return render(request, "director/tournaments/new.html", context, status=form.status)


def outline_of(form: TournamentForm) -> list[tuple[str, int, int | None, bool]]:
    """Return the stages of a plan for the expected number of entries, once it is given."""
    return [
        (planned_name(stage), stage.entrants, stage.rounds, stage.is_endless)
        for stage in form.outlined
    ]


def requested_plan(request: HttpRequest) -> Plan:
    """Return the plan that the query string or the form names, else the first.

    Refuses UNKNOWN_FORMAT.
    """
    name = request.POST.get("plan") or request.GET.get("plan") or next(iter(PLANS))
    refuse_unless_known(Reason.UNKNOWN_FORMAT, name, PLANS)
    return PLANS[name]
