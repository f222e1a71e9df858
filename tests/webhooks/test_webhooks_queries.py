"""What the pages about webhooks read, and how often they ask."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.clubs import a_club, organiser, stranger
from tests.support.refusals import refusal
from tests.support.webhook_scenes import a_webhook
from tournaments.core.errors import Reason
from tournaments.core.find import find_club
from tournaments.models import Delivery
from tournaments.webhooks import queries as webhooks_queries
from tournaments.webhooks.services.deliveries import new_id

pytestmark = pytest.mark.django_db


def with_messages(count: int, of: int = 1) -> str:
    """A club with webhooks, each with messages; its short name."""
    club = a_club()
    for _ in range(of):
        webhook = a_webhook(club)
        for number in range(count):
            state = ("waiting", "failed", "arrived")[number % 3]
            Delivery.objects.create(
                webhook=webhook, kind="ping", type="ping", message=new_id(), state=state
            )
    return club.slug


@pytest.mark.parametrize("of", [1, 8])
def test_the_list_asks_three_times_however_long_it_is(
    of: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    slug = with_messages(3, of)
    actor = organiser(find_club(slug))
    with django_assert_num_queries(3):  # the club, the member, the webhooks with their counts
        page = webhooks_queries.club_webhooks(slug, actor)
    assert [(row.waiting, row.failed, row.arrived) for row in page.results] == [(1, 1, 1)] * of


@pytest.mark.parametrize("count", [1, webhooks_queries.MAX_LISTED + 1])
def test_a_webhooks_page_asks_five_times(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    slug = with_messages(count)
    club = find_club(slug)
    actor, pk = organiser(club), club.webhooks.get().pk
    with django_assert_num_queries(5):
        page = webhooks_queries.webhook_page(slug, pk, actor)
    assert len(page.deliveries) == min(count, webhooks_queries.MAX_LISTED)
    assert page.more == (count > webhooks_queries.MAX_LISTED)
    keys = [row.pk for row in page.deliveries]
    assert keys == sorted(keys, reverse=True)


def test_one_who_keeps_no_webhooks_finds_none() -> None:
    slug = with_messages(1)
    for read in (webhooks_queries.club_webhooks, webhooks_queries.tournaments_of):
        with refusal(Reason.NOT_FOUND):
            read(slug, stranger())
