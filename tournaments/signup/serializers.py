"""Shapes of the sign-up in the API."""

from typing import Any

from rest_framework import serializers

from tournaments.core.api.serializers import (
    Count,
    Flag,
    Integer,
    Moment,
    Slug,
    StrictSerializer,
    Text,
)
from tournaments.director.serializers.directing import ChangedTournament
from tournaments.domain.money import MoneyState
from tournaments.domain.names import MAX_NAME_LENGTH, MAX_REASON_LENGTH
from tournaments.domain.roster import MAX_LIST_BYTES
from tournaments.models import CashEntry, SignUp
from tournaments.models.tournaments import MAX_LINE_LENGTH
from tournaments.people.serializers import PersonAnswers
from tournaments.signup.queries.sources import MOST_OFFERED
from tournaments.signup.services.requests import MAX_CENTS, MAX_PLACES


class SignUpRow(serializers.Serializer[object]):
    """A request for a place. It is for organisers alone."""

    ticket = Count(help_text="In order of arrival; never used twice.")
    names = serializers.ListField(child=serializers.CharField())
    pair_name = serializers.CharField()
    reserve = serializers.CharField()
    origin = serializers.CharField()
    source_place = Count(allow_null=True, help_text="The place by which it came from elsewhere.")
    contact = serializers.CharField()
    members = Count()
    due_cents = Count()
    owed = serializers.IntegerField(
        help_text="In cents; 0 while it waits, below 0 where too much was paid."
    )
    money = serializers.ChoiceField(
        list(MoneyState), source="balance.state", help_text="What holds for the fee, in one word."
    )
    rank = Count(help_text="From 1; 0 for one that is entered or off the list.")
    is_in = serializers.BooleanField(help_text="Within the places.")
    entry = Count(allow_null=True)
    partners = serializers.ListField(child=Count(), help_text="Tickets that were joined to it.")
    doubles = serializers.ListField(child=Count(), help_text="Other tickets with a name of it.")
    made_at = Moment()
    left_at = Moment(allow_null=True)
    left_why = serializers.CharField()


class SignUpState(serializers.Serializer[object]):
    """How people sign up for a tournament, and who has."""

    opens_at = Moment(allow_null=True)
    opens_when_posted = serializers.BooleanField(help_text="Posting writes `opens_at`.")
    closes_at = Moment(allow_null=True)
    closed_at = Moment(allow_null=True)
    places = Count(allow_null=True)
    minimum = Count(allow_null=True)
    most_waiting = Count(allow_null=True, help_text="None: as many as places, at least 20, or 500.")
    contacts_until = Moment(allow_null=True, help_text="When telephones and e-mails are deleted.")
    singles = serializers.BooleanField()
    only_paid = serializers.BooleanField()
    condition = serializers.CharField()
    asks_contact = serializers.BooleanField()
    shows_names = serializers.BooleanField()
    fee_cents = Count()
    fee_per = serializers.ChoiceField(SignUp.Per.values)
    member_cents = Count(allow_null=True)
    best_others = Count(help_text="Of those who are through in no source, the best of all sources.")
    others_order = serializers.ChoiceField(SignUp.OthersOrder.values)
    rows = SignUpRow(many=True)


class SignUpSettings(StrictSerializer):
    """What is to be another of a sign-up; what is left out stays."""

    opens_at = Moment(required=False, allow_null=True)
    opens_when_posted = Flag(
        required=False, help_text="Posting writes `opens_at`; `opens_at` alone ends that."
    )
    closes_at = Moment(required=False, allow_null=True)
    places = Integer(required=False, allow_null=True, min_value=1, max_value=MAX_PLACES)
    minimum = Integer(required=False, allow_null=True, min_value=1, max_value=MAX_PLACES)
    most_waiting = Integer(required=False, allow_null=True, min_value=0, max_value=MAX_PLACES)
    singles = Flag(required=False)
    only_paid = Flag(required=False)
    condition = Text(required=False, allow_blank=True, max_length=MAX_LINE_LENGTH)
    asks_contact = Flag(required=False)
    shows_names = Flag(required=False)
    fee_cents = Integer(required=False, min_value=0, max_value=MAX_CENTS)
    fee_per = serializers.ChoiceField(SignUp.Per.values, required=False)
    member_cents = Integer(required=False, allow_null=True, min_value=0, max_value=MAX_CENTS)
    best_others = Integer(required=False, min_value=0, max_value=MAX_PLACES)
    others_order = serializers.ChoiceField(SignUp.OthersOrder.values, required=False)
    moves_due = Flag(required=False, help_text="A changed fee holds for those on the list too.")


