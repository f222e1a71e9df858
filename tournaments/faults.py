"""What the replay may find wrong with a record, in words, by the codes of the record format."""

import re
from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.errors import Reason

RECORD_FAULTS: Final[Mapping[str, str | Promise]] = {
    "record.syntax": _("The body is not strict JSON; `reason` says in which way."),
    "record.format": _("The body is not one object of the format `baza/1`."),
    "record.ruleset": _("The ruleset is not known."),
    "record.option": _("An option is unknown, or its value is not possible."),
    "record.seats": _("The seats are not a name for each seat of the ruleset."),
    "record.field": _("A field is missing, unknown, or of the wrong type."),
    "record.limit": _(
        "The body, its nesting, a text, or the number of hands or tokens is too large."
    ),
    "deal.card": _("A card of the deal does not exist."),
    "deal.duplicate": _("A card was dealt twice."),
    "deal.missing": _("A card was dealt to nobody."),
    "deal.size": _("A seat has too many or too few cards."),
    "deal.trump": _("The card that shows trumps is not where it must be."),
    "deal.dealer": _("It was another seat's turn to deal."),
    "play.token": _("A token of the play is neither a card nor a call."),
    "play.not_held": _("The seat does not hold the card it played."),
    "play.must_follow": _("The seat could follow suit and did not."),
    "play.must_head": _("The seat could beat the winning card and did not."),
    "play.must_trump": _("The seat had to trump and did not."),
    "play.must_overtrump": _("The seat could beat the winning trump and did not."),
    "play.incomplete": _("The play of a hand stops before its end."),
    "play.after_end": _("Something follows the end of a hand."),
    "declare.not_held": _("The seat does not hold the cards it declared."),
    "declare.window": _("A declaration came at the wrong moment."),
    "declare.repeated": _("The same was declared before."),
    "declare.order": _("Another declaration had to come first."),
    "declare.limit": _("The seat has declared already after this trick."),
    "declare.forfeited": _("The right to this declaration was lost earlier."),
    "declare.not_admitted": _("The ruleset does not know this declaration."),
    "exchange.not_admitted": _("The ruleset knows no exchange."),
    "exchange.window": _("The exchange is not possible at this moment."),
    "exchange.no_trick": _("Who exchanges must have won a trick."),
    "exchange.not_held": _("The seat does not hold the trump it exchanges."),
    "exchange.upcard": _("The upcard is not one that this trump is exchanged for."),
    "claim.not_admitted": _("The ruleset knows no claim."),
    "claim.window": _("A claim or a capote came at the wrong moment."),
    "support.not_admitted": _("The ruleset knows no plate."),
    "support.window": _("Whether a seat supports was said out of turn, or not said in time."),
    "score.points": _("The stated points of a hand differ from the replay."),
    "score.winner": _("The stated winner of a hand differs from the replay."),
    "score.match": _("The stated score or winner of the match differs from the replay."),
    "score.impossible": _("No play can give the stated points."),
    "match.over": _("A hand follows the end of the match."),
}
"""What the replay finds wrong with a record, by the codes of the record format."""

PARAMETER: Final = re.compile(r"%\(\w+\)s")


def sentence_of(code: str) -> str:
    """Return what the code of a refusal or of a record's fault means, without its facts."""
    if code in RECORD_FAULTS:
        return str(RECORD_FAULTS[code])
    reason = next((reason for reason in Reason if reason.code == code), None)
    return code if reason is None else PARAMETER.sub("…", str(reason.text))
