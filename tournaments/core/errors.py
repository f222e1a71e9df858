"""The table of all refusals: stable codes, statuses and texts, and their exception.

The code and the HTTP status are public and never change their meaning; the text is translated when
it is shown. A record that the engine refuses is answered with the engine's own code (``play.…``).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.faults import IMPORT_FAULTS, RECORD_FAULTS


class Reason(Enum):
    """Code, HTTP status and text of each refusal; ``%(…)s`` are filled in from its parameters."""

    # requests that no service sees
    BAD_REQUEST = "bad_request", 400, _("The request cannot be read.")
    BAD_PARAMETER = (
        "bad_parameter",
        400,
        _("The parameter “%(name)s” is missing or not possible here."),
    )
    KEY_MISSING = (
        "idempotency_key_missing",
        400,
        _("Send the header Idempotency-Key: the same key with every attempt of one submission."),
    )
    METHOD_NOT_ALLOWED = "method_not_allowed", 405, _("This address does not know %(method)s.")
    NOT_ACCEPTABLE = "not_acceptable", 406, _("Answers are in %(kind)s here.")
    PRECONDITION_FAILED = (
        "precondition_failed",
        412,
        _("It has changed since you read it: read it again, and send its ETag in If-Match."),
    )
    TOO_LARGE = "too_large", 413, _("The request is too large: at most %(most)s at once.")
    UNSUPPORTED_MEDIA_TYPE = (
        "unsupported_media_type",
        415,
        _("Send the body as %(kind)s in UTF-8, not compressed."),
    )
    PRECONDITION_REQUIRED = (
        "precondition_required",
        428,
        _("Send the header If-Match: the ETag of what you have read and want to change."),
    )
    THROTTLED = "throttled", 429, _("Too many requests: wait %(seconds)s seconds.")
    INTERNAL_ERROR = "internal_error", 500, _("This is a fault of ours. It has been written down.")
    DISK_FULL = (
        "disk_full",
        507,
        _("The disk of the service is full: it stored nothing. Tell its operator."),
    )
    UNAVAILABLE = "unavailable", 503, _("The database does not answer. Try again shortly.")
    TOO_MANY_STREAMS = (
        "too_many_streams",
        503,
        _("Too many follow at the moment. Try again shortly, or ask now and then."),
    )

    # authentication and permissions
    SIGN_IN = "sign_in", 401, _("Sign in first.")
    BAD_TOKEN = "bad_token", 401, _("This token is not valid.")
    FORBIDDEN = "forbidden", 403, _("You may not do this.")
    OWN_TABLE = "own_table", 403, _("An arbiter does not rule on a match in which they play.")
    NOT_FOUND = "not_found", 404, _("There is nothing at this address.")

    # accounts
    SECOND_FACTOR = "second_factor", 403, _("Set up your second factor first: organisers need one.")
    WRONG_PASSWORD = "wrong_password", 422, _("This is not your password.")
    BAD_PASSWORD = "bad_password", 422, _("This password will not do: %(why)s")
    BAD_USERNAME = "bad_username", 422, _("“%(text)s” cannot be a user name: %(why)s")
    BAD_ADDRESS = "bad_address", 422, _("“%(text)s” is no e-mail address.")
    ADDRESS_TAKEN = "address_taken", 409, _("Another account has this e-mail address.")
    # Unused since workers send the mails; a published code stays.
    MAIL_NOT_SENT = "mail_not_sent", 503, _("The mail could not be sent: try again later.")
    WRONG_ONE_TIME_CODE = "wrong_one_time_code", 422, _("This is not the code, or it was used.")
    ONE_TIME_CODES_CLOSED = (
        "one_time_codes_closed",
        429,
        _("Too many wrong codes: wait a quarter of an hour."),
    )
    LAST_ORGANISER = (
        "last_organiser",
        409,
        _("The club needs an organiser: name another one first."),
    )
    LAST_SUPERUSER = (
        "last_superuser",
        409,
        _("The service needs a superuser: make another account one first."),
    )
    ALREADY_MEMBER = "already_member", 409, _("You have this role in the club already.")
    PLAYER_HAS_ACCOUNT = "player_has_account", 409, _("“%(text)s” has an account already.")
    BAD_INVITATION = (
        "bad_invitation",
        422,
        _("An invitation is good for 1 to %(days)s days and 1 to %(uses)s people."),
    )
    INVITER_NOT_ORGANISER = (
        "inviter_not_organiser",
        409,
        _("Its author may no longer invite people to the club. Ask an organiser for a new one."),
    )
    STILL_PLAYS = (
        "still_plays",
        409,
        _("Has an entry in a tournament that is not over: %(text)s. Withdraw it first."),
    )
    ALREADY_ERASED = "already_erased", 409, _("This player has been erased already.")
    MERGED_WITH_ITSELF = "merged_with_itself", 409, _("Choose another one than “%(text)s” itself.")
    MERGED_ALREADY = (
        "merged_already",
        409,
        _("“%(text)s” is merged into another one already. Separate the two first."),
    )
    OTHERS_MERGED = (
        "others_merged",
        409,
        _("Others are merged into “%(text)s”: let that one stay, or separate them first."),
    )
    PLAYED_TOGETHER = (
        "played_together",
        409,
        _("They cannot be the same: both were entered at once in %(text)s."),
    )
    ACCOUNT_STAYS = "account_stays", 409, _("“%(text)s” has an account: let that one stay.")
    OTHER_PAIR = (
        "other_pair",
        409,
        _("“%(text)s” is a pair of other people. Merge the people first."),
    )
    NOT_MERGED = "not_merged", 409, _("“%(text)s” is not merged into another one.")
    SPLIT_UNFINISHED = (
        "split_unfinished",
        409,
        _("“%(text)s” is not over: its entry can go to another person when it is."),
    )
    NOT_LISTED = (
        "not_listed",
        503,
        _("Nothing was erased: the service cannot write its list of erasures. Tell its operator."),
    )
    BAD_TERM = "bad_term", 422, _("A token is good for 1 to %(days)s days.")

    # clubs and people
    BAD_NAME = "bad_name", 422, _("“%(text)s” cannot be a name: %(why)s")
    DOUBTFUL_NAME = (
        "doubtful_name",
        422,
        _("Is “%(text)s” the name of a person? %(why)s. If it is, say so."),
    )
    BAD_SLUG = "bad_slug", 422, _("“%(text)s” cannot be a short name: use a-z, 0-9 and hyphens.")
    SLUG_TAKEN = "slug_taken", 409, _("The short name “%(text)s” is taken.")
    NAME_TAKEN = "name_taken", 409, _("The name “%(text)s” is taken.")
    CLUB_ALIKE = "club_alike", 409, _("There is a club with nearly the same name: %(text)s.")
    UNKNOWN_ROLE = "unknown_role", 422, _("There is no role “%(text)s”.")
    UNKNOWN_SCOPE = "unknown_scope", 422, _("There is no scope “%(text)s”.")
    IMPORT_REFUSED = (
        "import_refused",
        422,
        _("Nothing was imported. Faults in the lists: %(count)s."),
    )
    WHO_IS_THIS = (
        "who_is_this",
        422,
        _("Nothing was stored: it is not clear who is meant by %(text)s."),
    )
    NOTHING_LISTED = "nothing_listed", 422, _("The list is empty.")
    BATCH_REFUSED = (
        "batch_refused",
        422,
        _("Nothing was accepted: %(count)s of %(of)s lines are at fault."),
    )
    BAD_EXPORT = "bad_export", 422, _("The file cannot be imported. In %(where)s: %(why)s")
    DEALS_SECRET = (
        "deals_secret",
        409,
        _("Other tables have still to play deals of these rounds: the proof follows afterwards."),
    )
    NO_REPORT = "no_report", 409, _("There is no FIDE report of this. In %(where)s: %(why)s")
    OTHER_CLUB = "other_club", 422, _("“%(text)s” belongs to another club.")
    BAD_PICTURE = (
        "bad_picture",
        422,
        _(
            "This cannot be kept as a picture: JPEG, PNG or WebP with at most 25 megapixels and"
            " 20 MB."
        ),
    )
    BAD_COLOUR = (
        "bad_colour",
        422,
        _(
            "A colour is written like #b47c10, and is neither too light for the light pages nor"
            " too dark for the dark ones."
        ),
    )

    # tournaments
    UNKNOWN_RULESET = "unknown_ruleset", 422, _("There is no ruleset “%(text)s”.")
    UNKNOWN_FORMAT = "unknown_format", 422, _("There is no format “%(text)s”.")
    BAD_OPTIONS = "bad_options", 422, _("The option “%(text)s” is not possible.")
    BAD_TURNS = "bad_turns", 422, _("A stage has from 1 to %(most)s turns.")
    BAD_STAGE = "bad_stage", 422, _("The stage cannot be played like this: %(text)s")
    WRONG_SEATS = (
        "wrong_seats",
        422,
        _("The format “%(text)s” does not fit the number of seats of these rules."),
    )
    UNEVEN_DEALS = (
        "uneven_deals",
        422,
        _("Everybody deals as often at a table: plan %(expected)s deals, or a multiple of these."),
    )
    CANNOT_DRAW = "cannot_draw", 409, _("No round can be drawn: %(why)s")
    BAD_ORDER = "bad_order", 422, _("The order must name every entry of the draw, each once.")
    STAGE_NOT_DRAWN = "stage_not_drawn", 409, _("The stage has not been drawn.")
    STAGE_BEGUN = "stage_begun", 409, _("The stage has been drawn already.")
    STAGE_PUBLISHED = (
        "stage_published",
        409,
        _("A round of the stage is published: go back to before that first."),
    )
    NOTHING_TO_DRAW = "nothing_to_draw", 409, _("All rounds have been drawn.")
    NOT_A_DRAFT = (
        "not_a_draft",
        409,
        _("The rounds are drawn: the entries cannot change any more."),
    )
    ROUNDS_DRAWN = (
        "rounds_drawn",
        409,
        _(
            "The rounds are drawn: this is possible in a draft alone. “Undo” makes it a draft again"
            " as long as nothing has been played."
        ),
    )
    AFTER_MISSING = (
        "after_missing",
        409,
        _("The tournament is running: give `after`, the number of its last round."),
    )
    NOT_RUNNING = "not_running", 409, _("The tournament is not running.")
    TOO_FEW_ENTRIES = "too_few_entries", 409, _("At least %(least)s entries are needed.")
    TOO_MANY_ENTRIES = "too_many_entries", 409, _("There can be %(most)s entries at most.")
    ALREADY_ENTERED = "already_entered", 409, _("“%(text)s” has already been entered.")
    PLAYER_TWICE = "player_twice", 409, _("%(text)s would play in two pairs.")
    WRONG_UNIT = "wrong_unit", 409, _("“%(text)s” cannot enter: here %(unit)s enter.")
    BOTS_ONLY = (
        "bots_only",
        409,
        _("This is for tournaments of bots alone, and “%(text)s” is no bot."),
    )
    NO_LATE_ENTRY = "no_late_entry", 409, _("Nobody can enter this stage any more.")
    ENTRY_IN_PLAY = "entry_in_play", 409, _("“%(text)s” is in the draw: withdraw it instead.")
    ALREADY_POSTED = "already_posted", 409, _("The tournament is posted already.")
    NOT_POSTED = "not_posted", 409, _("The tournament is not posted.")
    ALREADY_CANCELLED = "already_cancelled", 409, _("The tournament is cancelled already.")
    TOURNAMENT_CANCELLED = "tournament_cancelled", 409, _("The tournament is cancelled.")
    TOURNAMENT_BEGUN = (
        "tournament_begun",
        409,
        _("A round is published: what has begun is finished, not cancelled."),
    )
    HAS_SIGN_UPS = (
        "has_sign_ups",
        409,
        _("People have signed up or paid: cancel the tournament instead."),
    )
    REQUESTS_DO_NOT_FIT = (
        "requests_do_not_fit",
        409,
        _("Here %(unit)s would enter. Tickets that no longer fit: %(text)s."),
    )
    PLAN_LEAVES_OUT = (
        "plan_leaves_out",
        409,
        _("The plan has no place for: %(text)s."),
    )
    SIGN_UP_CLOSED = "sign_up_closed", 409, _("Nobody can sign up here now.")
    WAITING_LIST_FULL = (
        "waiting_list_full",
        409,
        _("The waiting list is full: ask the organiser."),
    )
    CONTACTS_KEPT = (
        "contacts_kept",
        409,
        _("The deletion of the contacts was put off already: it can be once."),
    )
    SIGN_UP_NOT_CLOSED = "sign_up_not_closed", 409, _("The sign-up is open.")
    BAD_SIGN_UP = "bad_sign_up", 422, _("The sign-up cannot be set like this: %(text)s")
    BAD_SOURCE = (
        "bad_source",
        422,
        _("“%(text)s” cannot lead here: it has other entrants, is of another club or this one."),
    )
    SOURCE_USED = (
        "source_used",
        409,
        _("Tickets have come from “%(text)s”: pass their places on instead."),
    )
    SHARED_PLACE = (
        "shared_place",
        409,
        _("The last place that comes through is shared (%(text)s): say who comes, or draw lots."),
    )
    WRONG_NAMES = "wrong_names", 422, _("Names that are needed here: %(count)s.")
    SAME_PERSON_TWICE = (
        "same_person_twice",
        422,
        _("A pair is two persons: “%(text)s” stands there twice."),
    )
    CONDITION_MISSING = "condition_missing", 422, _("Tick first: %(text)s")
    CONTACT_MISSING = "contact_missing", 422, _("Give a telephone number or an e-mail address.")
    QUOTA_USED = "quota_used", 409, _("This link is used up: %(most)s have signed up with it.")
    REQUEST_LEFT = "request_left", 409, _("This ticket is off the list.")
    REQUEST_ENTERED = (
        "request_entered",
        409,
        _("The list is closed and this ticket entered: tell the organiser."),
    )
    NAME_CHANGED = (
        "name_changed",
        409,
        _("One of the names was changed already: tell the organiser."),
    )
    NOT_SINGLE = "not_single", 409, _("Only two tickets that look for a partner can be joined.")
    BAD_AMOUNT = "bad_amount", 422, _("An amount here is between 0.01 € and %(most)s €.")
    NOTHING_OWED = "nothing_owed", 409, _("Nothing is owed here.")
    NOTHING_TO_RETURN = "nothing_to_return", 409, _("Nothing that was paid can be returned here.")
    OWED_CHANGED = (
        "owed_changed",
        409,
        _("What is owed has changed since the page was shown: look again."),
    )
    ALREADY_REVERSED = "already_reversed", 409, _("This line is reversed already.")
    NOT_REVERSIBLE = (
        "not_reversible",
        409,
        _("This line reverses another and stays: note the amount again."),
    )
    TOURNAMENT_OVER = "tournament_over", 409, _("The tournament is over.")
    CHECK_IN_CLOSED = "check_in_closed", 409, _("The check-in is closed.")
    BAD_CODE = "bad_code", 404, _("No entry has this code.")
    TOO_MANY_TRIES = "too_many_tries", 429, _("Too many tries: wait a minute.")
    BUSY = "busy", 503, _("Too many ask for this at the moment: try again in a few seconds.")
    UNKNOWN_CHOICE = "unknown_choice", 422, _("There is no choice “%(text)s”.")
    ALREADY_AWAY = "already_away", 409, _("“%(text)s” has left already.")
    NOT_AWAY = "not_away", 409, _("“%(text)s” has not left.")
    EXPELLED = "expelled", 409, _("“%(text)s” was expelled; an organiser can revoke that.")
    ROUND_PUBLISHED = "round_published", 409, _("Round %(round)s is published already.")
    BYE_ASKED = "bye_asked", 409, _("A bye in round %(round)s was asked for already.")
    BYE_QUOTA = "bye_quota", 409, _("An entry may ask for %(most)s byes at most.")
    UNKNOWN_PLAYER = (
        "unknown_player",
        422,
        _("“%(text)s” is neither the code nor the name of a player of the club."),
    )
    NOT_IN_ENTRY = (
        "not_in_entry",
        409,
        _("Only a player of the entry is substituted: “%(text)s” is none of it now."),
    )
    NO_SHARED_PLACE = "no_shared_place", 409, _("No place is shared: there is no lot to draw.")
    NO_SUCH_ROUND = (
        "no_such_round",
        422,
        _("There is no round %(round)s: the last one is %(last)s."),
    )
    BAD_ROUNDS = "bad_rounds", 422, _("These are no rounds from one until a later one.")
    BAD_DAYS = "bad_days", 422, _("The days cannot be planned so: %(why)s.")
    BAD_PENALTY = "bad_penalty", 422, _("This cannot be a penalty: give a round and what it takes.")
    ALREADY_REVOKED = "already_revoked", 409, _("The penalty has been revoked already.")
    NOT_PLANNED_AHEAD = (
        "not_planned_ahead",
        409,
        _("Its rounds follow from results: only rounds drawn ahead are planned again."),
    )
    ROUND_BEGUN = (
        "round_begun",
        409,
        _("Round %(round)s or a later one has begun: what was played stays as it is."),
    )
    ROUND_NOT_DRAFT = "round_not_draft", 409, _("Round %(round)s has been published already.")
    DRAFT_CHANGED = (
        "draft_changed",
        409,
        _("The draft has changed since you saw it: look at it and change it again."),
    )
    EARLIER_DRAFT = (
        "earlier_draft",
        409,
        _("Round %(round)s is still a draft: publish it first."),
    )
    DRAFT_OUTDATED = (
        "draft_outdated",
        409,
        _(
            "Round %(round)s is outdated: it would be drawn otherwise now. Draw it again, or "
            "publish it as it is."
        ),
    )
    ROUND_IMPOSSIBLE = "round_impossible", 409, _("The round cannot be played like this: %(text)s")
    NOT_IN_ROUND = "not_in_round", 409, _("These have no table in the round: %(text)s.")
    ALREADY_SEATED = "already_seated", 409, _("“%(text)s” has a table in this round already.")
    UNDO_LIVE = (
        "undo_live",
        409,
        _("This cannot be undone: these matches have been played or reported: %(text)s."),
    )
    UNDO_REDRAWN = (
        "undo_redrawn",
        409,
        _("This cannot be undone: stage %(text)s has been drawn again since."),
    )
    NOTHING_TO_UNDO = "nothing_to_undo", 409, _("There is no change to be undone here.")
    BAD_MINUTES = "bad_minutes", 422, _("A round lasts from 1 to %(most)s minutes.")
    CLOCK_NOT_RUNNING = "clock_not_running", 409, _("The clock of the round is not running.")
    ROUND_NOT_OPEN = "round_not_open", 409, _("Round %(round)s is not being played.")
    ROUND_UNFINISHED = (
        "round_unfinished",
        409,
        _("Round %(round)s cannot be closed yet. Matches without a final result: %(count)s."),
    )
    ROUNDS_LEFT = (
        "rounds_left",
        409,
        _("There are rounds left to draw: draw them, or finish early without them."),
    )
    TOURNAMENT_UNFINISHED = (
        "tournament_unfinished",
        409,
        _("Rounds or matches still to finish: %(count)s."),
    )
    BRACKET_CONTRADICTS = (
        "bracket_contradicts",
        409,
        _(
            "By the result of round %(round)s, table %(table)s, %(winner)s goes on; but %(plays)s "
            "played the next match. Correct the result, or give places by what was played."
        ),
    )

    # records
    BAD_DRAFT = "bad_draft", 422, _("What was written down cannot be read: look at “%(text)s”.")
    INCOMPLETE = "incomplete", 422, _("The match is not finished in this record.")
    UNAUDITED = (
        "unaudited",
        422,
        _("This record lacks the play of some hands: only the club may submit it."),
    )
    RULESET_MISMATCH = (
        "ruleset_mismatch",
        422,
        _("The tournament is played under “%(expected)s”, the record under “%(found)s”."),
    )
    OPTIONS_MISMATCH = (
        "options_mismatch",
        422,
        _("The tournament's options are %(expected)s, the record's %(found)s."),
    )
    PAIRING_MISMATCH = (
        "pairing_mismatch",
        422,
        _("The seats are not those of this match: %(expected)s."),
    )
    NOT_A_PARTICIPANT = (
        "not_a_participant",
        422,
        _("These do not play in the tournament: %(text)s."),
    )
    WRONG_TABLE = (
        "wrong_table",
        422,
        _("The record has %(found)s players at the table, this match %(expected)s."),
    )
    ROUND_CLOSED = (
        "round_closed",
        409,
        _("Round %(round)s takes no records: it is not being played."),
    )
    CONFLICTING_LOG = (
        "conflicting_log",
        409,
        _("This match already has another record or result: the arbiter decides."),
    )
    SETTLED = (
        "settled",
        409,
        _("The result of this match was given by the arbiter: it takes no records."),
    )
    ALREADY_ANSWERED = (
        "already_answered",
        409,
        _("This turn has been answered with something else."),
    )
    TOO_LATE = "too_late", 409, _("This turn is over: its time, or its match.")
    LATE_RESULT = (
        "late_result",
        409,
        _("Another attempt to play this match has taken over."),
    )
    EVIDENCE_FULL = (
        "evidence_full",
        429,
        _("Too many records of yours were refused today: nothing more of them is written down."),
    )
    BAD_KEY = (
        "bad_idempotency_key",
        400,
        _("An idempotency key is from 1 to 200 visible ASCII characters."),
    )
    KEY_REUSED = (
        "idempotency_mismatch",
        422,
        _("This idempotency key was used for another request."),
    )
    KEY_IN_FLIGHT = (
        "idempotency_in_flight",
        409,
        _("A request with this idempotency key is under way."),
    )

    FORM_SENT = (
        "form_sent",
        409,
        _(
            "This form was sent twice and carried out once. What it made is in the list; its secret"
            " was shown by the first answer alone."
        ),
    )

    # matches
    NOTHING_TO_PLAY = "nothing_to_play", 409, _("This is a bye: there is nothing to play.")
    NOTHING_TO_DISPUTE = "nothing_to_dispute", 409, _("The match has no result to dispute.")
    SCORE_MISSING = "score_missing", 422, _("Give the score of the match, or those of its hands.")
    SCORE_UNFINISHED = (
        "score_unfinished",
        422,
        _("With this score the match has not come to its end: %(text)s."),
    )
    HAND_UNKNOWN = (
        "hand_unknown",
        422,
        _("The points of hand %(hand)s are not known: give the result itself."),
    )
    LEVEL_CUT = (
        "level_cut",
        422,
        _("The match is level when time is up (%(text)s): play one more hand."),
    )
    BAD_HAND = (
        "bad_hand",
        422,
        _("Hand %(hand)s needs the points of each side, and its deal where deals are compared."),
    )
    IMPOSSIBLE_HAND = (
        "impossible_hand",
        422,
        _("No play ends hand %(hand)s like this: %(text)s."),
    )
    DEALS_MISSING = (
        "deals_missing",
        422,
        _("The deals of this table are compared: give the points of each of them."),
    )
    POINTS_MISSING = (
        "points_missing",
        422,
        _("Give the points of each side: a result does not count here without them."),
    )
    HAND_TOO_MANY = "hand_too_many", 422, _("The match was over before hand %(hand)s.")
    HAND_WINNER_MISSING = (
        "hand_winner_missing",
        422,
        _("Say who won hand %(hand)s: the sides made as many points."),
    )
    COTO_WINNER_MISSING = "coto_winner_missing", 422, _("Say who won coto %(hand)s.")
    IMPOSSIBLE_COTO = (
        "impossible_coto",
        422,
        _("Coto %(hand)s cannot have these points: %(text)s."),
    )
    COTO_TOO_MANY = "coto_too_many", 422, _("The match was over before coto %(hand)s.")
    MATCH_DECIDED = (
        "match_decided",
        409,
        _("The match is decided, %(text)s: it takes no further coto."),
    )
    OTHER_COTO = (
        "other_coto",
        409,
        _("Coto %(expected)s comes next, and this is the record of coto %(found)s."),
    )
    PLAYED_BY_BOTS = (
        "played_by_bots",
        409,
        _("This match is played in deal sets by the service itself: it takes no others' hands."),
    )
    TYPED_ONLY = (
        "typed_only",
        409,
        _("Results of this stage are typed: places or points, without records, hands and bots."),
    )
    OTHER_PART = (
        "other_part",
        409,
        _("Record %(expected)s of the match comes next, and this is another one: %(found)s."),
    )
    COTOS_DIFFER = (
        "cotos_differ",
        409,
        _("The cotos on record stand at %(text)s: the match cannot have ended like this."),
    )
    OTHER_DEAL = (
        "other_deal",
        422,
        _("Hand %(hand)s was not played with the cards of deal %(board)s."),
    )
    CARDS_DIFFER = (
        "cards_differ",
        409,
        _("Another table played a deal with other cards: the arbiter will decide."),
    )
    CONFLICTING_REPORT = (
        "conflicting_report",
        409,
        _("Another result of this match was reported: the arbiter decides."),
    )
    REPORT_CHANGED = (
        "report_changed",
        409,
        _("Another result stands here now: look at it before you go on."),
    )
    NOTHING_TO_CONFIRM = "nothing_to_confirm", 409, _("No result of this match waits for a word.")
    OWN_REPORT = "own_report", 403, _("Your side reported this result: the other one confirms it.")
    HAS_RESULT = "has_result", 409, _("The match has a result already.")
    NOT_POSTPONED = "not_postponed", 409, _("The match is not postponed.")
    DAY_IS_SET = "day_is_set", 409, _("The sides of this match cannot agree another day now.")
    NO_DAY_PROPOSED = "no_day_proposed", 409, _("No other day is proposed.")
    OWN_PROPOSAL = (
        "own_proposal",
        403,
        _("Your side proposed this day: the other agrees to it."),
    )
    PROPOSAL_CHANGED = (
        "proposal_changed",
        409,
        _("Another day is proposed now: look at it before you go on."),
    )
    UNKNOWN_SIDE = "unknown_side", 422, _("Nobody plays as “%(text)s” in this match.")
    BOTS_ARE_THERE = "bots_are_there", 409, _("Bots do not stay away: they do not forfeit.")
    NO_SHOW_TOO_EARLY = (
        "no_show_too_early",
        409,
        _("Absent players are waited for: %(minutes)s minutes."),
    )
    NOT_LEVEL = "not_level", 409, _("Only a match that ended level is decided like this.")
    ALREADY_TAKEN_UP = "already_taken_up", 409, _("“%(text)s” has taken this dispute up.")
    ALREADY_DISPUTED = "already_disputed", 409, _("The match is in dispute already.")
    ALREADY_RULED = "already_ruled", 409, _("The arbiter has ruled on this dispute already.")
    REASON_MISSING = "reason_missing", 422, _("Give a reason.")
    ANNOUNCEMENT_TOO_LONG = (
        "announcement_too_long",
        422,
        _("An announcement has at most %(most)s characters."),
    )
    REASON_TOO_LONG = "reason_too_long", 422, _("A reason has at most %(most)s characters.")
    BAD_REASON = "bad_reason", 422, _("The text holds a character that cannot be seen.")
    UNKNOWN_RULING = "unknown_ruling", 422, _("There is no ruling “%(text)s”.")
    AMENDMENT_MISSING = (
        "amendment_missing",
        422,
        _("Say what the result becomes: a score, or the contested record."),
    )
    IMPOSSIBLE_SCORE = "impossible_score", 422, _("No match can end like this: %(text)s.")

    # seasons
    SEASON_CLOSED = "season_closed", 409, _("The season is closed.")
    ALREADY_IN_SEASON = "already_in_season", 409, _("“%(text)s” is part of this season already.")
    NOT_IN_SEASON = "not_in_season", 409, _("“%(text)s” is no part of this season.")
    OTHER_RULES = "other_rules", 422, _("“%(text)s” is played under other rules than the season.")
    BAD_BEST = "bad_best", 422, _("A season counts from 1 to %(most)s results, or all of them.")
    BAD_SCALE = (
        "bad_scale",
        422,
        _(
            "Points by place are at most %(places)s whole numbers from 0 to %(most)s, and a lower "
            "place never has more than a higher one."
        ),
    )
    BAD_PRIZE = "bad_prize", 422, _("The list of prizes cannot be used: %(why)s")
    PRIZE_HANDED_OUT = (
        "prize_handed_out",
        409,
        _("Of “%(text)s” something was handed out: this prize stays on the list."),
    )
    PRIZE_CHANGED = (
        "prize_changed",
        409,
        _("“%(text)s” gets something else now: look at the list again."),
    )
    ALREADY_TAKEN_BACK = "already_taken_back", 409, _("This note was taken back already.")
    BAD_WEIGHT = "bad_weight", 422, _("A tournament counts from %(least)s to %(most)s times.")

    # bots
    BAD_SCHEDULE = "bad_schedule", 422, _("This cannot be a schedule: look at “%(text)s”.")
    UNKNOWN_BOT = "unknown_bot", 422, _("There is no kind of bot “%(text)s”.")
    NO_BOT_MATCHES = "no_bot_matches", 409, _("Round %(round)s has no match between bots.")
    SANDBOX_MISSING = (
        "sandbox_missing",
        409,
        _("Programs of others are refused on this machine: %(text)s."),
    )
    BAD_PROGRAM = "bad_program", 422, _("This cannot be kept as a program: %(why)s.")
    NOT_A_PROGRAM = (
        "not_a_program",
        409,
        _("“%(text)s” takes no versions: no program of it runs here."),
    )
    NO_READY_VERSION = (
        "no_ready_version",
        409,
        _("“%(text)s” has no version yet that has passed the check."),
    )
    NOT_ITS_RULESET = "not_its_ruleset", 409, _("“%(text)s” does not play %(ruleset)s.")
    NOTHING_TO_CHECK = "nothing_to_check", 409, _("No check of “%(text)s” has to be asked for.")
    BOT_BENCHED = "bot_benched", 409, _("“%(text)s” is on the bench for what it did wrong.")
    BOT_NOT_BENCHED = "bot_not_benched", 409, _("“%(text)s” is not on the bench.")
    BOT_RETIRED = "bot_retired", 409, _("“%(text)s” has retired.")
    SAME_VERSION = "same_version", 422, _("A version is not compared with itself.")
    COMPARISON_RUNNING = (
        "comparison_running",
        409,
        _("Two versions of “%(text)s” are being compared already."),
    )
    TOO_MANY_KEPT = "too_many_kept", 409, _("%(most)s comparisons of a bot can be kept at most.")
    ALREADY_PAUSED = "already_paused", 409, _("The bots are paused already.")
    NOT_PAUSED = "not_paused", 409, _("The bots are not paused.")

    # messages to programs (webhooks) and browsers (push)
    BAD_PUSH_ADDRESS = (
        "bad_push_address",
        422,
        _("Messages cannot be sent to the address of this browser."),
    )
    BAD_WEBHOOK_ADDRESS = (
        "bad_webhook_address",
        422,
        _("Nothing can be sent to this address: %(why)s."),
    )
    UNKNOWN_EVENT = "unknown_event", 422, _("There is no kind of event “%(text)s”.")
    TOO_MANY_BROWSERS = (
        "too_many_browsers",
        409,
        _("Too many browsers get messages already: end them on another one."),
    )
    TOO_MANY_WEBHOOKS = "too_many_webhooks", 409, _("A club can have %(most)s webhooks at most.")
    WEBHOOK_NOT_ACTIVE = (
        "webhook_not_active",
        409,
        _("The webhook is paused or disabled: resume it first."),
    )
    WEBHOOK_KEY_LOST = (
        "webhook_key_lost",
        409,
        _("The service has another key: give the webhook a new secret."),
    )

    def __init__(self, code: str, status: int, text: str | Promise) -> None:
        self.code = code
        self.status = status
        self.text = text


REASONS: Final = {reason.code: reason for reason in Reason}
"""Every refusal by its code."""

PARAMETER: Final = re.compile(r"%\((\w+)\)s")


def sentence_of(code: str, params: Mapping[str, object] = MappingProxyType({})) -> str:
    """Return the text for the code of a refusal or of a record's fault; unknown values as ``…``."""
    if code in RECORD_FAULTS:
        return str(RECORD_FAULTS[code])
    reason = REASONS.get(code)
    if reason is None:
        return code
    return PARAMETER.sub(
        lambda match: engine.escape_controls(str(params.get(match[1], "…"))), str(reason.text)
    )


