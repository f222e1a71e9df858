"""What analysing the hands has found."""

from rest_framework import serializers

import engine
from tournaments.core.api.serializers import Count, Counts
from tournaments.director.serializers.tournaments import Tournament

STATES = ("", "waiting", "done", "nothing_to_analyse", "failed")

MARKS = ("", "slip", "mistake", "blunder")

SIGNS = ("", "?!", "?", "??")

DECISIONS = ("", "deal", "card")

JUDGEMENTS = ("", "bad_luck", "unclear", "mistake")

VERDICTS = ("", "inaccuracy", "mistake", "decisive", "bad_luck", "lucky")

ROLES = ("mano", "dealer_partner", "mano_partner", "dealer")


class Points(serializers.IntegerField):
    """Points over those of the other side; negative where they are fewer."""


class Mean(serializers.Serializer[object]):
    """A mean with its 95 % interval."""

    mean = serializers.FloatField()
    low = serializers.FloatField(allow_null=True, help_text="Null where too few to tell.")
    high = serializers.FloatField(allow_null=True)
    observed = Count(help_text="How many values it is the mean of.")


class HandLoss(serializers.Serializer[object]):
    """What a card cost of the hand: in how many deals its side wins with best play by all."""

    hand_loss = serializers.FloatField(
        allow_null=True,
        help_text="Share of deals won after `hand_best` and lost after this card; null where"
        " nothing was to choose, and where points alone do not decide the hand.",
    )
    hand_error = serializers.FloatField(
        allow_null=True, help_text="Its standard error; 0 where all possible deals were looked at."
    )
    hand_best = serializers.CharField(help_text="The card that wins most deals; else empty.")
    hand_wins = Count(allow_null=True, help_text="Deals of `hand_deals` won after this card.")
    hand_best_wins = Count(allow_null=True, help_text="Deals won after `hand_best`.")
    hand_deals = Count(
        allow_null=True, help_text="Deals that the player could not tell apart; no probability."
    )
    hand_every = serializers.BooleanField(help_text="Whether no other deals were possible.")


class Play(HandLoss):
    """A card that was played, and what it cost, in points and of the hand."""

    token = Count(help_text="Its place among the tokens of the hand, from 0.")
    trick = Count()
    seat = serializers.CharField()
    card = serializers.CharField()
    legal = Count(help_text="How many cards might have been played; 1 was forced.")
    open_loss = Count(help_text="Against best play with all cards seen.")
    open_best = serializers.CharField(help_text="A card that loses nothing so.")
    fair_loss = serializers.FloatField(
        allow_null=True,
        help_text="On average over deals that the player could not tell apart; null in the first"
        " tricks and where nothing was to choose.",
    )
    fair_error = serializers.FloatField(allow_null=True, help_text="Its standard error.")
    fair_best = serializers.CharField(help_text="The best card for these deals; else empty.")
    mark = serializers.ChoiceField(MARKS, help_text="Given only where both losses say so.")
    sign = serializers.ChoiceField(SIGNS)
    better = serializers.CharField(help_text="The card that was better; empty without a mark.")
    gain = serializers.FloatField(
        allow_null=True, help_text="What `better` gained fairly over `deals`; null without a mark."
    )
    gain_error = serializers.FloatField(allow_null=True, help_text="Its standard error.")
    deals = Count(allow_null=True, help_text="Deals drawn for the mark.")
    stable = serializers.BooleanField(
        help_text="False where two standard errors reach a harsher mark, or a first one."
    )
    hand_part = serializers.CharField(
        help_text="What makes at least half of a severe loss: `trick`, `last` (the last ten) or a"
        " card; else empty."
    )
    hand_part_outcome = serializers.ChoiceField(
        ("", *engine.PART_OUTCOMES),
        allow_null=True,
        help_text="What happens to that card in most of `hand_changes` deals, one of the own side"
        " or of theirs; null where it was not asked for.",
    )
    hand_part_points = serializers.FloatField(
        allow_null=True, help_text="Points that it makes on average over `hand_changes` deals."
    )
    hand_gain = serializers.FloatField(
        allow_null=True, help_text="Points that `hand_best` makes more over these deals."
    )
    hand_changes = Count(allow_null=True, help_text="Deals in which the hand changes sides.")
    judgement = serializers.ChoiceField(
        VERDICTS,
        help_text="By `hand_loss`: surely a tenth, a fifth, two fifths of the hand; or luck, which"
        " is not counted.",
    )