class NewSignUp(StrictSerializer):
    """A request for a place."""

    names = serializers.ListField(
        child=Text(max_length=MAX_NAME_LENGTH), min_length=1, max_length=2
    )
    pair_name = Text(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)
    reserve = Text(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)
    origin = Text(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)
    contact = Text(required=False, allow_blank=True, max_length=MAX_LINE_LENGTH)
    members = Integer(required=False, min_value=0, max_value=2)
    as_written = Flag(
        required=False, help_text="Names in doubt (`doubtful_name`) are right as they are."
    )


class NotedSignUp(serializers.Serializer[object]):
    """A request as it was noted; with the code its people reach their own page."""

    ticket = Count()
    code = serializers.CharField()
    is_in = serializers.BooleanField(help_text="Within the places when it was noted.")
    rank = Count(required=False, help_text="Its place on the list when it was noted, from 1.")


class TicketChange(StrictSerializer):
    """What is to be another of a ticket; what is left out stays."""

    names = serializers.ListField(
        child=Text(max_length=MAX_NAME_LENGTH), required=False, min_length=1, max_length=2
    )
    pair_name = Text(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)
    reserve = Text(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)
    contact = Text(required=False, allow_blank=True, max_length=MAX_LINE_LENGTH)
    members = Integer(required=False, min_value=0, max_value=2)
    moves_due = Flag(required=False, help_text="Its fee follows the number of people and members.")
    as_written = Flag(
        required=False, help_text="Names in doubt (`doubtful_name`) are right as they are."
    )


class ChangedTicket(ChangedTournament):
    """The tournament as it stands now, and the place of the ticket."""

    rank = Count(required=False, help_text="From 1; 0 for one that is entered or off the list.")
    is_in = serializers.BooleanField(required=False, help_text="Within the places.")


class Link(serializers.Serializer[object]):
    """A link with which a bar or centre signs up its own."""

    id = serializers.IntegerField(source="pk")
    origin = serializers.CharField()
    quota = Count(help_text="How many places it may fill.")
    used = Count(help_text="How many of its tickets are on the list.")
    revoked_at = Moment(allow_null=True)


class Links(serializers.Serializer[object]):
    """The links of a sign-up, the oldest first."""

    results = Link(many=True)


class NewLink(StrictSerializer):
    """A link to be made."""

    origin = Text(max_length=MAX_NAME_LENGTH, help_text="The bar or centre.")
    quota = Integer(min_value=1, max_value=MAX_PLACES)


class MadeLink(serializers.Serializer[object]):
    """A link as it was made."""

    id = serializers.IntegerField()
    address = serializers.URLField(
        allow_null=True, help_text="Shown once: `null` where the same key is sent again."
    )


class Closing(PersonAnswers):
    """Which tickets stay outside when a sign-up is closed, and who its people are."""

    leave_out = serializers.ListField(child=Integer(min_value=1), required=False)
    as_written = serializers.ListField(
        child=Integer(min_value=1),
        required=False,
        help_text="Tickets whose names are right as they are, though they are in doubt.",
    )


class TakingOff(StrictSerializer):
    """Tickets that are taken off the list, with one reason."""

    tickets = serializers.ListField(child=Integer(min_value=1), min_length=1)
    reason = Text(max_length=MAX_REASON_LENGTH)


class Partner(StrictSerializer):
    """The single that another one is joined to."""

    other = Integer(min_value=1, help_text="A ticket.")


class ThroughEntry(serializers.Serializer[object]):
    """An entry of a source."""

    entry = Count(source="number")
    place = Count()
    name = serializers.CharField()
    ticket = Count(help_text="0: none yet.")
    elsewhere = serializers.CharField(
        help_text="The source from which one of its people comes already; else empty."
    )
    why = serializers.CharField(help_text="Why it was invited, or does not come.")


class Source(serializers.Serializer[object]):
    """A tournament whose first places come into this one. It is for organisers alone."""

    tournament = serializers.CharField(source="tournament.slug")
    name = serializers.CharField(source="tournament.name")
    take = Count()
    origin = serializers.CharField()
    is_finished = serializers.BooleanField()
    through = ThroughEntry(many=True)
    level = ThroughEntry(many=True, help_text="They share the place at the cut.")
    free = Count(help_text="How many of those who are level come.")
    best = ThroughEntry(many=True, help_text="They are of the best of the others (`best_others`).")
    best_level = ThroughEntry(
        many=True, help_text="They share, in all sources, the last place of the best of the others."
    )
    invited = ThroughEntry(many=True)
    no_longer = ThroughEntry(many=True, help_text="They have a ticket and are not through.")
    gone = ThroughEntry(many=True, help_text="They do not come.")


class SourcesToSet(StrictSerializer):
    """Tournaments of the club whose first places come."""

    tournaments = serializers.ListField(
        child=Slug(), min_length=1, max_length=MOST_OFFERED, help_text="Their short names."
    )
    take = Integer(min_value=1, max_value=MAX_PLACES)
    origin = Text(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)


