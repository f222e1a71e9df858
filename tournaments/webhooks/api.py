"""API of a club's webhooks, for programs of its organisers."""

from collections.abc import Callable
from typing import Any, Final

from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
)
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.pagination import PARAMETERS, Page, paginate
from tournaments.core.api.requests import (
    KEY,
    MEDIA_TYPE,
    actor_of,
    read_body,
    read_key,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import READ_METHODS, needs_scope
from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import Data, problems_of, read_view, require_revalidation, with_etag
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club, find_tournament
from tournaments.core.idempotency import Answer, run_once
from tournaments.core.permissions import Actor, Scope
from tournaments.models import Webhook
from tournaments.webhooks import queries, serializers
from tournaments.webhooks.services import webhooks as webhooks_services

TAGS: Final = ["webhooks"]

EVENT_TYPES: Final = [word for word in Webhook.Type.values if word != Webhook.Type.CHECKPOINT]
SENT: Final = (
    "Signed: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of "
    "Standard Webhooks. It may come more than once under its id, and not in order."
)
EVENT: Final = OpenApiWebhook(
    "event",
    extend_schema(
        operation_id="receive_event",
        summary="Something happened in a tournament",
        description=f"{SENT} `type` is one of {', '.join(f'`{word}`' for word in EVENT_TYPES)}.",
        tags=TAGS,
        request={MEDIA_TYPE: serializers.WebhookEvent},
        responses={200: OpenApiResponse(description="Any status from 200 to 299.")},
    ),
)
OF_CLUB: Final = OpenApiWebhook(
    "club",
    extend_schema(
        operation_id="receive_message_of_club",
        summary="The history of the club is signed, or a test message",
        description=f"{SENT} `type` is `audit.checkpoint` or `ping`.",
        tags=TAGS,
        request={MEDIA_TYPE: serializers.WebhookOfClub},
        responses={200: OpenApiResponse(description="Any status from 200 to 299.")},
    ),
)

REFUSALS: Final = {
    400: "It cannot be read, or the key is missing.",
    409: "The webhook is paused or disabled, there are too many, or the key is in use.",
    413: "It is too large.",
    422: "Nothing can be sent there; or the key was used for another request.",
}

REFUSED: Final = problems_of(REFUSALS)

Action = Callable[[Actor, Webhook, Data], int]


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="list_webhooks",
    summary="The webhooks of a club",
    description="The webhooks of a club. As for all that is done with webhooks it needs a token "
    "with the scope `tournaments:manage` of an organiser.",
    tags=TAGS,
    responses=serializers.Webhooks,
)
@extend_schema(
    methods=["POST"],
    operation_id="add_webhook",
    summary="Have a club's events sent to an address",
    description="Have a club's events sent to an address from now on. The secret that they are "
    "signed with is in the answer, and nowhere else.",
    tags=TAGS,
    parameters=[KEY],
    request={MEDIA_TYPE: serializers.NewWebhook},
    responses={201: OpenApiResponse(serializers.ChangedWebhook, "It is there."), **REFUSED},
)
@needs_scope(Scope.MANAGE, methods=(*READ_METHODS, "POST"))
@api_view(["GET", "HEAD", "POST"])
def webhooks(request: Request, slug: str) -> Response:
    """List a club's webhooks, or add one."""
    refuse_unknown(request, frozenset())
    if request.method != "POST":
        page = queries.club_webhooks(slug, actor_of(request))
        return require_revalidation(Response(serializers.Webhooks(page).data))
    actor = require_actor(request)
    club = find_club(slug)
    key, raw = read_key(request), read_body(request)
    data = validate(serializers.NewWebhook, raw)

    def act() -> Answer:
        tournament_slug = data.get("tournament", "")
        new_webhook = webhooks_services.add_webhook(
            actor,
            club,
            url=data["url"],
            description=data.get("description", ""),
            types=data.get("types", []),
            tournament=find_tournament(tournament_slug, actor) if tournament_slug else None,
        )
        return Answer(201, {"webhook": new_webhook.pk, "secret": True, "messages": 0})

    return webhook_answer(slug, actor, run_once(actor, key, f"add_webhook {slug}", raw, act))


@read_view(serializers.Webhook, tag="webhooks", name="read_webhook", scope=Scope.MANAGE)
def webhook(request: Request, slug: str, pk: int) -> queries.WebhookRow:
    """One webhook of a club."""
    return queries.webhook_row(slug, pk, actor_of(request))


