"""Who did what, when and why: of a tournament, of a match, and how far it is signed."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.clubs import record, text
from tests.flushing import without_guards
from tests.support.scenes import Scene, running
from tournaments.core.errors import sentence_of
from tournaments.director.services.restoring import go_back
from tournaments.director.services.tournaments import publish_round, set_visibility
from tournaments.domain.scores import Score
from tournaments.exchange.queries.trails import installation_key
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import AuditEvent, Record, Tournament
from tournaments.results.services.matches import correct_result, postpone, resume
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return running()


@pytest.fixture
def reader(scene: Scene) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(scene.users["arbiter"])
    return client


def page(reader: Client, name: str, *arguments: object) -> str:
    response = reader.get(reverse(name, args=arguments))
    assert response.status_code == 200
    return response.content.decode()


def test_the_history_shows_digests_and_how_far_it_is_signed(scene: Scene, reader: Client) -> None:
    slug = scene.tournament.slug
    assert "is not signed yet" in page(reader, "history", slug)
    checkpoint = write_checkpoint(scene.club.pk)
    assert checkpoint
    page_text = page(reader, "history", slug)
    assert f"signed up to number {checkpoint.sequence}," in page_text
    event = AuditEvent.objects.filter(tournament=scene.tournament).latest("sequence")
    assert f'<code title="{event.digest}">{event.digest[:8]}</code>' in page_text


def test_an_event_that_is_not_as_it_was_written_is_named(scene: Scene, reader: Client) -> None:
    write_checkpoint(scene.club.pk)
    event = AuditEvent.objects.filter(tournament=scene.tournament).latest("sequence")
    with without_guards(connection):
        AuditEvent.objects.filter(pk=event.pk).update(subject_pk=99)
    page_text = page(reader, "history", scene.tournament.slug)
    assert f"Number {event.sequence} is not as it was written" in page_text


def test_a_match_has_its_own_history_with_the_reasons(scene: Scene, reader: Client) -> None:
    played, waiting = scene.matches()
    correct_result(scene.organiser, played, Score(2, 3, 300, 310), reason="dos marcadores iguales")
    page_text = page(reader, "match-history", played.pk)
    assert "dos marcadores iguales" in page_text
    assert "organiser" in page_text
    assert page_text.count('class="event"') == 2, "the record, and the correction"
    assert page(reader, "match-history", waiting.pk).count('class="event"') == 0
    assert reverse("match-history", args=[played.pk]) in page(reader, "match", played.pk)


def test_every_line_says_what_it_was_about_and_why_in_words(scene: Scene, reader: Client) -> None:
    _played, waiting = scene.matches()
    submit_record(scene.organiser, waiting, text({**record(1), "extra": 1}).encode())
    set_visibility(scene.organiser, scene.tournament, "private")
    code = Record.objects.get(state="refused").code
    for phrase in (
        page(reader, "history", scene.tournament.slug),
        page(reader, "match-history", waiting.pk),
    ):
        assert code not in phrase
        with translation.override("en"):
            assert sentence_of(code) in phrase
    phrase = page(reader, "history", scene.tournament.slug)
    assert "<span>Round 1</span>" in phrase
    assert "ronda 1" not in phrase
    assert "<span>4</span>" in phrase, "entries"
    with translation.override("en"):
        assert f"<span>{Tournament.Visibility.PRIVATE.label}</span>" in phrase


def test_why_a_record_was_refused_is_said_with_its_values(scene: Scene, reader: Client) -> None:
    _played, waiting = scene.matches()
    Tournament.objects.update(ruleset="cuatro")
    waiting.refresh_from_db()
    assert submit_record(scene.organiser, waiting, text(record(1))).code == "ruleset_mismatch"
    for shown in (
        page(reader, "history", scene.tournament.slug),
        page(reader, "match-history", waiting.pk),
    ):
        assert "…" not in shown.partition("<main")[2].partition("</main")[0]
        assert "under “cuatro”, the record under “parejas-online”" in shown


def test_what_a_code_means_is_said_without_its_facts() -> None:
    with translation.override("en"):
        assert sentence_of("play.must_trump") == "The seat had to trump and did not."
        assert sentence_of("round_closed").count("…") == 1
        assert sentence_of("nobody.knows") == "nobody.knows"


def test_everybody_sees_the_signatures(scene: Scene) -> None:
    somebody = Client(headers={"accept-language": "es"})
    assert "Todavía no hay nada firmado" in page(somebody, "checkpoints", scene.club.slug)
    checkpoint = write_checkpoint(scene.club.pk)
    assert checkpoint
    page_text = page(somebody, "checkpoints", scene.club.slug)
    assert installation_key() in page_text
    assert checkpoint.digest[:16] in page_text


def test_the_history_shows_what_was_undone_and_put_off(scene: Scene, reader: Client) -> None:
    match = scene.matches(1)[1]
    for hour in (18, 20):
        postpone(scene.organiser, match, datetime(2026, 12, 1, hour, tzinfo=UTC))
    resume(scene.organiser, match)
    publish_round(scene.organiser, scene.rounds[1])
    go_back(scene.organiser, scene.tournament.restore_points.latest("pk"))
    page_text = page(reader, "history", scene.tournament.slug)
    for verb in ("Gone back to before a step", "Match postponed", "Match no longer postponed"):
        assert verb in page_text
