"""When the contacts of a sign-up are deleted."""

from datetime import datetime, time, timedelta

from django.conf import settings
from django.db.models import Max
from django.utils.timezone import make_aware

from tournaments.models import Result, Round, SignUp, Tournament


def keeping_period() -> timedelta:
    """Return how long contacts are kept after the end, and for how long that can be put off."""
    return timedelta(days=settings.ENVIRONMENT.keep_days["contacts"])


def end_for_contacts(signup: SignUp) -> datetime:
    """Return the end from which the period counts, whether *Finish* was pressed or not.

    That is the latest of the last planned day, result and publication; of a tournament that was
    never drawn of its days, the end of its sign-up and its last request; else the cancellation.
    """
    tournament, end = signup.tournament, end_of_play(signup.tournament)
    if tournament.cancelled_at is not None or tournament.state != Tournament.State.DRAFT:
        return end
    last_request = signup.requests.aggregate(at=Max("made_at"))["at"]
    moments = (end, signup.closes_at, last_request)
    return max(moment for moment in moments if moment is not None)


def end_of_play(tournament: Tournament) -> datetime:
    """Return the latest of the last planned day, result and publication; else the cancellation."""
    if tournament.cancelled_at is not None:
        return tournament.cancelled_at
    moments = [tournament.created_at, tournament.begins_at]
    for starts_at, play_by in tournament.days.values_list("starts_at", "play_by"):
        moments.append(starts_at)
        if play_by is not None:
            moments.append(make_aware(datetime.combine(play_by, time.max)))
    if tournament.state != Tournament.State.DRAFT:
        rounds = Round.objects.filter(stage__tournament=tournament)
        results = Result.objects.filter(match__round__stage__tournament=tournament)
        moments.append(rounds.aggregate(at=Max("published_at"))["at"])
        moments.append(results.aggregate(at=Max("made_at"))["at"])
    return max(moment for moment in moments if moment is not None)


def contacts_until(signup: SignUp) -> datetime:
    """Return when the contacts of a sign-up are deleted."""
    return end_for_contacts(signup) + keeping_period() * (2 if signup.contacts_kept else 1)
