"""Which verbs are open for a tournament or a part of it, in its state and for a role.

A caller describes the thing by its facts and the person by a `Role`; the answer names every verb
that is open, and for every other one the code and parameters of the refusal. Services raise that
refusal (`closed_reason`), pages and API show what is open (`verbs`).

>>> facts = RoundFacts("running", number=2, state="published", unfinished=3, disputed=1)
>>> verbs(facts, role("organiser")).closed["close"]
ClosedReason(code='round_unfinished', facts={'round': 2, 'count': 3})

A verb that asks for the content of something (whether a score is possible, whether a draft that was
arranged by hand can be played) can be open and still be refused for that content.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tournaments.domain.rights import RIGHTS
from tournaments.domain.state import matches
from tournaments.domain.state.facts import (
    BENCHED,
    DRAFT,
    EXPELLED,
    FINISHED,
    PUBLISHED,
    RUNNING,
    CashFacts,
    ClosedReason,
    EntryFacts,
    Facts,
    MatchFacts,
    MoneyFacts,
    PointFacts,
    RequestFacts,
    Role,
    RoundFacts,
    SeasonFacts,
    SignUpFacts,
    StageFacts,
    TournamentFacts,
    Verbs,
)

__all__ = [
    "RULES",
    "CashFacts",
    "ClosedReason",
    "EntryFacts",
    "Facts",
    "MatchFacts",
    "MoneyFacts",
    "PointFacts",
    "RequestFacts",
    "Role",
    "RoundFacts",
    "SeasonFacts",
    "SignUpFacts",
    "StageFacts",
    "TournamentFacts",
    "Verbs",
    "closed_reason",
    "role",
    "verbs",
]


def role(name: str, *, side: str = "", own: bool = False) -> Role:
    """Return the rights that a row of `domain.rights.ROLES` gives: ``organiser``, ``player``."""
    return Role(frozenset(right.name for right in RIGHTS.values() if name in right.who), side, own)


def verbs(facts: Facts, role: Role) -> Verbs:
    """Return which verbs are open in a role, and why the others are closed."""
    rules = RULES[type(facts)]
    reasons = {
        verb: rule.may(role) or closed_reason(verb, facts, role) for verb, rule in rules.items()
    }
    return Verbs(
        tuple(rules), {verb: reason for verb, reason in reasons.items() if reason is not None}
    )


def closed_reason(verb: str, facts: Facts, role: Role | None = None) -> ClosedReason | None:
    """Return why a verb is closed to everybody, if it is; with ``role``, also why to this role.

    KeyError for a verb that the thing does not have.
    """
    rule = RULES[type(facts)][verb]
    reason: ClosedReason | None = rule.closed(facts)
    if reason is None and role is not None and rule.closed_to is not None:
        reason = rule.closed_to(facts, role)
    return reason


# --- who may --------------------------------------------------------------------------------------


def _requires(right: str) -> Callable[[Role], ClosedReason | None]:
    return lambda role: None if right in role.rights else ClosedReason("forbidden")


def _may_rule(role: Role) -> ClosedReason | None:
    """An arbiter, at no table of their own."""
    if "arbitrate" not in role.rights:
        return ClosedReason("forbidden")
    return ClosedReason("own_table") if role.side else None


def _may_play(role: Role) -> ClosedReason | None:
    """Those who play in the match."""
    return None if role.side and "play" in role.rights else ClosedReason("forbidden")


def _may_submit(role: Role) -> ClosedReason | None:
    """The club's staff, and those who play in the match."""
    plays = bool(role.side) and "play" in role.rights
    return None if plays or "submit" in role.rights else ClosedReason("forbidden")


def _may_confirm(role: Role) -> ClosedReason | None:
    """Those who may submit, and arbiters."""
    return None if "arbitrate" in role.rights else _may_submit(role)


def _may_act_for_entry(role: Role) -> ClosedReason | None:
    """The club's staff, and the entry's own people."""
    may_speak = role.own and "speak" in role.rights
    return None if may_speak or "arbitrate" in role.rights else ClosedReason("forbidden")


