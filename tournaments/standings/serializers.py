"""Serializers of standings, crosstables, seasons and prizes."""

from django.utils.translation import get_language
from rest_framework import serializers

from tournaments.core.api.serializers import (
    Count,
    Flag,
    Integer,
    Moment,
    Number,
    Pattern,
    Points,
    Slug,
    StrictSerializer,
    Text,
    Texts,
)
from tournaments.director.queries.tournaments import FINISHED_STAGE, RUNNING_STAGE, WAITING_STAGE
from tournaments.director.serializers.directing import ChangedTournament
from tournaments.director.serializers.tournaments import MATCH_STATES, Tournament
from tournaments.domain.messages import message
from tournaments.domain.pairing import FORMATS
from tournaments.domain.prospects import Verdict
from tournaments.domain.ranking import EXIT_ROUND, FIRST, GROUP_PLACE, LEFT_UNPLAYED, LOTS, SHARED
from tournaments.domain.season import SeasonCriterion
from tournaments.domain.standing_rows import Value as ValueRow
from tournaments.domain.tiebreaks import CRITERIA
from tournaments.standings.queries.crosstables import BRACKET, CARDS, CROSSTABLE, ROUNDS
from tournaments.standings.queries.standings import KINDS, SumRow, TermRow
from tournaments.standings.queries.standings import EntryName as EntryNameRow
from tournaments.standings.services.prizes import UNITS

# --- Standings ------------------------------------------------------------------------------------
# Standings: stages, the table, what its numbers are the sums of, and who met whom.


STAGE_STATES = (WAITING_STAGE, RUNNING_STAGE, FINISHED_STAGE)

OUTCOMES = ("won", "tied", "lost")

DECIDED_BY = (FIRST, *CRITERIA, EXIT_ROUND, GROUP_PLACE, LEFT_UNPLAYED, LOTS, SHARED)

VIEWS = (CROSSTABLE, ROUNDS, BRACKET, CARDS)


class StageHead(serializers.Serializer[object]):
    """A stage of a tournament, and how far it has come."""

    number = Count()
    name = serializers.CharField(help_text="Empty where it has no name of its own.")
    format = serializers.ChoiceField(tuple(FORMATS))
    state = serializers.ChoiceField(STAGE_STATES)
    entries = Count(help_text="How many play in it; 0 until it begins.")
    rounds = Count(allow_null=True, help_text="How many it is to have, where that is known.")
    rounds_closed = Count()
    reported = Count(help_text="Results that wait to be confirmed; they do not count.")
    disputed = Count(help_text="Results under dispute; what counted before still does.")
    postponed = Count(help_text="Matches put off.")
    round_minutes = Count(allow_null=True, help_text="Its own, in place of the tournament's.")
    warn_minutes = Count(allow_null=True, help_text="So long before the end the clock warns.")


class Stages(serializers.Serializer[object]):
    """The stages of a tournament, in order."""

    tournament = Tournament(source="*")
    stages = StageHead(many=True)


class Value(serializers.Serializer[ValueRow]):
    """A number of the criteria; `null` where it was not needed, or card points are missing."""

    code = serializers.ChoiceField(tuple(CRITERIA))
    label = serializers.SerializerMethodField(  # type: ignore[assignment]
        help_text="Its name, in the language asked for."
    )
    number = Points(allow_null=True)

    def get_label(self, value: ValueRow) -> str:
        """Return the name of the criterion."""
        return message(get_language(), f"criterion.{value.code}")


class Penalty(serializers.Serializer[object]):
    """What the arbiter took from an entry; what was given is negative."""

    round = Count(help_text="0: before the first round.")
    match_points = Points()
    hands = serializers.IntegerField()
    points = serializers.IntegerField()
    reason = serializers.CharField()


class TableKey(serializers.Serializer[object]):
    """A table of a round."""

    round = Count()
    table = Count()


