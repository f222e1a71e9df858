"""How a submission is described; its body goes to the engine's strict reader as it came."""

from collections.abc import Callable
from email.message import Message
from io import BytesIO
from typing import Concatenate, Final, ParamSpec

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

import engine
from tournaments.api.doors import View
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.schema import described
from tournaments.api.shapes.problems import Problem, RecordProblem
from tournaments.api.shapes.records import Accepted
from tournaments.api.shapes.verdicts import RecordText
from tournaments.errors import Reason, Refusal

Asked = ParamSpec("Asked")

MEDIA_TYPE: Final = "application/json"
UNCHANGED: Final = frozenset({"", "identity"})
"""The content encodings that leave a body as it is."""

KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,200}$"},
    OpenApiParameter.HEADER,
    required=True,
    description="The same with every attempt of one submission: it is then carried out once, and "
    "the first answer is given again with `Idempotency-Replayed: true`.",
)
HAND: Final = {
    "dealer": "D",
    "trump": "Rb",
    "deal": {
        "A": "4b 2e 7c 3o 5b 3e Cb Re 5e 6c",
        "B": "6e Co Rc 7e 7b Ro 7o 6o Se 6b",
        "C": "3c So 1c 4e 2b 5c Sb 4c 1o Sc",
        "D": "4o Ce 2o 2c 1b Rb 5o 3b Cc 1e",
    },
    "play": "2e Se 4e 1e B:20o 2o 3o 6o 1o 4c Cc 6c Rc 6e Sb Ce 3e 1c 2c 7c 6b 7o So 4o Cb 5e 7e "
    "2b Rb 5o 4b Co 3c 5b 7b 5c 1b 3b Re Ro Sc",
    "points": {"AC": 54, "BD": 96},
    "winner": "BD",
}
RECORD: Final = OpenApiExample(
    "A match to one hand",
    value={
        "format": "baza/1",
        "ruleset": "parejas-online",
        "options": {"to": 1},
        "seats": ["Pilar Martínez", "Teresa Beltrán", "Jesús Ibáñez", "Julián Cortés"],
        "hands": [HAND],
        "score": {"AC": 0, "BD": 1},
        "winner": "BD",
    },
    request_only=True,
)
FAULT: Final = {
    "code": "play.must_overtrump",
    "rule": "R4.4a",
    "hand": 1,
    "trick": 7,
    "token": 28,
    "path": "/hands/0/play",
    "seat": "C",
    "card": "2c",
    "legal": ["Rc"],
    "message": "C played 2c but must overtrump 7c: Rc",
}
VERDICT: Final = {
    "valid": False,
    "ruleset": "parejas-online",
    "source": "",
    "digest": "sha256:028070c46574133af9635988a6a703bb736526fbc9486a3ddb8a8c8b3c167ba8",
    "hands": [],
    "score": None,
    "winner": None,
    "faults": [FAULT],
    "notices": [],
}
REFUSED: Final = OpenApiExample(
    "A card that may not be played",
    value={
        "type": "https://club.example/api/v1/problems/#play.must_overtrump",
        "title": "Play: must overtrump",
        "status": 422,
        "detail": FAULT["message"],
        "instance": "/api/v1/matches/17/records/",
        "code": FAULT["code"],
        "record": "https://club.example/api/v1/records/30/",
        "pointer": FAULT["path"],
        "verdict": VERDICT,
    },
    media_type=CONTENT_TYPE,
    status_codes=["422"],
    response_only=True,
)
REFUSALS: Final = {
    400: "It cannot be read as a record, or the key is missing.",
    409: "The round is not being played, another record was accepted, or the key is in use.",
    413: "It is larger than a record may be.",
    422: "It breaks a rule, or is not a record of this match; or the key was used for another one.",
}


def submits(*, name: str) -> Callable[[Callable[Concatenate[Request, Asked], Response]], View]:
    """Make a view that takes a record by POST, described by the function's docstring."""

    def make(door: Callable[Concatenate[Request, Asked], Response]) -> View:
        return extend_schema(
            operation_id=name,
            **described(door),
            tags=["records"],
            parameters=[KEY],
            request={MEDIA_TYPE: RecordText},
            examples=[RECORD, REFUSED],
            responses={
                201: OpenApiResponse(
                    Accepted, "Taken: it counts, or waits for the other side (`reported`)."
                ),
                200: OpenApiResponse(
                    Accepted,
                    "What the other side reported counts now (`confirmed`), or the same record "
                    "was here before, and nothing has changed (`duplicate`).",
                ),
                (404, CONTENT_TYPE): OpenApiResponse(Problem, "There is nothing to submit to."),
                **{
                    (status, CONTENT_TYPE): OpenApiResponse(RecordProblem, text)
                    for status, text in REFUSALS.items()
                },
            },
        )(api_view(["POST"])(door))

    return make


def read_body(
    request: Request, most: int = engine.MAX_BYTES, media_type: str = MEDIA_TYPE
) -> bytes:
    """Return the body; of one that is too large only as much as shows that it is.

    A length that the sender states is not believed: never more than the limit and one byte is read.
    What was read is left where it can be read once more (:mod:`.patience`).
    """
    refuse_media_type(request, media_type)
    whole = request._request  # noqa: SLF001 - past DRF's parsers
    raw = bytes(whole.read(most + 1))
    if not whole._stream.seekable():  # noqa: SLF001 - no public way
        whole._stream = BytesIO(raw)  # noqa: SLF001
    return raw


def refuse_media_type(request: Request, media_type: str) -> None:
    """Refuse whatever is not plain text of this type in UTF-8: other charsets, compression."""
    header = Message()
    header["Content-Type"] = request.META.get("CONTENT_TYPE") or "application/octet-stream"
    charset = str(header.get_param("charset", "utf-8")).lower()
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    is_of_it = header.get_content_type() == media_type and charset in {"utf-8", "utf8"}
    if not is_of_it or encoding not in UNCHANGED:
        raise Refusal(
            Reason.UNSUPPORTED_MEDIA_TYPE, headers={"Accept-Post": media_type}, kind=media_type
        )


def read_key(request: Request) -> str:
    """Return the idempotency key; whether it may be one is for the service to say."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        raise Refusal(Reason.KEY_MISSING)
    return key.strip()