def _may_act_for_request(role: Role) -> ClosedReason | None:
    """Organisers, and the people of the request."""
    may_speak = role.own and "speak" in role.rights
    return None if may_speak or "manage" in role.rights else ClosedReason("forbidden")


def _everybody(_: Role) -> ClosedReason | None:
    return None


def _may_penalise(role: Role) -> ClosedReason | None:
    if "arbitrate" not in role.rights:
        return ClosedReason("forbidden")
    return ClosedReason("own_table") if role.own else None


# --- the tournament -------------------------------------------------------------------------------


def _always_open(_: Facts) -> ClosedReason | None:
    return None


def _closed_unless(state: str, code: str) -> Callable[[Any], ClosedReason | None]:
    return lambda facts: None if facts.state == state else ClosedReason(code)


def _tournament_over(facts: TournamentFacts | SignUpFacts) -> ClosedReason | None:
    return ClosedReason("tournament_over") if facts.state == FINISHED else None


def _post(facts: TournamentFacts) -> ClosedReason | None:
    """Open for a draft that is not posted, or that was cancelled."""
    if facts.state != DRAFT:
        return ClosedReason("rounds_drawn")
    is_announced = facts.posted and not facts.cancelled
    return ClosedReason("already_posted") if is_announced else None


def _unpost(facts: TournamentFacts) -> ClosedReason | None:
    if facts.state != DRAFT:
        return ClosedReason("rounds_drawn")
    return None if facts.posted else ClosedReason("not_posted")


def _cancel(facts: TournamentFacts) -> ClosedReason | None:
    """Open until the first round is published."""
    if facts.shown or facts.state == FINISHED:
        return ClosedReason("tournament_begun")
    return ClosedReason("already_cancelled") if facts.cancelled else None


def _set_plan(facts: TournamentFacts) -> ClosedReason | None:
    """Open until the first draw, which stays public even if it is undone."""
    return ClosedReason("rounds_drawn") if facts.state != DRAFT or facts.drawn else None


def _discard(facts: TournamentFacts) -> ClosedReason | None:
    if facts.state != DRAFT:
        return ClosedReason("rounds_drawn")
    return ClosedReason("has_sign_ups") if facts.asked else None


def _draw(facts: TournamentFacts) -> ClosedReason | None:
    if facts.state != DRAFT:
        return ClosedReason("not_a_draft")
    if facts.cancelled:
        return ClosedReason("tournament_cancelled")
    if facts.entries < facts.min_entries:
        return ClosedReason("too_few_entries", {"least": facts.min_entries})
    return (
        ClosedReason("too_many_entries", {"most": facts.max_entries})
        if facts.entries > facts.max_entries
        else None
    )


def _enter_late(facts: TournamentFacts) -> ClosedReason | None:
    if facts.state != RUNNING:
        return ClosedReason("not_running")
    return None if facts.takes_latecomers else ClosedReason("no_late_entry")


def _draw_next(facts: TournamentFacts) -> ClosedReason | None:
    if facts.state != RUNNING:
        return ClosedReason("not_running")
    if facts.open_rounds and not facts.to_draw:
        number, undecided = facts.open_rounds[0]
        return ClosedReason("round_unfinished", {"round": number, "count": undecided})
    return None if facts.to_draw else ClosedReason("nothing_to_draw")


def _finish_early(facts: TournamentFacts) -> ClosedReason | None:
    """Every round that was drawn is closed, and every match has its result."""
    if facts.state != RUNNING:
        return ClosedReason("not_running")
    count = len(facts.open_rounds) + facts.undecided
    return ClosedReason("tournament_unfinished", {"count": count}) if count else None


def _finish(facts: TournamentFacts) -> ClosedReason | None:
    if (reason := _finish_early(facts)) is not None:
        return reason
    return ClosedReason("rounds_left") if facts.to_draw else None