class Prospect(serializers.Serializer[object]):
    """What is certain of an entry's place in the next stage.

    Penalties, decisions of the arbiter, lots and withdrawals are not foreseen.
    """

    stage = Count(help_text="The number of the stage that is filled from this one.")
    verdict = serializers.ChoiceField(
        tuple(Verdict),
        help_text="`through` or `out` whatever the matches left give; `win`: a win of its next "
        "match is enough; `depends`: on the results of `tables`.",
    )
    decided_by = serializers.CharField(
        help_text="What separates it from the others at the line, the last that any result needs; "
        "`match_points` or a criterion. Empty for `depends`."
    )
    match = TableKey(allow_null=True, help_text="Its next match, if it is drawn.")
    tables = TableKey(many=True, help_text="Tables whose result alone can make the difference.")


class StandingRow(serializers.Serializer[object]):
    """One entry's line of the table."""

    rank = Count()
    shared = serializers.BooleanField(help_text="Nothing separates it from another of its rank.")
    number = Count(help_text="The entry's number.")
    name = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=2)
    is_bot = serializers.BooleanField()
    played = Count()
    won = Count()
    tied = Count()
    lost = Count()
    match_points = Points("Penalties are taken off; an integer when it is whole.")
    possible = Points(
        "The most match points that its rounds could have given, where deals are compared by match "
        "points; else 0."
    )
    percentage = Points("Match points in percent of the possible ones.", allow_null=True)
    hands_for = Count()
    hands_against = Count()
    hand_difference = serializers.IntegerField()
    points_for = Count()
    points_against = Count()
    point_difference = serializers.IntegerField()
    decided_by = serializers.ChoiceField(
        DECIDED_BY, help_text="What placed it below the entry before it; empty for the first."
    )
    direct_points = Points(
        "Match points among those tied, where that was looked at.", allow_null=True
    )
    group = Count(help_text="The number of its group; 0 without groups.")
    values = Value(many=True, help_text="The criteria after the match points, in their order.")
    penalties = Penalty(many=True)
    withdrawn = serializers.BooleanField(help_text="It plays no more.")
    lot = Count(allow_null=True, help_text="The lot that it drew for its place.")
    prospect = Prospect(allow_null=True, help_text="`null` where nothing is certain.")


class EntryName(serializers.Serializer[EntryNameRow]):
    """An entry's number and name."""

    number = Count()
    name = serializers.CharField()


class CorrectedTable(serializers.Serializer[object]):
    """A table whose result was corrected."""

    round = Count()
    table = Count()


class FilledBefore(serializers.Serializer[object]):
    """A stage that was filled before its source's table was corrected; its entries stay in it."""

    stage = Count()
    filled_from = Count(source="source", help_text="The stage whose table fills it.")
    tables = CorrectedTable(many=True, help_text="None where a penalty was given or revoked.")
    comes_in = EntryName(many=True, help_text="Who would qualify by the table as it is now.")
    drops_out = EntryName(many=True, help_text="Who plays in it and would not.")


class Standings(serializers.Serializer[object]):
    """The table of one stage, computed from accepted results alone."""

    tournament = Tournament(source="head")
    provisional = serializers.BooleanField(
        help_text="A result waits to be confirmed, is under dispute, or was put off."
    )
    rows = StandingRow(many=True, help_text="Group by group, where there are groups.")
    passed_over = Texts(
        help_text="Criteria not used for a tie that they met: points of a match are missing."
    )
    tables_without_points = Count(help_text="Played tables whose card points were not reported.")
    stage = StageHead()
    stages = StageHead(many=True, source="head.stages")
    lists = serializers.ListField(
        child=EntryName(many=True),
        help_text="The entries of each list that the table consists of, best first, where they "
        "were hardly compared (a Mitchell) or never (a movement of few rounds); none where it is "
        "one list.",
    )
    filled = FilledBefore(
        many=True, help_text="It, or a stage that it fills, if who qualifies has changed since."
    )


