"""The client: what a program reads from a service, and the records it submits."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlencode
from uuid import uuid4

from baza_client.following import follow
from baza_client.shapes import (
    Accepted,
    Batch,
    Line,
    LiveEvent,
    Standing,
    Tournament,
    TournamentCard,
    member,
    read,
)
from baza_client.transport import Answer, CutShort, Problem, Transport

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
Shape = TypeVar("Shape")
GivenRecord = str | bytes | Mapping[str, Any]


class Client:
    """Reads from the service at an address, and writes with a token.

    Every request is made again when its answer is lost (:class:`.Transport`); what writes goes
    under an idempotency key, so that it is carried out once. Raises Problem, Unreachable.
    """

    def __init__(
        self,
        service: str,
        token: str = "",
        *,
        language: str = "en",
        transport: Transport | None = None,
    ) -> None:
        self.base = service.rstrip("/") + "/api/v1/"
        self.transport = transport or Transport()
        self.headers = {"Accept-Language": language}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        self._cached: dict[str, tuple[str, Answer]] = {}

    def address(self, path: str) -> str:
        """Return the whole address of one under `/api/v1/`; a whole one stays what it is."""
        if not path.startswith(("http://", "https://")):
            return self.base + path
        if not path.startswith(self.base):
            raise ValueError(f"{path!r} is not of this service: the token is not sent there")
        return path

    def get(self, path: str) -> Any:
        """Read an address; what has not changed since the last time is not transferred again."""
        address = self.address(path)
        tag, cached = self._cached.get(address, ("", None))
        headers = {**self.headers, "Accept": JSON}
        if cached is not None:
            headers["If-None-Match"] = tag
        answer = self.transport.send("GET", address, headers)
        if answer.status == 304 and cached is not None:
            return cached.json()
        if "ETag" in answer.headers:
            self._cached[address] = (answer.headers["ETag"], answer)
        return answer.json()

    def pages(self, path: str, kind: type[Shape]) -> Iterator[Shape]:
        """Yield the rows of a list, page after page."""
        following: str | None = path
        while following:
            page = self.get(following)
            for row in member(page, "results"):
                yield read(kind, row)
            following = member(page, "next")

    def tournaments(self) -> Iterator[TournamentCard]:
        """Yield all tournaments that may be seen."""
        return self.pages("tournaments/", TournamentCard)

    def tournament(self, slug: str) -> Tournament:
        """Return one tournament."""
        return read(Tournament, self.get(f"{_place(slug)}/"))

    def standings(self, slug: str) -> list[Standing]:
        """Return the table of the stage in play."""
        rows = member(self.get(f"{_place(slug)}/standings/"), "rows")
        return [read(Standing, row) for row in rows]

    def submit(self, slug: str, record: GivenRecord, key: str = "") -> Accepted:
        """Submit a record of some match of a tournament; without a key, under its own hash.

        A record is its JSON as text or bytes, or a dictionary.
        """
        body = _bytes(record)
        answer = self._post(f"{_place(slug)}/records/", JSON, body, key or key_of(slug, body))
        return read(Accepted, answer.json())

    def submit_many(
        self, slug: str, records: Iterable[GivenRecord], key: str = "", *, dry_run: bool = False
    ) -> Batch:
        """Submit records that are accepted all together, or not at all; at most 1000 of them.

        Refused lines are an answer, not an exception. What was sent before is not done again, be
        it that the answer was lost or that the program was broken off: the key is the content's.
        """
        repeated = False
        body = b"".join(_bytes(record).rstrip(b"\r\n") + b"\n" for record in records)
        path = f"{_place(slug)}/records/bulk/" + (f"?{urlencode({'dry_run': 1})}" * dry_run)
        try:
            answer = self._post(path, NDJSON, body, key or key_of(slug, body))
            repeated = answer.attempt == 1 and "Idempotency-Replayed" in answer.headers
            document = answer.json()
        except Problem as problem:
            if problem.code != "batch_refused":
                raise
            document = problem.document
        lines = tuple(read(Line, line) for line in member(document, "lines"))
        return Batch(bool(member(document, "dry_run")), lines, repeated)

    def records(self, slug: str) -> list[str]:
        """Return all accepted records of a tournament. Raises CutShort unless they are all."""
        headers = {**self.headers, "Accept": NDJSON}
        address = self.address(f"{_place(slug)}/records/export/")
        return complete_lines(self.transport.send("GET", address, headers).body)

    def follow(self, slug: str, since: str = "") -> Iterator[LiveEvent]:
        """Yield the events of a tournament as they happen, after one or from the beginning.

        It has no end: connections that break are made again, and no event is missed. Raises
        Problem for a token that is none of this tournament's, and Unreachable.
        """
        address = self.address(f"{_place(slug)}/events/stream/")
        return follow(self.transport, address, self.headers, since)

    def create_tournament(self, club: str, name: str, **rules: Any) -> str:
        """Create a tournament as a draft; ``rules`` are the fields that the API takes.

        Such as ``ruleset``, ``options``, ``stages`` with their rules, ``seeding``, ``place``.

        Returns its short name. Made again, the call makes another tournament.
        """
        created = self._act(f"clubs/{quote(club, safe='')}/tournaments/", {"name": name, **rules})
        return str(member(created, "slug"))

    def enter_pairs(self, slug: str, players: str, pairs: str) -> None:
        """Enter pairs from two CSV files: the club's players, and who plays with whom."""
        self._act(f"{_place(slug)}/entries/import/", {"players": players, "pairs": pairs})

    def enter_bots(self, slug: str, bots: Sequence[str]) -> None:
        """Enter bots by their short names into a draft, each as often as it is named."""
        self._act(f"{_place(slug)}/entries/bots/", {"bots": list(bots)})

    def draw(self, slug: str, after: int = 0) -> None:
        """Draw the first round, or the one after a round; formats that can draw all of them."""
        self._act(f"{_place(slug)}/draw/", {"after": after})

    def publish(self, slug: str, number: int) -> None:
        """Publish a round."""
        self._act(f"{_place(slug)}/rounds/{number}/publish/", {})

    def play(self, slug: str, number: int) -> None:
        """Have the bots of a published round play."""
        self._act(f"{_place(slug)}/rounds/{number}/play/", {})

    def pause(self, slug: str, number: int) -> None:
        """Let the bots of a round begin no further match."""
        self._act(f"{_place(slug)}/rounds/{number}/pause/", {})

    def resume(self, slug: str, number: int) -> None:
        """Let the bots of a round that was paused play on."""
        self._act(f"{_place(slug)}/rounds/{number}/resume/", {})

    def run_schedule(self, slug: str) -> None:
        """Do at once what the schedule of a tournament of bots would do when it is due."""
        self._act(f"{_place(slug)}/schedule/run/", {})

    def close(self, slug: str, number: int) -> None:
        """Close a round whose results are all in."""
        self._act(f"{_place(slug)}/rounds/{number}/close/", {})

    def finish(self, slug: str, *, early: bool = False) -> None:
        """End a tournament whose rounds are all closed; ``early``, also before all are drawn."""
        self._act(f"{_place(slug)}/finish/", {"early": True} if early else {})

    def _act(self, path: str, fields: Mapping[str, Any]) -> Any:
        return self._post(path, JSON, _json(fields).encode(), uuid4().hex).json()

    def _post(self, path: str, kind: str, body: bytes, key: str) -> Answer:
        headers = {
            **self.headers,
            "Accept": JSON,
            "Content-Type": kind,
            "Idempotency-Key": key,
        }
        return self.transport.send("POST", self.address(path), headers, body)


def complete_lines(body: bytes) -> list[str]:
    """Return the records of an export, without its last line. Raises CutShort."""
    *lines, last = body.split(b"\n")[:-1] or [b""]
    content = body[: len(body) - len(last) - 1]
    expected: Mapping[str, Any] = {
        "end": True,
        "count": len(lines),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    try:
        proves_it = body.endswith(b"\n") and json.loads(last) == expected
    except ValueError:
        proves_it = False
    if not proves_it:
        raise CutShort(f"{len(lines)} lines came, and not the last one that tells of them")
    return [line.decode() for line in lines]


def key_of(slug: str, body: bytes) -> str:
    """Return an idempotency key that is the same whenever the same is sent."""
    return hashlib.sha256(f"{slug}\n".encode() + body).hexdigest()


def _place(slug: str) -> str:
    return f"tournaments/{quote(slug, safe='')}"


def _bytes(record: GivenRecord) -> bytes:
    if isinstance(record, bytes):
        return record
    return (record if isinstance(record, str) else _json(record)).encode()


def _json(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, sort_keys=True)