def _close_check_in(facts: TournamentFacts) -> ClosedReason | None:
    if (reason := _tournament_over(facts)) is not None:
        return reason
    return ClosedReason("check_in_closed") if facts.check_in_closed else None


# --- the sign-up ----------------------------------------------------------------------------------


def _sign_up(facts: SignUpFacts) -> ClosedReason | None:
    """Open to people on the web between its opening and its end."""
    if facts.cancelled:
        return ClosedReason("tournament_cancelled")
    is_open = facts.state == DRAFT and facts.posted and facts.is_time and not facts.closed
    if not is_open:
        return ClosedReason("sign_up_closed")
    return ClosedReason("waiting_list_full") if facts.full else None


def _keep_contacts(facts: SignUpFacts) -> ClosedReason | None:
    return ClosedReason("contacts_kept") if facts.contacts_kept else None


def _add_request(facts: SignUpFacts) -> ClosedReason | None:
    if facts.state != DRAFT:
        return ClosedReason("not_a_draft")
    return ClosedReason("tournament_cancelled") if facts.cancelled else None


def _reopen_sign_up(facts: SignUpFacts) -> ClosedReason | None:
    if (reason := _add_request(facts)) is not None:
        return reason
    return None if facts.closed else ClosedReason("sign_up_not_closed")


def _change_request(facts: RequestFacts) -> ClosedReason | None:
    if facts.state == FINISHED:
        return ClosedReason("tournament_over")
    return ClosedReason("request_left") if facts.left else None


def _before_entry(facts: RequestFacts) -> ClosedReason | None:
    if (reason := _change_request(facts)) is not None:
        return reason
    if facts.cancelled:
        return ClosedReason("tournament_cancelled")
    return ClosedReason("request_entered") if facts.entered else None


def _change_name(facts: RequestFacts) -> ClosedReason | None:
    """Open once: a place is not for sale."""
    return _before_entry(facts) or (ClosedReason("name_changed") if facts.renamed else None)


def _join(facts: RequestFacts) -> ClosedReason | None:
    return _before_entry(facts) or (None if facts.of_one else ClosedReason("not_single"))


def _take_off(facts: RequestFacts) -> ClosedReason | None:
    """Open until the rounds are drawn for one with an entry: then it is withdrawn."""
    if (reason := _change_request(facts)) is not None:
        return reason
    in_draw = facts.entered and facts.state != DRAFT
    return ClosedReason("request_entered") if in_draw else None


def _refund(facts: MoneyFacts) -> ClosedReason | None:
    return None if facts.taken > 0 else ClosedReason("nothing_to_return")


def _waive(facts: MoneyFacts) -> ClosedReason | None:
    return None if facts.owed > 0 else ClosedReason("nothing_owed")


def _reverse(facts: CashFacts) -> ClosedReason | None:
    """Open once; a reversal stays: what was right after all is noted again."""
    if facts.reverses:
        return ClosedReason("not_reversible")
    return ClosedReason("already_reversed") if facts.reversed else None


# --- a stage --------------------------------------------------------------------------------------


def _set_seeding(facts: StageFacts) -> ClosedReason | None:
    return ClosedReason("stage_begun") if facts.drawn else None


def _draw_again(facts: StageFacts) -> ClosedReason | None:
    if facts.tournament != RUNNING:
        return ClosedReason("not_running")
    if not facts.drawn:
        return ClosedReason("stage_not_drawn")
    return ClosedReason("stage_published") if facts.shown else None


# --- a round --------------------------------------------------------------------------------------


def _publish(facts: RoundFacts) -> ClosedReason | None:
    """Open in the order of the numbers: a round drawn again gets the first number after them."""
    if (why := _closed_unless_running(facts) or _arrange(facts)) is not None:
        return why
    if facts.cancelled:
        return ClosedReason("tournament_cancelled")
    if facts.earlier_draft:
        return ClosedReason("earlier_draft", {"round": facts.earlier_draft})
    return ClosedReason("draft_outdated", {"round": facts.number}) if facts.outdated else None


