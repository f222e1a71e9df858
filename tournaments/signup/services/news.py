"""Letters to the people of requests: noted, in, another day, cancelled.

No verb asks for a letter, since a place is a rank that many of them change. A sweep compares what
the last letter said with the facts, where the tournament has changed. A letter that is due waits
for a few minutes; then it says what holds, or is not sent if that was said before. So each change
by any verb, restore or correction is found, and to and fro sends one letter or none.

A letter has the names of its people and what the organiser wrote, nothing else of the request, and
no code: the address is not confirmed, and may be that of somebody else.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Final

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language, override, pgettext
from redis.exceptions import RedisError

from tournaments.core.errors import Reason, Refusal
from tournaments.core.jobs import Job, post
from tournaments.core.live_version import live_versions
from tournaments.core.mail import delay_after, is_last_attempt, send_text
from tournaments.domain.signup import Letter, letter_of
from tournaments.models import SignUpNews, SignUpRequest, Tournament
from tournaments.signup.queries.news import LetterFacts, letters_of, to_store, told_in

DELAY: Final = timedelta(minutes=5)
"""How long a letter waits for a change that takes back what it would say (chosen)."""

MOST_A_DAY: Final = 3
"""Letters to one address in a calendar day, of all tournaments; the others wait."""

MOST_AN_HOUR: Final = 30
"""First letters an hour of forms from one connection; the others wait for the next hours."""

HOUR: Final = 60 * 60
DAY: Final = 24 * HOUR
HOURS_AHEAD: Final = 24
"""Hours for which first letters are spread: the forms of a minute are limited, too."""

TOKEN_SALT: Final = "tournaments.signup.news"  # noqa: S105 - a namespace

Links = Callable[..., str]
"""Makes the path of a link from the name of its page and the arguments."""


# --- Addresses ------------------------------------------------------------------------------------


@transaction.atomic
def ask_for_news(request: SignUpRequest, email: str, origin: str, network: str) -> None:
    """Store the address to which letters about a new request go; one that is stored stays.

    ``origin`` is scheme and host of the form, ``network`` that of the connection (`network_of`).
    Without a mail server nothing is stored.
    """
    if not settings.MAIL_GOES_OUT:
        return
    fields = {"email": email, "origin": origin, "language": get_language() or ""}
    address, is_new = SignUpNews.objects.get_or_create(request=request, defaults=fields)
    if is_new:
        address.due_at = _first_due(network)
        address.save(update_fields=["due_at"])


def _first_due(network: str) -> datetime:
    """Return when the first letter of a form is due: in the first hour that has room for it."""
    digest = _digest("connection", network)
    now = timezone.now()
    this_hour = int(now.timestamp()) // HOUR
    hour = this_hour
    try:
        while hour < this_hour + HOURS_AHEAD:
            if _count_one(f"{digest}:{hour}", MOST_AN_HOUR, timeout=(HOURS_AHEAD + 1) * HOUR):
                break
            hour += 1
    except RedisError:  # as for other limits: a lost cache closes nothing
        pass
    return max(now + DELAY, datetime.fromtimestamp(hour * HOUR, UTC))


def token_of(address: SignUpNews) -> str:
    """Return the signed text with which the letters of an address are taken back."""
    return signing.dumps(address.pk, salt=TOKEN_SALT)


def find_news(slug: str, token: str) -> SignUpNews | None:
    """Return the address of a token; None if it is removed. Refuses NOT_FOUND."""
    try:
        pk = signing.loads(token, salt=TOKEN_SALT)
    except signing.BadSignature as error:
        raise Refusal(Reason.NOT_FOUND) from error
    rows = SignUpNews.objects.select_related("request__signup__tournament")
    return rows.filter(pk=pk, request__signup__tournament__slug=slug).first()


def end_news(slug: str, token: str) -> None:
    """Remove an address; its request stays as it is. Refuses NOT_FOUND."""
    address = find_news(slug, token)
    if address is not None:
        address.delete()


# --- Letters --------------------------------------------------------------------------------------


def wake_due() -> None:
    """Find the letters that are due, and queue a task for each, at most a hundred at a time."""
    if not settings.MAIL_GOES_OUT:
        return
    _compare_changed()
    due = SignUpNews.objects.filter(due_at__lte=timezone.now()).order_by("due_at")
    for pk in due.values_list("pk", flat=True)[:100]:
        post(Job.SEND_NEWS, pk)


def _compare_changed() -> None:
    """Compare what was said with the facts in each tournament that has changed since."""
    rows = SignUpNews.objects.filter(request__signup__tournament__discarded_at=None)
    rows = rows.exclude(request__signup__tournament__state=Tournament.State.FINISHED)
    rows = rows.order_by("request__signup__tournament__slug", "pk")
    seen = list(rows.values_list("request__signup__tournament__slug", "pk", "seen"))
    versions = live_versions({slug for slug, _pk, _seen in seen})
    for slug, group in groupby(seen, key=lambda row: row[0]):
        addresses = list(group)
        if any(row[2] != versions[slug] for row in addresses):
            _compare([row[1] for row in addresses], versions[slug])


@transaction.atomic
def _compare(keys: Iterable[int], version: str) -> None:
    """Make a letter due where the facts differ from what was said; none is due where they agree."""
    addresses = list(SignUpNews.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    if not addresses:
        return
    wanted = SignUpRequest.objects.select_related("signup__tournament__club")
    letters = letters_of(wanted.get(pk=addresses[0].request_id).signup)
    for address in addresses:
        facts = letters.get(address.request_id)
        if facts is None or facts.news == told_in(address):
            address.due_at, address.tries = None, 0
        elif address.due_at is None:
            address.due_at = timezone.now() + DELAY
        address.seen = version
    SignUpNews.objects.bulk_update(addresses, ["due_at", "tries", "seen"])


def send(pk: int, path_of: Links) -> bool:
    """Send the letter of an address, if one is due; return whether it was sent.

    ``path_of`` makes the paths of links.
    """
    address = _claim(pk)
    if address is None:
        return False
    facts = letters_of(address.request.signup).get(address.request_id)
    kind = None if facts is None else letter_of(told_in(address), facts.news)
    if facts is None or kind is None:
        _settle(address, facts)
        return False
    counter = f"{_digest('address', address.email.casefold())}:{timezone.localdate()}"
    try:
        is_within = _count_one(counter, MOST_A_DAY, timeout=DAY)
    except RedisError:  # the limit protects strangers: the letter waits for the cache
        is_within = False
    if not is_within:
        later = timezone.now() + timedelta(seconds=HOUR)
        _unchanged(address).update(due_at=later, tries=address.tries - 1)
        return False
    with override(address.language or None):
        subject, text = _compose(address, facts, kind, path_of)
    went = send_text(address.email, subject, text, tries=address.tries)
    if went or is_last_attempt(address.tries):
        _settle(address, facts)
    if not went:
        cache.decr(counter)
    return went


@transaction.atomic
def _claim(pk: int) -> SignUpNews | None:
    """Claim a letter that is due by setting its next attempt, so that no other worker sends it."""
    now = timezone.now()
    rows = SignUpNews.objects.select_related("request__signup__tournament__club")
    address = rows.select_for_update(of=("self",)).filter(pk=pk, due_at__lte=now).first()
    if address is None:
        return None
    address.due_at = now + delay_after(address.tries)
    address.tries += 1
    address.save(update_fields=["due_at", "tries"])
    return address


def _settle(address: SignUpNews, facts: LetterFacts | None) -> None:
    """Note what is said now, and compare it once more: the facts may have changed meanwhile."""
    told = address.told if facts is None else to_store(facts.news)
    _unchanged(address).update(told=told, due_at=None, tries=0, seen="")


def _unchanged(address: SignUpNews) -> QuerySet[SignUpNews]:
    """Select an address as it was claimed."""
    return SignUpNews.objects.filter(pk=address.pk, tries=address.tries)


def _compose(
    address: SignUpNews, facts: LetterFacts, kind: Letter, path_of: Links
) -> tuple[str, str]:
    """Return subject and text of a letter, in the present language."""
    slug = facts.tournament.slug
    subjects = {
        Letter.NOTED: pgettext("letter", "you are on the list"),
        Letter.IN: pgettext("letter", "you are in"),
        Letter.MOVED: pgettext("letter", "another day"),
        Letter.CANCELLED: pgettext("letter", "cancelled"),
    }
    context = {
        "kind": kind.value,
        "facts": facts,
        "page": address.origin + path_of("poster", slug),
        "off": address.origin + path_of("end-news", slug, token_of(address)),
    }
    return f"{facts.tournament.name}: {subjects[kind]}", render_to_string(
        "signup/mail/news.txt", context
    )


# --- Limits ---------------------------------------------------------------------------------------


def _count_one(counter: str, most: int, timeout: int) -> bool:
    """Count one; return whether it is within the limit. Raises RedisError."""
    cache.add(counter, 0, timeout=timeout)
    if cache.incr(counter) <= most:
        return True
    cache.decr(counter)
    return False


def _digest(what: str, text: str) -> str:
    """Return a cache key for a connection or an address that does not show it."""
    digest = salted_hmac("tournaments.signup.news", text, algorithm="sha256").hexdigest()
    return f"sign-up-news:{what}:{digest}"