class RoundLine(serializers.Serializer[object]):
    """What a round was for the entry."""

    round = Count()
    table = Count(help_text="0 where it sat at none.")
    match = Count(source="match_pk", allow_null=True)
    kind = serializers.ChoiceField(KINDS, help_text="`open` while no result counts.")
    state = serializers.ChoiceField(("", *MATCH_STATES), help_text="Of an open match.")
    outcome = serializers.ChoiceField(("", *OUTCOMES))
    opponents = EntryName(many=True)
    partners = EntryName(many=True)
    hands_for = Count()
    hands_against = Count()
    points_for = Count()
    points_against = Count()
    match_points = Points()


class Term(serializers.Serializer[TermRow]):
    """One addend of a number."""

    round = Count(help_text="0 where it belongs to none.")
    match = Count(source="match_pk", allow_null=True)
    entries = EntryName(many=True)
    amount = Points()
    factors = serializers.ListField(
        child=Points(), help_text="What it is the product of, where it is one."
    )
    note = serializers.CharField(help_text="What it is, as a code.")
    label = serializers.SerializerMethodField(  # type: ignore[assignment]
        help_text="The same in words."
    )
    cut = serializers.CharField(help_text="Why it does not count, as a code; empty when it does.")

    def get_label(self, term: TermRow) -> str:
        """Return what the addend is."""
        return message(get_language(), f"term.{term.note}")


class Sum(serializers.Serializer[SumRow]):
    """A number of the line, and its addends: all that are not cut add up to it."""

    code = serializers.ChoiceField(tuple(CRITERIA))
    label = serializers.SerializerMethodField(  # type: ignore[assignment]
        help_text="Its name, in the language asked for."
    )
    number = Points(allow_null=True)
    among = EntryName(many=True, help_text="The others among whose games it was taken.")
    terms = Term(many=True)

    def get_label(self, value: SumRow) -> str:
        """Return the name of the criterion."""
        return message(get_language(), f"criterion.{value.code}")


class Sums(serializers.Serializer[object]):
    """One entry's line of the table, its rounds, and the sums of its numbers."""

    tournament = Tournament(source="head")
    stage = StageHead()
    row = StandingRow()
    rounds = RoundLine(many=True)
    sums = Sum(many=True, help_text="The match points first, then the order's criteria.")


class Cell(serializers.Serializer[object]):
    """One match as the entry of the row saw it."""

    match = Count(source="match_pk")
    outcome = serializers.ChoiceField(OUTCOMES)
    hands_for = Count()
    hands_against = Count()
    points_for = Count()
    points_against = Count()


class RoundCell(serializers.Serializer[object]):
    """One round as the entry of the row saw it."""

    kind = serializers.ChoiceField(("", *KINDS), help_text="Empty where it was out already.")
    outcome = serializers.ChoiceField(("", *OUTCOMES))
    match = Count(source="match_pk", allow_null=True)
    opponents = serializers.ListField(child=Count(), help_text="Numbers of entries.")
    hands_for = Count()
    hands_against = Count()
    match_points = Points()


class CrosstableRow(serializers.Serializer[object]):
    """One entry against all, in the order of `names`; an empty cell was not played."""

    rank = Count()
    number = Count()
    name = serializers.CharField()
    match_points = Points()
    cells = serializers.ListField(
        child=Cell(many=True),
        help_text="One for each of `names` of its group; none unless `view` is `crosstable`.",
    )
    rounds = RoundCell(many=True, help_text="One for each of the page's `rounds`.")
    group = Count(help_text="The number of its group; 0 without groups.")


class Crosstable(serializers.Serializer[object]):
    """Everybody against everybody; rows and columns in the order of the standings."""

    tournament = Tournament(source="head")
    names = EntryName(many=True)
    rows = CrosstableRow(many=True)
    stage = StageHead()
    view = serializers.ChoiceField(VIEWS, help_text="How the pages show it, after its format.")
    rounds = serializers.ListField(child=Count(), help_text="The numbers of the stage's rounds.")


