"""What the OpenAPI document says beyond the shapes: tokens, and how every operation may say no."""

from typing import Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse

from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.shapes.problems import Problem

USUAL: Final = {
    400: "A parameter is not possible.",
    401: "The token is not valid, or there is none and one is needed.",
    403: "The token may not do this.",
    404: "There is nothing here, or nothing that may be seen.",
    405: "The address does not know this method.",
    406: "Only JSON can be had here.",
    415: "The body is not JSON in UTF-8.",
    429: "Too many requests; `Retry-After` says how long to wait.",
    500: "A fault of ours, written down under `request_id`.",
    503: "The database does not answer; `Retry-After` says how long to wait.",
}
"""The refusals that any operation may answer with, and why."""


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describe the tokens."""

    target_class = "tournaments.api.tokens.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        """Describe the header."""
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "baza_<key>_<secret>",
            "description": "Made by an organiser, for one user in one club, with scopes.",
        }


class Schema(AutoSchema):
    """Adds to every operation the refusals that all have in common."""

    def get_response_serializers(self) -> Any:
        """Describe the answers of an operation."""
        answers: Any = super().get_response_serializers()
        if not isinstance(answers, dict):
            answers = {200: answers}
        said = {key[0] if isinstance(key, tuple) else key for key in answers}
        usual = {
            (status, CONTENT_TYPE): OpenApiResponse(Problem, text)
            for status, text in USUAL.items()
            if status not in said and (status != 415 or self.method == "POST")
        }
        return {**answers, **usual}
