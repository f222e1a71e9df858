"""A whole hall behind one router, served by granian: nobody in it is refused, a guesser is."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
import requests
from django.urls import reverse
from requests.adapters import HTTPAdapter

from tests.clubs import SYSTEM, a_club, a_draft, the_round
from tests.served import WebServer
from tests.support import scenes
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.tournaments import publish_round
from tournaments.live import streams

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROUTER, ELSEWHERE = "127.0.0.2", "127.0.0.3"
FOLLOWERS, ENTRIES, STREAMS = 200, 60, 60
HANDS = 12
"""Requests at a time from the hall."""

MAX_GUESSES = 100
"""Of each of eight guessers; far fewer are let through in a minute."""

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class From(HTTPAdapter):
    """Connects from one address of this machine."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, source_address=(self.address, 0), **kwargs)


class Visitor:
    """A browser of its own behind an address."""

    def __init__(self, service: WebServer, address: str) -> None:
        self.url = service.url
        self.session = requests.Session()
        self.session.mount("http://", From(address))

    def get(self, path: str, **headers: str) -> requests.Response:
        return self.session.get(self.url + path, headers=headers, timeout=120)

    def send(self, form: str, path: str, **fields: str) -> requests.Response:
        """Fill in the form of a page, and follow where it leads."""
        pattern_match = TOKEN.search(self.get(form).text)
        assert pattern_match
        form_fields = {"csrfmiddlewaretoken": pattern_match[1], **fields}
        return self.session.post(self.url + path, data=form_fields, timeout=120)


@pytest.fixture
def evening() -> Tournament:
    """A Swiss of sixty pairs whose first round is published."""
    players = "id,nombre\n" + "".join(f"J{n},Jugador {n}\n" for n in range(2 * ENTRIES))
    pairs = "pareja,nombre,jugador1,jugador2\n" + "".join(
        f"P{n},Pareja {n},J{2 * n},J{2 * n + 1}\n" for n in range(ENTRIES)
    )
    club = a_club()
    stages = [{"format": "swiss", "rules": {"rounds": 5}}]
    tournament = a_draft(club, stages=stages)
    import_entries(SYSTEM, tournament, players.encode(), pairs.encode(), as_written=True)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    environment = child_environment | {"BAZA_DEBUG": "1"}  # static files need not be collected
    with WebServer(environment, tmp_path / "granian.log") as service:
        yield service


def test_a_whole_hall_comes_from_one_address_while_another_is_bounded(
    evening: Tournament, server: WebServer
) -> None:
    for number in range(9):
        scenes.user_named(f"guest{number}")
    codes = list(evening.entries.values_list("code", flat=True))
    path = reverse("tournament", args=[evening.slug])
    come = reverse("come", args=[evening.slug])

    def follow(_number: int) -> list[int]:
        visitor = Visitor(server, ROUTER)
        page = visitor.get(path)
        pattern_match = re.search(r'data-live[^>]* hx-get="([^"]+)"', page.text)
        assert pattern_match, page.text
        news = visitor.get(pattern_match[1].replace("&amp;", "&"), **{"HX-Request": "true"})
        return [page.status_code, news.status_code]

    def check_in(code: str) -> list[int]:
        visitor = Visitor(server, ROUTER)
        wrong = visitor.send(come, f"{come}code/", code="ABCDEFGH") if code in codes[:12] else None
        response = visitor.send(come, f"{come}code/", code=code)
        arrived = visitor.send(come, f"{come}check-in/")
        assert wrong is None or wrong.status_code == 404  # a dozen mistype theirs first
        return [response.status_code, arrived.status_code]

    def guess(first: int) -> list[int]:
        """Guess passwords of nine accounts until refused with 429."""
        visitor, login = Visitor(server, ELSEWHERE), reverse("login")
        answers: list[int] = []
        while 429 not in answers and len(answers) < MAX_GUESSES:
            name, password = f"guest{(first + len(answers)) % 9}", f"{first}-{len(answers)}"
            response = visitor.send(login, login, username=name, password=password)
            answers.append(response.status_code)
        return answers

    with ExitStack() as stack, ThreadPoolExecutor(HANDS) as hall, ThreadPoolExecutor(8) as laptop:
        open_ = [listen(server, evening, ROUTER, stack) for _ in range(STREAMS)]
        assert {stream.status_code for stream in open_} == {200}
        guesses = [laptop.submit(guess, first) for first in range(8)]
        answers = Counter(
            status
            for work in (
                *(hall.submit(follow, number) for number in range(FOLLOWERS)),
                *(hall.submit(check_in, code) for code in codes),
            )
            for status in work.result()
        )
        guessed = [future.result() for future in guesses]
    assert set(answers) <= {200, 204}, answers
    assert answers.total() == 2 * (FOLLOWERS + ENTRIES)
    assert evening.entries.filter(checked_in_at=None).count() == 0
    assert {statuses[-1] for statuses in guessed} == {429}, guessed


def test_one_address_takes_two_hundred_streams_and_leaves_places_to_others(
    evening: Tournament, server: WebServer
) -> None:
    with ExitStack() as stack:
        greedy = [
            listen(server, evening, ELSEWHERE, stack).status_code
            for _ in range(streams.MAX_STREAMS_PER_ADDRESS + 5)
        ]
        assert greedy == [200] * streams.MAX_STREAMS_PER_ADDRESS + [429] * 5
        assert listen(server, evening, ROUTER, stack).status_code == 200


def listen(
    service: WebServer, tournament: Tournament, address: str, stack: ExitStack
) -> requests.Response:
    """Follow the stream of events until the stack is left."""
    visitor = Visitor(service, address)
    path = f"{service.url}/api/v1/tournaments/{tournament.slug}/events/stream/"
    answer = visitor.session.get(path, stream=True, timeout=120)
    stack.callback(answer.close)
    return answer