def _replan(facts: RoundFacts) -> ClosedReason | None:
    """Open for rounds drawn ahead that nobody has played, and none after them."""
    if (why := _closed_unless_running(facts) or _closed_unless_in_play(facts)) is not None:
        return why
    if not facts.planned:
        return ClosedReason("not_planned_ahead")
    return ClosedReason("round_begun", {"round": facts.number}) if facts.begun else None


def _closed_unless_running(facts: RoundFacts) -> ClosedReason | None:
    return None if facts.tournament == RUNNING else ClosedReason("not_running")


def _arrange(facts: RoundFacts) -> ClosedReason | None:
    return (
        None if facts.state == DRAFT else ClosedReason("round_not_draft", {"round": facts.number})
    )


def _closed_unless_in_play(facts: RoundFacts) -> ClosedReason | None:
    return (
        None
        if facts.state == PUBLISHED
        else ClosedReason("round_not_open", {"round": facts.number})
    )


def _close(facts: RoundFacts) -> ClosedReason | None:
    if (reason := _closed_unless_running(facts) or _closed_unless_in_play(facts)) is not None:
        return reason
    unfinished = {"round": facts.number, "count": facts.unfinished}
    return ClosedReason("round_unfinished", unfinished) if facts.unfinished else None


def _play(facts: RoundFacts) -> ClosedReason | None:
    if (reason := _closed_unless_in_play(facts)) is not None:
        return reason
    return None if facts.bots else ClosedReason("no_bot_matches", {"round": facts.number})


def _pause(facts: RoundFacts) -> ClosedReason | None:
    return _play(facts) or (ClosedReason("already_paused") if facts.paused else None)


def _resume_bots(facts: RoundFacts) -> ClosedReason | None:
    return _play(facts) or (None if facts.paused else ClosedReason("not_paused"))


def _clock(state: str) -> Callable[[RoundFacts], ClosedReason | None]:
    def why(facts: RoundFacts) -> ClosedReason | None:
        is_so = facts.clock == state
        return _closed_unless_in_play(facts) or (
            None if is_so else ClosedReason("clock_not_running")
        )

    return why


# --- an entry -------------------------------------------------------------------------------------


def _change(facts: EntryFacts) -> ClosedReason | None:
    return ClosedReason("tournament_over") if facts.tournament == FINISHED else None


def _remove(facts: EntryFacts) -> ClosedReason | None:
    if facts.tournament == DRAFT or (facts.tournament == RUNNING and not facts.is_drawn):
        return None
    return ClosedReason("entry_in_play", {"text": facts.name})


def _rate(facts: EntryFacts) -> ClosedReason | None:
    return None if facts.tournament == DRAFT else ClosedReason("not_a_draft")


def _check_in_themselves(facts: EntryFacts, role: Role) -> ClosedReason | None:
    if "arbitrate" in role.rights:
        return None
    if not facts.self_check_in:
        return ClosedReason("forbidden")
    return ClosedReason("check_in_closed") if facts.check_in_closed else None


def _withdraw(facts: EntryFacts) -> ClosedReason | None:
    return _change(facts) or (
        ClosedReason("already_away", {"text": facts.name}) if facts.away else None
    )


def _expel(facts: EntryFacts) -> ClosedReason | None:
    """Open after the end too: a cheat may be found out later."""
    is_out = facts.away == EXPELLED
    return ClosedReason("already_away", {"text": facts.name}) if is_out else None


def _readmit(facts: EntryFacts) -> ClosedReason | None:
    if (reason := _change(facts)) is not None:
        return reason
    if not facts.away:
        return ClosedReason("not_away", {"text": facts.name})
    if facts.away == EXPELLED:
        return ClosedReason("expelled", {"text": facts.name})
    if facts.away == BENCHED:
        return ClosedReason("bot_benched", {"text": facts.name})
    return None if facts.can_join else ClosedReason("no_late_entry")