@read_view(
    serializers.Deliveries,
    tag="webhooks",
    name="list_deliveries",
    parameters=PARAMETERS,
    scope=Scope.MANAGE,
)
def deliveries(request: Request, slug: str, pk: int) -> Page[queries.DeliveryRow]:
    """The messages of a webhook, the latest first; of those that arrived, a month's."""
    viewer = actor_of(request)

    def fetch(before: str, count: int) -> tuple[queries.DeliveryRow, ...]:
        return queries.deliveries_after(slug, pk, before, count, viewer)

    return paginate(request, fetch, lambda row: str(row.pk))


def redeliver_failed(actor: Actor, row: Webhook, data: Data) -> int:
    """Send again what has not arrived."""
    return webhooks_services.redeliver_failed(actor, row, data.get("since"))


def ping(actor: Actor, row: Webhook, data: Data) -> int:
    """Send a test message."""
    del data
    webhooks_services.ping(actor, row)
    return 1


def verb_without_messages(action: Callable[[Actor, Webhook], object]) -> Action:
    """Return a verb that sends nothing."""

    def verb(actor: Actor, row: Webhook, data: Data) -> int:
        del data
        action(actor, row)
        return 0

    return verb


ACTIONS: Final[dict[str, Action]] = {
    "ping": ping,
    "pause": verb_without_messages(webhooks_services.pause_webhook),
    "resume": verb_without_messages(webhooks_services.resume_webhook),
    "secret": verb_without_messages(webhooks_services.change_secret),
    "remove": verb_without_messages(webhooks_services.remove_webhook),
    "redeliver": redeliver_failed,
}


@extend_schema(
    operation_id="act_on_webhook",
    summary="Do something with a webhook",
    description="`ping` sends a message that says nothing; `pause` and `resume` do what they say, "
    "and what happens between is sent then; `secret` makes a new secret, with which the old one "
    "signs for a day; `remove` takes it away; `redeliver` sends again what has not arrived.",
    tags=TAGS,
    parameters=[KEY, OpenApiParameter("verb", str, OpenApiParameter.PATH, enum=list(ACTIONS))],
    request={MEDIA_TYPE: serializers.WebhookOrder},
    responses={200: OpenApiResponse(serializers.ChangedWebhook, "It is done."), **REFUSED},
)
@needs_scope(Scope.MANAGE)
@api_view(["POST"])
def act(request: Request, slug: str, pk: int, verb: str) -> Response:
    """Do something with a webhook."""
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    if verb not in ACTIONS:
        raise Refusal(Reason.NOT_FOUND)
    key, raw = read_key(request), read_body(request)
    data = validate(serializers.WebhookOrder if verb == "redeliver" else Nothing, raw)

    def do() -> Answer:
        count = ACTIONS[verb](actor, queries.find_webhook(slug, pk, actor), data)
        return Answer(200, {"webhook": pk, "secret": verb == "secret", "messages": count})

    return webhook_answer(slug, actor, run_once(actor, key, f"webhook {slug} {pk} {verb}", raw, do))


@extend_schema(
    operation_id="redeliver",
    summary="Send a message again",
    description="Send a message again at once, under its old id, whatever has become of it.",
    tags=TAGS,
    parameters=[KEY],
    request=None,
    responses={200: OpenApiResponse(serializers.Delivery, "The message as it is now."), **REFUSED},
)
@needs_scope(Scope.MANAGE)
@api_view(["POST"])
def redeliver(request: Request, slug: str, pk: int, delivery: int) -> Response:
    """Send a message again."""
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    key, raw = read_key(request), read_body(request)
    validate(Nothing, raw)

    def do() -> Answer:
        row = queries.find_delivery(slug, pk, delivery, actor)
        webhooks_services.redeliver(actor, row)
        return Answer(200, {})

    run_once(actor, key, f"redeliver {slug} {pk} {delivery}", raw, do)
    row = queries.delivery_row(queries.find_delivery(slug, pk, delivery, actor))
    return Response(serializers.Delivery(row).data, headers={"Cache-Control": "no-store"})


def webhook_answer(slug: str, actor: Actor, answer: Answer) -> Response:
    """Answer a program: the webhook as it is now, with its secret if that is new."""
    body: dict[str, Any] = {"webhook": None, "secret": None, "messages": answer.content["messages"]}
    row = Webhook.objects.filter(club__slug=slug, pk=answer.content["webhook"]).first()
    if row is not None:
        body["webhook"] = queries.webhook_row(slug, row.pk, actor)
        body["secret"] = webhooks_services.secret_text(row) if answer.content["secret"] else None
    headers = {"Cache-Control": "no-store"}
    if answer.replayed:
        headers["Idempotency-Replayed"] = "true"
    return Response(serializers.ChangedWebhook(body).data, status=answer.status, headers=headers)