def _printable(params: Mapping[str, Any]) -> dict[str, Any]:
    """Escape the control characters of parameters: they may quote a request or a record."""
    return {
        name: engine.escape_controls(value) if isinstance(value, str) else value
        for name, value in params.items()
    }


@dataclass(frozen=True, slots=True)
class ImportFault:
    """One fault of an imported list: ``file`` is ``players`` or ``pairs``, lines count from 1.

    ``accepted`` are the columns of the list, of ``unknown_column``.
    """

    file: str
    line: int
    code: str
    text: str = ""
    accepted: str = ""

    @property
    def message(self) -> str:
        """Return the fault in the active language."""
        params = {"text": self.text, "accepted": self.accepted}
        return str(IMPORT_FAULTS[self.code]) % _printable(params)


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """Raised when a request is refused; views render it as a page or as RFC 9457 problem.

    ``errors`` are the faults of an imported list; ``headers`` go with the answer.
    """

    def __init__(
        self,
        reason: Reason,
        /,
        *,
        errors: Sequence[ImportFault] = (),
        headers: Mapping[str, str] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(reason.code, params)
        self.reason = reason
        self.params = params
        self.errors = tuple(errors)
        self.headers = dict(headers or {})

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    @property
    def code(self) -> str:
        """The stable code."""
        return self.reason.code

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.reason.status

    @property
    def message(self) -> str:
        """The refusal in the active language."""
        return str(self.reason.text) % _printable(self.params)


def refuse_unless_known(reason: Reason, text: str, known: Iterable[str]) -> None:
    """Refuse ``reason`` for a word that is none of the known ones, which a problem lists."""
    allowed = list(known)
    if text not in allowed:
        raise Refusal(reason, text=text[:60], allowed=allowed)


def refuse_large_body(body: bytes, limit: int) -> None:
    """Refuse TOO_LARGE for more than ``limit`` bytes."""
    if len(body) > limit:
        raise Refusal(Reason.TOO_LARGE, most=megabytes(limit))


def megabytes(size: int) -> str:
    """Return a number of bytes as people read it."""
    return f"{size / (1 << 20):g} MiB"
