"""Adds to the OpenAPI document what no serializer describes: tokens, headers, common refusals."""

from typing import Any, Final

from django.utils import translation
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from tournaments.core.api.problems import CONTENT_TYPE
from tournaments.core.api.scopes import scopes_by_method
from tournaments.core.permissions import Scope

COMMON_REFUSALS: Final = {
    400: "A parameter is not possible.",
    401: "The token is not valid, or there is none and one is needed.",
    403: "The token may not do this.",
    404: "There is nothing here, or nothing that may be seen.",
    406: "Only JSON can be had here.",
    415: "The body is not JSON in UTF-8; no body at all needs no media type.",
    429: "Too many requests; `Retry-After` says how long to wait.",
    500: "A fault of ours, written down under `request_id`.",
    503: "The database does not answer; `Retry-After` says how long to wait.",
    507: "The disk of the service is full: nothing was stored.",
}
"""The refusals that any operation may answer with, and why."""


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describe the tokens."""

    target_class = "tournaments.core.api.requests.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        """Describe the header, and what each scope allows."""
        with translation.override("en"):
            scopes = "; ".join(f"`{scope.value}`: {scope.label}" for scope in Scope)
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "baza_<key>_<secret>",
            "description": "Made by an organiser, for one user in one club, with scopes. Each "
            f"operation names those that it needs: {scopes}.",
        }


class Schema(AutoSchema):
    """Says which scopes a token needs, and that reading needs no token."""

    def get_auth(self) -> list[dict[str, Any]]:
        """Describe who may call: one of several requirements is enough.

        A read that members alone may do is not found without a token, which is an answer too.
        """
        super().get_auth()  # registers the scheme, without which no *Authorize* is shown
        scopes = scopes_by_method(self.view).get(self.method) or ("",)
        auths: list[dict[str, Any]] = [{BearerTokenScheme.name: scope.split()} for scope in scopes]
        return auths if self.method in {"POST", "PATCH", "DELETE"} else [*auths, {}]


WRITE_METHODS: Final = {
    "403": frozenset({"post", "put", "patch", "delete"}),
    "415": frozenset({"post", "put", "patch"}),
    "507": frozenset({"post", "put", "patch", "delete"}),
}
"""The only methods that are answered with these statuses."""


HEADERS: Final = {
    "ETag": "Of the content; send it as `If-None-Match` to read, as `If-Match` to change.",
    "Location": "The address of what was made, where it has one.",
    "Idempotency-Replayed": "`true`: the first answer to this key, given again.",
    "Retry-After": "Seconds to wait.",
    "WWW-Authenticate": "What the request lacks (RFC 6750): of a 403 `insufficient_scope` and the "
    "scopes that the token does not have.",
    "Deprecation": "Since when another address is to be used (RFC 9745).",
    "Sunset": "Before this moment the address does not go (RFC 8594).",
    "Link": "`successor-version`: the address to use instead.",
    "RateLimit": "What is left of the quota: requests `r`, and seconds `t` until it starts again.",
    "RateLimit-Policy": "The quota: requests `q` in seconds `w`.",
}
"""Headers of answers, with their descriptions."""


def add_common_refusals(
    result: dict[str, Any], generator: Any, **_settings: object
) -> dict[str, Any]:
    """Add to every operation the refusals that all have in common (drf-spectacular's hook)."""
    # drf-spectacular lists the shapes before it reads the webhooks, which have some of their own.
    result["components"] = generator.registry.build({})
    problems = {str(status): (f"Problem{status}", text) for status, text in COMMON_REFUSALS.items()}
    schema = {"$ref": "#/components/schemas/Problem"}
    result["components"]["responses"] = {
        name: {"description": text, "content": {CONTENT_TYPE: {"schema": schema}}}
        for name, text in problems.values()
    }
    result["components"]["headers"] = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in HEADERS.items()
    }
    for status in ("429", "503"):
        add_header(result["components"]["responses"][problems[status][0]], "Retry-After")
    for status in ("401", "403"):
        add_header(result["components"]["responses"][problems[status][0]], "WWW-Authenticate")
    for name in ("RateLimit", "RateLimit-Policy"):
        add_header(result["components"]["responses"][problems["429"][0]], name)
    for operations in result["paths"].values():
        for method, operation in operations.items():
            common_responses = {
                status: {"$ref": f"#/components/responses/{name}"}
                for status, (name, _) in problems.items()
                if method in WRITE_METHODS.get(status, {method})
            }
            operation["responses"] = dict(
                sorted({**common_responses, **operation["responses"]}.items())
            )
            add_headers(method, operation)
            if operation["operationId"] in REQUIRE_BODY:
                operation["requestBody"]["required"] = True
    forbid_unknown_fields(result)
    remove_internal_marks(result)
    return result


def add_headers(method: str, operation: dict[str, Any]) -> None:
    """Add to the successes of an operation the headers that they may have."""
    names = {parameter["name"] for parameter in operation.get("parameters", ())}
    for status, response in operation["responses"].items():
        if status == "200" and method == "get" and "application/json" in response["content"]:
            add_header(response, "ETag")
        if status == "201":
            add_header(response, "Location")
        if status in {"200", "201"} and "Idempotency-Key" in names:
            add_header(response, "Idempotency-Replayed")
        if operation.get("deprecated") and status in {"200", "201"}:
            for name in ("Deprecation", "Sunset", "Link"):
                add_header(response, name)


def add_header(response: dict[str, Any], name: str) -> None:
    """Add a header to a response of the document."""
    response.setdefault("headers", {})[name] = {"$ref": f"#/components/headers/{name}"}


REQUIRE_BODY: Final = frozenset(
    {"answer_turn", "submit_lines", "submit_record", "submit_record_to_tournament"}
)
"""Operations that require a body which no serializer describes, or not in every media type."""

ACCEPTS_UNKNOWN_FIELDS: Final = frozenset({"answer_turn"})
"""Operations whose body may have other fields: a bot's line, checked by its protocol."""


def forbid_unknown_fields(result: dict[str, Any]) -> None:
    """Set `additionalProperties` to false in every schema of a request body."""
    shapes = result["components"]["schemas"]
    request_schemas = [
        content["schema"]
        for operations in result["paths"].values()
        for operation in operations.values()
        if operation["operationId"] not in ACCEPTS_UNKNOWN_FIELDS
        for content in operation.get("requestBody", {}).get("content", {}).values()
    ]
    for schema in request_schemas:
        forbid_unknown_fields_in(schema, shapes)


def forbid_unknown_fields_in(part: object, shapes: dict[str, Any]) -> None:
    """Forbid unknown fields in a schema and in the schemas that it refers to."""
    if isinstance(part, list):
        for item in part:
            forbid_unknown_fields_in(item, shapes)
    if not isinstance(part, dict):
        return
    shape = shapes[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    if shape.get("additionalProperties") is False:
        return
    if "properties" in shape:
        shape.setdefault("additionalProperties", False)
    for item in list(shape.values()):
        forbid_unknown_fields_in(item, shapes)


def remove_internal_marks(part: object) -> None:
    """Remove the keys that drf-spectacular adds for its own use."""
    if isinstance(part, dict):
        part.pop("x-spec-enum-id", None)
        part = list(part.values())
    for item in part if isinstance(part, list) else ():
        remove_internal_marks(item)