class DecidingCard(serializers.Serializer[object]):
    """The card that decided a hand: the last after which the winners win it with best play."""

    token = Count()
    trick = Count()
    seat = serializers.CharField()
    card = serializers.CharField()
    before = Points(help_text="At the end of the hand with best play by all, before the card.")
    after = Points(help_text="The same after it; both of the side that played it.")
    judgement = serializers.ChoiceField(
        JUDGEMENTS,
        help_text="By what its player could know; `unclear` where the deals leave it so.",
    )
    cost = serializers.FloatField(
        allow_null=True,
        help_text="In points, on average over `deals` that the player could not tell apart; null in"
        " the first tricks.",
    )
    error = serializers.FloatField(allow_null=True, help_text="Its standard error.")
    better = serializers.CharField(help_text="The best card for these deals, in points.")
    deals = Count(allow_null=True)
    hand = HandLoss(source="play", help_text="What it cost of the hand: `judgement` is by that.")


class Scale(serializers.Serializer[object]):
    """The share of par that counts as luck, and how it was measured."""

    value = serializers.FloatField()
    margin = serializers.FloatField(help_text="Half its 95 % interval.")
    hands = Count(help_text="Over how many hands it was measured.")


class Scaled(serializers.Serializer[object]):
    """Luck and play where only `scale` of par counts as luck: the figures that pages show."""

    luck = serializers.FloatField()
    error = serializers.FloatField(help_text="Half the 95 % interval of both, from the scale's.")
    skill = serializers.FloatField()
    a_hand = Mean(help_text="`skill` a hand.")


class SideMargin(serializers.Serializer[object]):
    """A side's points over the other's: `result` = `luck` + `skill`."""

    side = serializers.CharField()
    name = serializers.CharField()
    par = Points(help_text="Cards and last trick with best play, from where all is known.")
    result = Points()
    luck = Points(help_text="What best play by all would have come to.")
    skill = Points(help_text="What play won.")
    scaled = Scaled()


class SeatLoss(serializers.Serializer[object]):
    """What the cards of one seat cost."""

    seat = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(ROLES)
    open_loss = Count()
    fair_loss = serializers.FloatField()
    choices = Count(help_text="Cards that were not forced and whose fair loss is known.")
    marks = Counts(help_text="How many cards got each mark.")


class HandAnalysis(serializers.Serializer[object]):
    """The analysis of one hand; the lists are empty until it is done."""

    match = Count(source="match_pk", help_text="Under `/matches/{id}/`.")
    number = Count()
    state = serializers.ChoiceField(STATES, help_text="Empty where nobody has asked for it.")
    code = serializers.CharField(help_text="Why there is nothing, or why it was given up.")
    version = Count(allow_null=True, help_text="Of the analysis; figures change only with it.")
    worlds = Count(help_text="Deals that each fair loss is an average over.")
    judged = serializers.BooleanField(
        help_text="False while chances are of a first sample and cards have no `judgement` yet."
    )
    first = Count(help_text="The token from which on all is known: 0 where there is no stock.")
    sides = SideMargin(many=True)
    plays = Play(many=True)
    seats = SeatLoss(many=True)
    decided_by = serializers.ChoiceField(
        DECISIONS,
        help_text="`card`: the `turn`; `deal`: the winners had it won with best play throughout.",
    )
    turn = DecidingCard(allow_null=True)
    scale = Scale()
    line = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="One line of best play from `first` on, trick by trick.",
    )


class LuckRow(serializers.Serializer[object]):
    """An entry's points over its opponents' in the analysed hands."""

    rank = Count()
    number = Count(help_text="Of the entry.")
    name = serializers.CharField()
    matches = Count()
    hands = Count()
    result = Points()
    luck = Points(help_text="What the deals were worth with best play by all.")
    skill = Points(help_text="The luck-adjusted result: what play won.")
    a_hand = Mean(help_text="`skill` a hand.")
    scaled = Scaled(help_text="The order of the rows.")


class Luck(serializers.Serializer[object]):
    """A tournament with the luck of the deals taken off, the most skilful by `scaled` first."""

    tournament = Tournament(source="head")
    analysed = Count(help_text="Hands that are analysed.")
    total = Count(help_text="Hands that could be.")
    scale = Scale()
    rows = LuckRow(many=True)


class RoleFigures(serializers.Serializer[object]):
    """The average loss a hand in one role."""

    role = serializers.ChoiceField(("", *ROLES), help_text="Empty: all hands.")
    hands = Count()
    open = Mean(help_text="Against best play with all cards seen.")
    fair = Mean(
        help_text="Given what could be known, over the choices of a hand; of a first sample, so "
        "somewhat too large."
    )
    hand_loss = Mean(
        allow_null=True,
        help_text="Share of the hand, of 1, by deals in which no card was chosen as the best.",
    )
    choices = Count()
    slips = Count()
    mistakes = Count()
    blunders = Count()
    judgements = Counts(help_text="Cards by severity, in the hands judged by their chance.")


class Figures(serializers.Serializer[object]):
    """The play of one competitor over the analysed hands: all of them first, then by role."""

    name = serializers.CharField()
    player = serializers.IntegerField(allow_null=True)
    bot = serializers.CharField()
    ruleset = serializers.CharField(help_text="Empty: all of them.")
    rows = RoleFigures(many=True, help_text="Empty without an analysed hand.")