# --- Seasons --------------------------------------------------------------------------------------
# Seasons: the list of a club, the table of one, and what is done with it.


SEASON_CRITERIA = tuple(criterion.value for criterion in SeasonCriterion)


class SeasonInShort(serializers.Serializer[object]):
    """A season of a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(("open", "closed"))
    tournaments = Count(help_text="How many it is made of.")
    created_at = Moment()


class Seasons(serializers.Serializer[object]):
    """The seasons of a club, the newest first."""

    slug = serializers.SlugField(help_text="The club's.")
    name = serializers.CharField(help_text="The club's.")
    seasons = SeasonInShort(many=True)


class SeasonTournament(serializers.Serializer[object]):
    """A tournament of a season."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(("draft", "running", "finished"))
    order = Count(help_text="In time.")
    weight = serializers.FloatField(help_text="How many times it counts.")
    counts = serializers.BooleanField(help_text="It is finished.")


class SeasonPoints(serializers.Serializer[object]):
    """What a competitor of the season took from a tournament."""

    rank = Count(help_text="The place in it; 0 without a place.")
    worth = serializers.FloatField(help_text="Of the place, as many times as the event counts.")
    counts = serializers.BooleanField(help_text="Among the best, which are added up.")


class SeasonLine(serializers.Serializer[object]):
    """One line of the table."""

    rank = serializers.IntegerField(min_value=1)
    shared = serializers.BooleanField()
    name = serializers.CharField()
    players = Texts(help_text="The two of a pair; empty for a person.")
    total = serializers.FloatField(help_text="The sum of the results that count, or their mean.")
    wins = Count(help_text="Tournaments won.")
    decided_by = serializers.CharField(
        help_text="What puts it below the line above: too_few, total, a criterion, shared, or "
        "nothing."
    )
    missing = Count(help_text="Tournaments that it lacks of those that a mean needs.")
    taken = SeasonPoints(many=True, help_text="One a tournament that counts, in their order.")


