"""Long lists may be narrowed; what is not possible is refused, and says which parameter it is."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, record_between, records_of, spoiled
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import Bot, BotVersion


def names(caller: Caller, path: str, key: str = "slug", **filters: object) -> list[Any]:
    """Read a whole list page by page, and return a field of its rows."""
    results: list[Any] = []
    address: str | None = f"{path}?{urlencode({**filters, 'page_size': 1})}"
    while address:
        page = caller.read(address)
        results += [row[key] for row in page["results"]]
        address = page["next"]
    return results


@pytest.fixture
def three(scene: Scene) -> Scene:
    """The club with two drafts more, under other rules and of another format."""
    for name, ruleset, kind in (("Suizo", "parejas-online", "swiss"), ("Trio", "parejas", "")):
        stage = {"format": kind, "rules": {"rounds": 3}} if kind else {"format": "liguilla"}
        create_tournament(
            scene.organiser,
            scene.club,
            name,
            NewTournament(GameSettings(ruleset=ruleset), stages=[stage]),
        )
    return scene


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({}, {"liguilla-de-otono", "suizo", "trio"}),
        ({"state": "running"}, {"liguilla-de-otono"}),
        ({"ruleset": "parejas"}, {"trio"}),
        ({"format": "swiss"}, {"suizo"}),
        ({"format": "liguilla", "state": "draft"}, {"trio"}),
        ({"club": "pena-la-sota"}, {"liguilla-de-otono", "suizo", "trio"}),
        ({"club": "nadie"}, set()),
        ({"name": "OTOÑO"}, {"liguilla-de-otono"}),
    ],
)
def test_tournaments_are_narrowed_page_by_page(
    three: Scene, organiser: Caller, filters: dict[str, str], left: set[str]
) -> None:
    assert set(names(organiser, "tournaments/", **filters)) == left


def test_clubs_and_bots_are_found_by_a_part_of_their_name(scene: Scene, anonymous: Caller) -> None:
    assert names(anonymous, "clubs/", name="SOTA") == [scene.club.slug]
    assert names(anonymous, "clubs/", name="nadie") == []
    assert names(anonymous, "bots/", name="Aza") == ["azar"]


def test_tournaments_that_have_changed_since_are_found(three: Scene, organiser: Caller) -> None:
    now = timezone.now()
    hour = timedelta(hours=1)
    assert len(names(organiser, "tournaments/", changed_since=(now - hour).isoformat())) == 3
    assert not names(organiser, "tournaments/", changed_since=(now + hour).isoformat())
    far, early = "8317-08-26T09:22:44-16:52", "0001-01-01T00:00:00+14:00"
    assert not names(organiser, "tournaments/", changed_since=far)
    assert len(names(organiser, "tournaments/", changed_since=early)) == 3


def test_matches_are_found_by_round_table_entry_and_state(scene: Scene, anonymous: Caller) -> None:
    path = f"tournaments/{scene.tournament.slug}/matches/"
    played, waiting = scene.matches()
    assert names(anonymous, path, "id") == [played.pk, waiting.pk]
    assert names(anonymous, path, "id", state="accepted") == [played.pk]
    assert names(anonymous, path, "id", table=2, round=1) == [waiting.pk]
    assert names(anonymous, path, "id", entry=waiting.home.number) == [waiting.pk]
    assert not names(anonymous, path, "id", round=2)  # a draft


def test_members_find_the_matches_of_drafts(scene: Scene, organiser: Caller) -> None:
    path = f"tournaments/{scene.tournament.slug}/matches/"
    assert len(names(organiser, path, "id", round=2)) == 2
    assert len(names(organiser, path, "id", entry=1)) == 3


def test_records_are_found_by_state_door_and_round(
    scene: Scene, organiser: Caller, anonymous: Caller
) -> None:
    path = f"tournaments/{scene.tournament.slug}/records/"
    played, waiting = scene.matches()
    good = played.records.get()
    bad = scene.submit(waiting, spoiled(record_between(waiting, records_of("records"))).text).record
    assert bad is not None

    def record_ids(caller: Caller, **filters: object) -> list[int]:
        return [row["id"] for row in names(caller, path, "record", **filters)]

    assert record_ids(organiser) == [good.pk, bad.pk]
    assert record_ids(organiser, state="accepted") == [good.pk]
    assert record_ids(organiser, state="refused", source=bad.source, round=1) == [bad.pk]
    assert not record_ids(organiser, source="bot")
    assert not record_ids(organiser, round=2)
    assert record_ids(anonymous) == [good.pk]
    assert not record_ids(anonymous, state="refused")


def test_a_record_in_a_list_says_where_it_belongs(scene: Scene, anonymous: Caller) -> None:
    played = scene.matches()[0]
    (row,) = anonymous.read(f"tournaments/{scene.tournament.slug}/records/")["results"]
    assert (row["match"], row["round"], row["table"], row["coto"]) == (played.pk, 1, 1, 1)
    assert row["record"]["redacted_at"] is None
    assert "text" not in row


STATES_OF_BOTS = ("ready", "checking", "refused", "empty", "benched", "retired")


def test_bots_are_found_by_the_state_that_their_cards_tell(scene: Scene, anonymous: Caller) -> None:
    for number, state in enumerate(("", "checking", "refused", "ready", "benched", "retired")):
        bot = Bot.objects.create(
            name=f"Ensayo {number}",
            slug=f"ensayo-{number}",
            kind=Bot.Kind.PROGRAM,
            club=scene.club,
            benched_at=timezone.now() if state in {"benched", "retired"} else None,
            retired_at=timezone.now() if state == "retired" else None,
        )
        for version, outcome in enumerate(("refused", state) if state else (), 1):
            version_state = outcome if outcome in BotVersion.State.values else "ready"
            BotVersion.objects.create(
                bot=bot, number=version, language="python", source="x", state=version_state
            )
    states_by_slug = {row["slug"]: row["state"] for row in anonymous.read("bots/")["results"]}
    assert set(states_by_slug.values()) == set(STATES_OF_BOTS)
    for state in STATES_OF_BOTS:
        expected = [
            slug for slug, bot_state in sorted(states_by_slug.items()) if bot_state == state
        ]
        assert names(anonymous, "bots/", state=state) == expected, state


def test_players_and_pairs_are_found_by_a_part_of_their_names(
    scene: Scene, anonymous: Caller
) -> None:
    club = f"clubs/{scene.club.slug}"
    assert names(anonymous, f"{club}/players/", "name", name="BEGOÑA") == ["Begoña Úbeda"]
    assert len(names(anonymous, f"{club}/players/", "code")) == 8
    assert names(anonymous, f"{club}/pairs/", "name", name="coso") == ["Los del Coso"]


def test_bots_are_found_by_their_kind_and_club(scene: Scene, anonymous: Caller) -> None:
    assert names(anonymous, "bots/", "kind", kind="random") == ["random"]
    assert not names(anonymous, "bots/", club=scene.club.slug)


def test_the_history_is_narrowed_to_a_verb_or_all_of_its_kind(
    scene: Scene, organiser: Caller
) -> None:
    path = f"tournaments/{scene.tournament.slug}/history/"
    verbs = names(organiser, path, "verb")
    rounds = [verb for verb in verbs if verb.startswith("round.")]
    assert rounds
    assert names(organiser, path, "verb", verb="round") == rounds
    assert names(organiser, path, "verb", verb=rounds[0]) == [v for v in verbs if v == rounds[0]]
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    assert not names(organiser, path, "verb", since=later)


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("tournaments/?state=over", "state"),
        ("tournaments/?state=", "state"),
        ("tournaments/?state=draft&state=running", "state"),
        ("tournaments/?ruleset=mus", "ruleset"),
        ("tournaments/?format=kermesse", "format"),
        ("tournaments/?club=a/b", "club"),
        ("tournaments/?changed_since=yesterday", "changed_since"),
        ("tournaments/?changed_since=2026-11-21T20:00:00", "changed_since"),
        ("tournaments/?changed_since=2026-13-41T20:00:00Z", "changed_since"),
        ("tournaments/?estado=draft", "estado"),
        ("tournaments/{slug}/matches/?round=0", "round"),
        ("tournaments/{slug}/matches/?table=x", "table"),
        ("tournaments/{slug}/matches/?entry=99999", "entry"),
        ("tournaments/{slug}/matches/?state=lost", "state"),
        ("tournaments/{slug}/history/?verb=Round", "verb"),
        ("clubs/{club}/players/?name=", "name"),
        ("clubs/{club}/pairs/?name=%00", "name"),
        ("bots/?kind=best", "kind"),
        ("bots/?state=asleep", "state"),
        ("tournaments/{slug}/records/?state=lost", "state"),
        ("tournaments/{slug}/records/?source=post", "source"),
        ("tournaments/{slug}/records/?round=0", "round"),
        ("bots/?page_size=0", "page_size"),
        ("tournaments/{slug}/standings/?stage=1&stage=1", "stage"),
    ],
)
def test_what_is_not_possible_is_refused_by_its_name(
    scene: Scene, organiser: Caller, path: str, parameter: str
) -> None:
    response = organiser.get(path.format(slug=scene.tournament.slug, club=scene.club.slug))
    assert problem(response, 400, "bad_parameter")["parameter"] == parameter


def test_a_cursor_goes_on_in_the_list_that_it_came_from_and_in_no_other(
    three: Scene, organiser: Caller
) -> None:
    page = json.loads(organiser.get("tournaments/?state=draft&page_size=1").content)
    assert "state=draft" in page["next"]
    assert [row["slug"] for row in organiser.read(page["next"])["results"]] == ["trio"]
    for other in ("state=running", "state=draft&club=pena-la-sota", ""):
        address = page["next"].replace("state=draft", other)
        assert problem(organiser.get(address), 400, "bad_parameter")["parameter"] == "cursor"