def _revoke_expulsion(facts: EntryFacts) -> ClosedReason | None:
    """Open after the end to any, as none has to find a place in another round."""
    if facts.away != EXPELLED:
        return ClosedReason("not_away", {"text": facts.name})
    may_return = facts.can_join or facts.tournament == FINISHED
    return None if may_return else ClosedReason("no_late_entry")


def _substitute(facts: EntryFacts) -> ClosedReason | None:
    of_bot = ClosedReason("not_in_entry", {"text": facts.name})
    return _change(facts) or (None if facts.of_people else of_bot)


# --- a restore point ------------------------------------------------------------------------------


MAX_NAMED: Final = 10
"""Matches that a refusal names; chosen: a paragraph on a phone."""


def _go_back(facts: PointFacts) -> ClosedReason | None:
    """Open as long as no result, record or dispute would be lost, and no earlier draw comes back.

    The last draw of a stage is in force (docs/programs/tournament-file.md): a proof with another
    would fail.
    """
    if facts.live:
        return ClosedReason("undo_live", {"text": ", ".join(facts.live[:MAX_NAMED])})
    if facts.redrawn:
        return ClosedReason("undo_redrawn", {"text": ", ".join(map(str, facts.redrawn))})
    return None


# --- the table ------------------------------------------------------------------------------------


class Rule(NamedTuple):
    """The rule of a verb: who has the right to it, why it is closed to all, and why to a role."""

    may: Callable[[Role], ClosedReason | None]
    closed: Callable[[Any], ClosedReason | None]
    closed_to: Callable[[Any, Role], ClosedReason | None] | None = None


_manage, _arbitrate, _run_bots = _requires("manage"), _requires("arbitrate"), _requires("run_bots")