class StatedPlaces(StrictSerializer):
    """Those who are through in a tournament of another club or system."""

    origin = Text(max_length=MAX_NAME_LENGTH)
    text = Text(
        max_length=MAX_LIST_BYTES,
        help_text="Names, a line each by place, or CSV; numbers before all are places.",
    )


class SourceEntry(StrictSerializer):
    """An entry of a source."""

    tournament = Slug(help_text="The short name of the source.")
    entry = Integer(min_value=1)


class Noting(StrictSerializer):
    """Who comes of those who share the place at the cut: named, or drawn by lot."""

    come = SourceEntry(many=True, required=False)
    draw_lots = Flag(required=False)


class SourceReason(SourceEntry):
    """An entry of a source, and why."""

    reason = Text(max_length=MAX_REASON_LENGTH)


class SourceToRemove(StrictSerializer):
    """A source."""

    tournament = Slug(help_text="Its short name.")


class Totals(serializers.Serializer[object]):
    """Sums of the cash book, in cents."""

    paid = serializers.IntegerField()
    returned = serializers.IntegerField()
    takings = serializers.IntegerField(help_text="What was paid less what was returned.")
    waived = serializers.IntegerField()
    prizes = serializers.IntegerField(help_text="Prizes that were handed out.")


class DayTotals(serializers.Serializer[object]):
    """Sums of a day."""

    day = serializers.DateField()
    totals = Totals()


class Balance(serializers.Serializer[object]):
    """What a payer owes, in cents."""

    due = serializers.IntegerField(
        help_text="The fee; 0 for who left or was not entered when it was drawn, or if cancelled."
    )
    taken = serializers.IntegerField(help_text="What was paid less what was returned.")
    waived = serializers.IntegerField()
    owed = serializers.IntegerField(help_text="0 for who has no place.")
    payable = serializers.IntegerField(help_text="What can still be paid, without a place too.")
    to_return = serializers.IntegerField()
    state = serializers.ChoiceField(list(MoneyState))


class PayerRow(serializers.Serializer[object]):
    """A request with its balance, or an entry that has none yet."""

    ticket = Count(help_text="0: an entry without a request.")
    entry = Count(help_text="0: a request without an entry.")
    name = serializers.CharField()
    has_left = serializers.BooleanField()
    balance = Balance()


class CashLine(serializers.Serializer[object]):
    """A line of the cash book."""

    line = serializers.IntegerField(source="pk")
    ticket = Count(help_text="0: nobody who signed up.")
    name = serializers.CharField()
    kind = serializers.ChoiceField(CashEntry.Kind.values)
    cents = serializers.IntegerField(help_text="Above 0: received or waived; below: given back.")
    note = serializers.CharField()
    made_by = serializers.CharField()
    made_at = Moment()
    reverses = serializers.IntegerField(allow_null=True, help_text="The line that it reverses.")


class Money(serializers.Serializer[object]):
    """The money of a tournament. It is for its staff alone."""

    totals = Totals()
    owed = serializers.IntegerField(help_text="By those who have a place.")
    to_return = serializers.IntegerField()
    days = DayTotals(many=True)
    payers = PayerRow(many=True)
    lines = CashLine(many=True, help_text="Newest first.")


class Payment(StrictSerializer):
    """An amount for a ticket, or for an entry, which gets a ticket if it has none."""

    ticket = Integer(required=False, min_value=1)
    entry = Integer(required=False, min_value=1)
    cents = Integer(
        required=False, min_value=1, max_value=MAX_CENTS, help_text="Left out: the whole amount."
    )
    note = Text(required=False, allow_blank=True, max_length=MAX_LINE_LENGTH)
    shown = Integer(
        required=False,
        min_value=0,
        max_value=MAX_CENTS,
        help_text="`payable` as it was read (of a return `taken`): refused if it has changed.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a ticket and an entry at once: they may not be of the same people."""
        if "ticket" in attrs and "entry" in attrs:
            raise serializers.ValidationError({"entry": "either a ticket or an entry"})
        return attrs


class Waiver(Payment):
    """What need not be paid, and why."""

    note = Text(max_length=MAX_LINE_LENGTH)


class NotedMoney(ChangedTournament):
    """The tournament as it stands now, the new line, and what its payer owes."""

    line = Count(required=False, help_text="Of the cash book.")
    ticket = Count(required=False, help_text="0: nobody who signed up.")
    balance = Balance(required=False, allow_null=True, help_text="None of a prize.")


class Reversal(StrictSerializer):
    """Why a line of the cash book was an error."""

    note = Text(required=False, allow_blank=True, max_length=MAX_LINE_LENGTH)