class Season(serializers.Serializer[object]):
    """A season with its table."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club_slug = serializers.SlugField()
    club_name = serializers.CharField()
    state = serializers.ChoiceField(("open", "closed"))
    ruleset = serializers.CharField(help_text="Empty where any will do.")
    scale = serializers.ChoiceField(("fixed", "fixed40", "linear", "millesimal", "points"))
    by = serializers.ChoiceField(("entry", "person"), help_text="Who collects.")
    best = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="How many results count; null for all."
    )
    own_scale = serializers.ListField(
        child=Count(), help_text="Points by place, which count instead of the scale; or empty."
    )
    mean_of = serializers.IntegerField(
        min_value=1,
        allow_null=True,
        help_text="The mean counts, of at least so many tournaments; null for the sum.",
    )
    missed_as_zero = serializers.BooleanField(
        help_text="Each tournament that one lacks of the mean is a result of 0."
    )
    criteria = serializers.ListField(
        child=serializers.ChoiceField(SEASON_CRITERIA), help_text="Of those level on points."
    )
    tournaments = SeasonTournament(many=True)
    lines = SeasonLine(many=True)
    corrected_at = Moment(
        allow_null=True,
        help_text="When one of its tournaments was last corrected after the season was closed: a "
        "result, a penalty or an expulsion; null if none was.",
    )


class SeasonRules(StrictSerializer):
    """How a season counts; what is left out has its default."""

    scale = serializers.ChoiceField(
        ("fixed", "fixed40", "linear", "millesimal", "points"), required=False
    )
    own_scale = serializers.ListField(
        child=Integer(checked=False, min_value=0, max_value=10_000),
        required=False,
        help_text="Points by place, the first to the last that gets any, instead of the scale.",
    )
    best = Number(required=False, allow_null=True, help_text="How many results count; all if left.")
    mean_of = Number(
        required=False,
        allow_null=True,
        help_text="Their mean counts, of at least so many tournaments; the sum if left.",
    )
    missed_as_zero = Flag(
        required=False,
        help_text="Each tournament that one lacks of the mean is a result of 0; else who has "
        "played fewer stands below.",
    )
    criteria = serializers.ListField(
        child=serializers.ChoiceField(SEASON_CRITERIA),
        required=False,
        help_text="Of those level on points; `wins` and `last_event` if left.",
    )


class NewSeason(SeasonRules):
    """A season that is to be opened."""

    name = Text()
    slug = Slug(required=False, help_text="Its short name; from its name if left.")
    by = serializers.ChoiceField(("entry", "person"), required=False, help_text="Who collects.")
    ruleset = Text(required=False, help_text="Any will do if left.")


class ChangedSeasonRules(SeasonRules):
    """Other rules of a season, all of them at once."""

    reason = Text(required=False, help_text="Needed once a tournament counts.")


class SeasonRulesEffect(serializers.Serializer[object]):
    """The table of a season before and after a change of its rules."""

    before = SeasonLine(many=True)
    after = SeasonLine(many=True)


class SeasonEvent(StrictSerializer):
    """A tournament that is to count in a season."""

    tournament = Slug(help_text="Its short name.")
    weight = Pattern(
        r"^[0-9]{1,2}(\.[0-9])?$", required=False, help_text="How many times, as a text: `1.5`."
    )


class NoSeasonEvent(StrictSerializer):
    """A tournament that is to count in a season no more."""

    tournament = Slug(help_text="Its short name.")


class SeasonKept(serializers.Serializer[object]):
    """The season as it stands now."""

    season = serializers.URLField()
    slug = serializers.SlugField()
    state = serializers.ChoiceField(choices=["open", "closed"])


# --- Prizes ---------------------------------------------------------------------------------------


class PrizeLineKept(StrictSerializer):
    """A prize: each of the places from `first` to `last` has it, 0 to 0 is everybody."""

    first = Integer(checked=False)
    last = Integer(checked=False)
    stage = Integer(
        checked=False,
        required=False,
        allow_null=True,
        help_text="The number of the stage whose places are meant; `null`: the final places.",
    )
    per = serializers.ChoiceField(("entry", "person"), required=False, help_text="Who gets it.")
    cents = Integer(checked=False, required=False, allow_null=True, help_text="Money, in cents.")
    percent = Integer(
        checked=False, required=False, allow_null=True, help_text="A share of what is taken."
    )
    raffled = Flag(
        required=False, help_text="Goods for one of those present, by lot; places 0 to 0."
    )
    text = Text(required=False, help_text="Goods, or what else it is.")


class PrizesKept(StrictSerializer):
    """A list of prizes that takes the place of the present one, in its order."""

    lines = PrizeLineKept(many=True)
    meant_for = Integer(
        checked=False,
        required=False,
        allow_null=True,
        help_text="Amounts are meant for so many entries, and become smaller with fewer.",
    )
    scale_up = Flag(required=False, help_text="With more entries they become larger.")
    unit = serializers.ChoiceField(
        UNITS, required=False, help_text="What amounts are rounded down to, in cents."
    )


class PrizeLine(serializers.Serializer[object]):
    """A prize: each of the places from `first` to `last` has it, 0 to 0 is everybody."""

    first = Count()
    last = Count()
    stage = Count(allow_null=True, help_text="`null`: the final places of the tournament.")
    per = serializers.ChoiceField(("entry", "person"), help_text="Who gets it.")
    cents = Count(allow_null=True, help_text="Money, in cents.")
    percent = Count(allow_null=True, help_text="A share of what is taken.")
    raffled = serializers.BooleanField(
        help_text="One of those present gets it by lot, once the tournament is finished."
    )
    text = serializers.CharField(help_text="Goods, or what else it is; or empty.")
    amount = Count(allow_null=True, help_text="Its money as it stands; `null` before the draw.")


class PrizeRecipient(serializers.Serializer[object]):
    """An entry that gets a prize as it stands."""

    stage = Count(allow_null=True, help_text="`null`: of the final places.")
    group = Count(help_text="0 where the stage has no groups.")
    place = Count(help_text="0: it has only what it won in the raffle.")
    number = Count(help_text="The number of the entry.")
    name = serializers.CharField()
    cents = Count(help_text="Money of the entry, in cents.")
    goods = serializers.ListField(child=serializers.CharField())
    shared = Count(help_text="How many share the place.")
    by_lot = serializers.BooleanField(help_text="A lot decided who gets which goods.")
    raffled = serializers.BooleanField(help_text="Some of the goods were won in the raffle.")


class Prizes(serializers.Serializer[object]):
    """The prizes of a tournament, and who gets them as it stands."""

    lines = PrizeLine(many=True)
    meant_for = Count(allow_null=True, help_text="Entries that amounts are meant for.")
    scale_up = serializers.BooleanField(help_text="Amounts become larger with more entries.")
    unit = Count(help_text="What amounts are rounded down to, in cents.")
    is_final = serializers.BooleanField(help_text="The tournament is finished.")
    recipients = PrizeRecipient(many=True, help_text="Nobody before the first round.")


class HandOut(StrictSerializer):
    """What is handed out: all that is left of the prize of an entry."""

    entry = Integer(min_value=1, help_text="Its number.")
    cents = Integer(
        min_value=0, help_text="The money that is left of it; refused if that has changed."
    )
    stage = Integer(
        min_value=1, required=False, allow_null=True, help_text="Of a prize for places of a stage."
    )
    payee = Text(required=False, help_text="Who took it; left out: the entry.")


class HandedOut(ChangedTournament):
    """The tournament as it stands now, and what was noted."""

    lines = serializers.ListField(
        child=Count(),
        required=False,
        help_text="Of the cash book: the money, and each of the goods.",
    )


class SeasonPrizeKept(StrictSerializer):
    """A prize of a season for each of the places from `first` to `last`; 0 to 0 is everybody."""

    first = Integer(checked=False)
    last = Integer(checked=False)
    cents = Integer(checked=False, required=False, allow_null=True, help_text="Money, in cents.")
    times = Integer(
        checked=False,
        required=False,
        help_text="For everybody who came so many times; 0: for all.",
    )
    text = Text(required=False, help_text="Goods, or what else it is.")


class SeasonPrizesKept(StrictSerializer):
    """A list of prizes that takes the place of the season's present one, in its order."""

    lines = SeasonPrizeKept(many=True)


class SeasonPrizeLine(serializers.Serializer[object]):
    """A prize of a season for each of the places from `first` to `last`; 0 to 0 is everybody."""

    first = Count()
    last = Count()
    cents = Count(allow_null=True, help_text="Money, in cents.")
    times = Count(help_text="For everybody who came so many times; 0: for all.")
    text = serializers.CharField(help_text="Goods, or what else it is; or empty.")


class SeasonPrizeRecipient(serializers.Serializer[object]):
    """A pair or player that gets a prize by the table of a season as it stands."""

    place = Count(help_text="0 where it is for having come so many times.")
    name = serializers.CharField()
    cents = Count(help_text="Money, in cents.")
    goods = serializers.ListField(child=serializers.CharField())
    shared = Count(help_text="How many share the place.")
    times = Count(help_text="How often one had to come for it; 0: it is by place.")
    by_lot = serializers.BooleanField(help_text="A lot decided who gets which goods.")


class SeasonPrizes(serializers.Serializer[object]):
    """The prizes of a season, and who gets them by its table as it stands."""

    lines = SeasonPrizeLine(many=True)
    recipients = SeasonPrizeRecipient(many=True)