RULES: Final[Mapping[type[Facts], Mapping[str, Rule]]] = {
    TournamentFacts: {
        "enter": Rule(_manage, _closed_unless(DRAFT, "not_a_draft")),
        "enter_list": Rule(_manage, _tournament_over),
        "draw": Rule(_manage, _draw),
        "change_terms": Rule(_manage, _closed_unless(DRAFT, "rounds_drawn")),
        "set_plan": Rule(_manage, _set_plan),
        "post": Rule(_manage, _post),
        "unpost": Rule(_manage, _unpost),
        "cancel": Rule(_manage, _cancel),
        "discard": Rule(_manage, _discard),
        "rename": Rule(_manage, _tournament_over),
        "enter_late": Rule(_manage, _enter_late),
        "check_in_all": Rule(_arbitrate, _tournament_over),
        "close_check_in": Rule(_manage, _close_check_in),
        "open_check_in": Rule(_manage, _tournament_over),
        "take_back_act": Rule(_arbitrate, _tournament_over),
        "announce": Rule(_arbitrate, _tournament_over),
        "draw_next": Rule(_manage, _draw_next),
        "finish": Rule(_manage, _finish),
        "finish_early": Rule(_manage, _finish_early),
        "plan_days": Rule(_manage, _tournament_over),
        "add_day": Rule(_manage, _tournament_over),
        "change_day": Rule(_manage, _tournament_over),
        "remove_day": Rule(_manage, _tournament_over),
        "set_prizes": Rule(_manage, _always_open),
        "hand_out": Rule(_arbitrate, _always_open),
        "take_back": Rule(_arbitrate, _always_open),
    },
    SignUpFacts: {
        "set_sign_up": Rule(_manage, _tournament_over),
        "sign_up": Rule(_everybody, _sign_up),
        "add_request": Rule(_manage, _add_request),
        "change_links": Rule(_manage, _tournament_over),
        "close_sign_up": Rule(_manage, _add_request),
        "set_sources": Rule(_manage, _add_request),
        "note_through": Rule(_manage, _add_request),
        "note_places": Rule(_manage, _add_request),
        "pass_over": Rule(_manage, _add_request),
        "invite": Rule(_manage, _add_request),
        "reopen_sign_up": Rule(_manage, _reopen_sign_up),
        "keep_contacts": Rule(_manage, _keep_contacts),
    },
    RequestFacts: {
        "change_request": Rule(_manage, _change_request),
        "join": Rule(_manage, _join),
        "take_off": Rule(_manage, _take_off),
        "change_name": Rule(_may_act_for_request, _change_name),
        "leave": Rule(_may_act_for_request, _before_entry),
    },
    MoneyFacts: {
        "pay": Rule(_arbitrate, _always_open),
        "refund": Rule(_arbitrate, _refund),
        "waive": Rule(_arbitrate, _waive),
    },
    CashFacts: {
        "reverse": Rule(_arbitrate, _reverse),
    },
    StageFacts: {
        "set_seeding": Rule(_manage, _set_seeding),
        "draw_again": Rule(_manage, _draw_again),
    },
    RoundFacts: {
        "publish": Rule(_manage, _publish),
        "arrange": Rule(_manage, _arrange),
        "replan": Rule(_manage, _replan),
        "close": Rule(_manage, _close),
        "play": Rule(_run_bots, _play),
        "pause": Rule(_run_bots, _pause),
        "resume": Rule(_run_bots, _resume_bots),
        "start_clock": Rule(_arbitrate, _closed_unless_in_play),
        "stop_clock": Rule(_arbitrate, _clock("running")),
        "resume_clock": Rule(_arbitrate, _clock("stopped")),
    },
    MatchFacts: {
        "submit": Rule(_may_submit, matches.submit, matches.closed_to_records),
        "report": Rule(_may_submit, matches.report, matches.closed_for_bots),
        "confirm": Rule(_may_confirm, matches.confirm, matches.own_report),
        "dispute": Rule(_may_submit, matches.dispute),
        "take_up": Rule(_may_rule, matches.take_up),
        "rule": Rule(_may_rule, matches.rule),
        "rule_interim": Rule(_may_rule, matches.rule_interim),
        "correct": Rule(_may_rule, matches.correct),
        "decide": Rule(_may_rule, matches.decide),
        "forfeit": Rule(_may_rule, matches.forfeit),
        "no_show": Rule(_may_rule, matches.no_show),
        "seat_late": Rule(_manage, matches.seat_late),
        "postpone": Rule(_may_rule, matches.postpone),
        "resume": Rule(_may_rule, matches.resume),
        "propose_day": Rule(_may_play, matches.propose_day, matches.closed_for_bots),
        "agree_day": Rule(_may_play, matches.decline_day, matches.own_proposal),
        "decline_day": Rule(_may_play, matches.decline_day),
    },
    EntryFacts: {
        "change": Rule(_arbitrate, _change),
        "remove": Rule(_manage, _remove),
        "describe": Rule(_manage, _always_open),
        "rate": Rule(_manage, _rate),
        "check_in": Rule(_may_act_for_entry, _withdraw, _check_in_themselves),
        "undo_check_in": Rule(_arbitrate, _change),
        "withdraw": Rule(_may_act_for_entry, _withdraw),
        "expel": Rule(_manage, _expel),
        "revoke_expulsion": Rule(_manage, _revoke_expulsion),
        "readmit": Rule(_arbitrate, _readmit),
        "substitute": Rule(_arbitrate, _substitute),
        "request_bye": Rule(_may_act_for_entry, _withdraw),
        "penalise": Rule(_may_penalise, _always_open),
    },
    SeasonFacts: {
        "add": Rule(_manage, _closed_unless("open", "season_closed")),
        "remove": Rule(_manage, _closed_unless("open", "season_closed")),
        "close": Rule(_manage, _closed_unless("open", "season_closed")),
        "set_season_rules": Rule(_manage, _closed_unless("open", "season_closed")),
        "set_prizes": Rule(_manage, _closed_unless("open", "season_closed")),
    },
    PointFacts: {"go_back": Rule(_manage, _go_back)},
}
"""Every verb of a tournament, its sign-up and requests, stages … and restore points."""
