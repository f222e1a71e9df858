"""Texts of detailed faults by code: in a record, a list, a draw, a name and so on."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
    "play.leader": _("Another seat leads the trick than the text says."),
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
"""Faults that the replay finds in a record, by the codes of the record format."""

IMPORT_FAULTS: Final[dict[str, str | Promise]] = {
    "too_large": _("the list is larger than %(text)s bytes"),
    "bad_encoding": _("the file is no text (byte %(text)s): save it as CSV or as text"),
    "bad_csv": _("this is not CSV: %(text)s"),
    "unknown_column": _("unknown column: %(text)s; the columns are %(accepted)s"),
    "missing_column": _("missing column: %(text)s"),
    "players_unknown": _("it is not clear which columns hold the players: say what each holds"),
    "duplicate_column": _("a column comes twice: %(text)s"),
    "not_two_names": _("a pair is two names with ; or a comma between them; here are %(text)s"),
    "wrong_number": _("%(text)s players, which is not as many as an entry has"),
    "wrong_columns": _("%(text)s fields, which is not as many as the heading has"),
    "code_missing": _("the code is missing"),
    "code_too_long": _("the code is too long: %(text)s"),
    "name_missing": _("the name is missing"),
    "name_too_long": _("the name is too long: %(text)s"),
    "bad_character": _("an invisible character: %(text)s"),
    "duplicate_code": _("the code comes twice: %(text)s"),
    "duplicate_name": _("the name comes twice: %(text)s"),
    "name_taken": _("another of the club has this name: %(text)s"),
    "same_player_twice": _("a pair is two players: %(text)s comes twice"),
    "player_in_two_pairs": _("%(text)s is in two pairs"),
    "unknown_player": _("no player has the code %(text)s"),
    "pair_in_play": _("%(text)s is playing: its players cannot change"),
    "was_erased": _("%(text)s belongs to a person who was erased: leave the line out"),
    "bad_rating": _("this is no rating: %(text)s"),
    "ambiguous_rating": _("%(text)s may be thousands or decimals: say which it is"),
    "two_ratings": _("the two players of a pair have different ratings: %(text)s"),
    "already_entered": _("%(text)s has already been entered"),
    "in_another_pair": _("%(text)s plays in another pair of this tournament"),
    "too_many": _("more entries than the %(text)s there can be"),
    "name_telephone": _("“%(text)s” holds the number of a telephone or an identity card"),
    "name_mail": _("“%(text)s” holds an e-mail address"),
    "name_address": _("“%(text)s” holds a web address"),
    "name_money": _("“%(text)s” holds an amount of money"),
    "name_bracket": _("is “%(text)s” the name of a person? It holds a bracket"),
    "name_sign": _("is “%(text)s” the name of a person? It holds a digit or a sign"),
    "name_open": _("is “%(text)s” a person? It reads as if that were still open"),
    "name_remark": _("is “%(text)s” the name of a person? It ends with a remark"),
    "name_greeting": _("is “%(text)s” a person? It reads as a greeting"),
    "line_remark": _("is “%(text)s” one person? It reads as two, or as a remark"),
    "line_struck": _("does it play? It is struck out or has a mark"),
    "line_below": _("does it play? It stands below “%(text)s”"),
    "line_label": _("does it play? Before it stands “%(text)s”"),
    "line_inverted": _("are these two persons? It may be one with the surname first: %(text)s"),
    "file_sheet": _(
        "this is a spreadsheet: save it there as CSV, or copy its cells and paste them"
    ),
    "file_packed": _("this is a packed file: unpack it and bring the list in it"),
    "file_pdf": _("this is a PDF: copy the names in it and paste them"),
    "file_record": _("this is a record of hands: bring it to “Hand in a record”"),
    "file_deal": _("this is a file of deals (PBN): it holds no list"),
    "file_report": _("this is a FIDE report: bring it to “Bring a tournament from elsewhere”"),
    "file_html": _("this is a web page, whatever its name: save it as CSV in a spreadsheet"),
    "misread_letters": _("letters were read wrongly: %(text)s"),
    "misread_name": _("“%(text)s” has lost a letter"),
}
"""Faults of a line of an imported list, by code."""

WAITING_FOR: Final = _(
    "there is no result, or it is not decided who goes on from a level match: %(tables)s"
)
"""For ``waiting``, where the tables are known."""

DRAW_FAULTS: Final[dict[str, str | Promise]] = {
    "too_few": _(
        "at least %(least)s entries are needed; those who left or asked for a bye do not count"
    ),
    "too_many": _("there can be %(most)s entries at most"),
    "bad_size": _(
        "%(players)s do not fill the tables; the nearest number that does is %(nearest)s"
    ),
    "stage_over": _("the stage is over"),
    "waiting": _("results are missing"),
    "source_open": _(
        "stage %(stage)s, which fills it, is not over. Beside a stage that goes on are played "
        "boards of a knock-out or a double elimination for those who are out, board B of Three "
        "ceros once as few are still in as it says, and boards of one table"
    ),
    "order_missing": _("the order drawn by hand has not been entered"),
    "shared_place": _("these share the last place that goes on: %(entrants)s"),
    "too_many_rounds": _("a stage can have %(most)s rounds at most"),
    "final_rests": _(
        "nobody would play the final, for a bye was granted: %(entrants)s. Cancel the bye of the "
        "entry that plays"
    ),
}
"""Why a round cannot be drawn, by the code of the domain (`CannotDraw`)."""

PROGRAM_FAULTS: Final[dict[str, str | Promise]] = {
    "empty": _("it is empty"),
    "too_large": _("it is larger than %(text)s bytes"),
    "bad_encoding": _("it is not UTF-8 (byte %(text)s)"),
    "bad_character": _("it holds the character of code zero"),
    "unknown_language": _("there is no language “%(text)s”"),
    "bad_command": _("its command cannot be run (%(text)s)"),
}
"""Why a text or a command cannot be a version of a bot, by code."""

ADDRESS_FAULTS: Final[dict[str, str | Promise]] = {
    "unreadable": _("it is no address, or holds characters that none has"),
    "too_long": _("it is too long"),
    "not_https": _("it does not begin with https://"),
    "names_somebody": _("it holds a user name or a password"),
    "bad_host": _("its host is no name of the usual form"),
    "bad_port": _("its port is another service's: use 443, or one from 1024 on"),
    "private": _("its host belongs to a private network"),
}
"""Why nothing is sent to a webhook's address, by code."""

NAME_FAULTS: Final[dict[str, str | Promise]] = {
    "name_missing": _("it is empty"),
    "name_too_long": _("it is too long"),
    "bad_character": _("it holds an invisible character"),
    "name_telephone": _("it holds the number of a telephone or an identity card"),
    "name_mail": _("it holds an e-mail address"),
    "name_address": _("it holds a web address"),
    "name_money": _("it holds an amount of money"),
    "name_bracket": _("it holds a bracket"),
    "name_sign": _("it holds a digit or a sign"),
    "name_open": _("it reads as if that were still open"),
    "name_remark": _("it ends with a remark"),
    "name_greeting": _("it reads as a greeting"),
}
"""Faults and doubts of a name, by code."""

FAULT_STATUS: Final = {"record.ruleset": 422, "record.option": 422, "play.leader": 422}
"""HTTP status of the faults that concern the content; a record that is none is a bad request."""

ROWS = "rows"
"""The ``file`` of a fault in entries that came over the API: its line is the number of the row."""
