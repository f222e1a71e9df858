"""Erases personal data: a person's names at once, old data later (docs/operators/privacy.md)."""

import fcntl
import json
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tournaments.accounts.services.accounts import (
    check_password,
    end_sign_ins,
    refuse_last_superuser,
)
from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import (
    find_main_player,
    lock_club,
    lock_tournament,
    raise_version,
    refresh_row,
)
from tournaments.core.permissions import Actor, may_administer, refuse_unless
from tournaments.domain.names import fold_name
from tournaments.domain.pseudonyms import Renaming, names_containing, pseudonym, shared_name
from tournaments.models import (
    AuditEvent,
    Bot,
    Club,
    Delivery,
    Entry,
    Erasure,
    Invitation,
    Membership,
    NewAddress,
    Pair,
    Player,
    PushSubscription,
    Record,
    Review,
    SignIn,
    SignUpRequest,
    Tournament,
)
from tournaments.people.services.clubs import refuse_last_organiser
from tournaments.profiles.queries.person import (
    entries_of,
    own_names,
    same_people,
    tournaments_showing,
    unfinished_tournaments,
)
from tournaments.profiles.services.renaming import (
    scrub_history,
    scrub_records,
    scrub_texts,
    write_reworded_rows,
)
from tournaments.profiles.services.sign_ups import (
    delete_contacts,
    erase_request,
    erased_people,
    rename_in_sign_ups,
    repeat_erased_person,
)
from tournaments.signup.queries.contacts import end_of_play, keeping_period
from tournaments.signup.queries.places import entry_of_request

# --- Erasing --------------------------------------------------------------------------------------
# Replaces the names of a person; what was played stays. A player keeps row, results and rating
# under a number; an account is deleted with everything that depends on it. Both are recorded by
# number and key, without a name, to be erased again after a restore of an older backup.


FIRST_PSEUDONYM: Final = 1001
"""The first number given."""

NUMBERED_CODE: Final = re.compile(r"[A-Za-z]{0,2}[0-9]+")
"""Codes of players that do not reveal a name."""

ACCESS_LOGS: Final = (AccessAttempt, AccessFailureLog, AccessLog)
"""The models in which axes stores sign-ins."""

log = logging.getLogger(__name__)


@transaction.atomic
def erase_player(actor: Actor, player: Player, also: Iterable[str] = ()) -> Player:
    """Erase the name of a club's player; ``also`` are other names of theirs in the club.

    Those who are the same as the player (:func:`same_people`) are erased too. Refuses FORBIDDEN,
    NOT_LISTED, ALREADY_ERASED, STILL_PLAYS.
    """
    refuse_unless(may_administer(actor, player.club), actor)
    refuse_without_list()
    lock_club(player.club)
    player = find_main_player(player.pk)
    if Erasure.objects.filter(player_key=player.pk).exists():
        raise Refusal(Reason.ALREADY_ERASED)
    also, people = tuple(also), same_people(player)
    for person in people:
        refuse_if_playing(person)
    _lock_tournaments(people)
    erased, *_ = [
        _erase_player(actor, person, _create_numbered(player_key=person.pk), also)
        for person in people
    ]
    return erased


@transaction.atomic
def erase_account(
    actor: Actor, password: str, *, players: bool = True, also: Iterable[str] = ()
) -> None:
    """Delete the actor's own account; with ``players`` also erase its players.

    Refuses SIGN_IN, FORBIDDEN, WRONG_PASSWORD, NOT_LISTED, LAST_SUPERUSER, LAST_ORGANISER,
    STILL_PLAYS.
    """
    user = check_password(actor, password)
    refuse_without_list()
    refuse_last_superuser(user)
    also = tuple(also)
    roles = Membership.objects.filter(user=user).select_related("club")
    rows = Player.objects.filter(user=user).select_related("club")
    own_players = same_people(*rows) if players else []
    rows_of_clubs: list[Membership | Player] = [*roles, *own_players]
    clubs = {row.club_id: row.club for row in rows_of_clubs}
    for key in sorted(clubs):
        lock_club(clubs[key])
    for role in roles:
        refuse_last_organiser(role.club, user)
    for player in own_players:
        refuse_if_playing(player)
    _lock_tournaments(own_players)
    for player in sorted(own_players, key=lambda row: (row.club_id, row.pk)):
        _erase_player(Actor.system(), player, _create_numbered(player_key=player.pk), also)
    _erase_user(user, _create_numbered(user_key=user.pk))


def _lock_tournaments(players: Iterable[Player]) -> None:
    """Lock the tournaments that show players: all before the first event is written."""
    tournaments = {row.pk: row for player in players for row in tournaments_showing(player)}
    for key in sorted(tournaments):
        lock_tournament(tournaments[key])


def refuse_if_playing(player: Player) -> None:
    """Refuse STILL_PLAYS for a player still in a tournament: opponents need the name."""
    if names := unfinished_tournaments(entries_of(player)):
        raise Refusal(Reason.STILL_PLAYS, text=", ".join(names)[:200])


def _create_numbered(**key: int) -> Erasure:
    """Create the row with the next number; of two at once, one takes the number after."""
    while True:
        last = Erasure.objects.aggregate(last=Max("number"))["last"] or FIRST_PSEUDONYM - 1
        try:
            with transaction.atomic():
                return Erasure.objects.create(number=last + 1, **key)
        except IntegrityError:
            if Erasure.objects.filter(number=last + 1).exists():
                continue
            raise


# --- a player ------------------------------------------------------------------------------------


def _erase_player(
    actor: Actor, player: Player, erasure: Erasure, also: Iterable[str] = ()
) -> Player:
    club, called = player.club, _free_pseudonym(player, erasure.number)
    old = dict.fromkeys(own_names(player), called)
    old |= dict.fromkeys(filter(None, map(str.strip, also)), called)
    if not NUMBERED_CODE.fullmatch(player.code):
        old[player.code] = called
    partial_renaming = Renaming(old)
    pairs = _pair_names(player, partial_renaming, called)
    entries = list(entries_of(player))
    tournaments = [lock_tournament(row) for row in tournaments_showing(player)]
    old |= {pair.name: pairs[pair.pk] for pair in _pairs(player) if pairs[pair.pk] != pair.name}
    partial_renaming = Renaming(old)
    is_own = Q(code__in=[entry.code for entry in entries])
    if player.user is not None:
        is_own |= Q(user=player.user, tournament__club=club)
    PushSubscription.objects.filter(is_own).delete()
    for entry in entries:
        new = shared_name(partial_renaming.text(entry.name), player.name, called)
        if new != entry.name:
            old.setdefault(entry.name, new)
            Entry.objects.filter(pk=entry.pk).update(name=new, folded=fold_name(new))
    for pk, name in pairs.items():
        Pair.objects.filter(pk=pk).update(name=name, folded=fold_name(name))
    renaming = Renaming(old, _remaining_names(club, old, player))
    code = player.code if NUMBERED_CODE.fullmatch(player.code) else f"NN{erasure.number}"
    Player.objects.filter(pk=player.pk).update(
        name=called, folded=fold_name(called), code=code, user=None, earlier=""
    )
    signed_up = rename_in_sign_ups(club, player, old, called)
    Invitation.objects.filter(player=player).delete()
    Review.objects.filter(player=player).update(note="")
    reworded = scrub_texts(renaming, club)
    reworded["entry"] += [entry.pk for entry in entries]
    for kind, keys in signed_up.items():
        reworded[kind] += keys
    records = scrub_records(renaming, club, timezone.now())
    reworded["record"] += records
    for tournament in tournaments:
        raise_version(tournament)
    player.refresh_from_db()
    redacted = scrub_history(actor, club, renaming, records=records)
    write_reworded_rows(actor, club, reworded, redacted)
    write_event(actor, "player.erased", player, club=club, number=erasure.number)
    # A file does not roll back.
    transaction.on_commit(write_list, robust=True)
    log.info("player erased: number %d, %d records redacted", erasure.number, len(records))
    return player


def _free_pseudonym(player: Player, number: int) -> str:
    """Return the pseudonym, with asterisks if another player of the club has it."""
    called, players = pseudonym(number), Player.objects.filter(club=player.club_id)
    while players.exclude(pk=player.pk).filter(folded=fold_name(called)).exists():
        called += "*"
    return called


def _pairs(player: Player) -> list[Pair]:
    return list(Pair.objects.filter(Q(first=player) | Q(second=player)).order_by("pk"))


def _pair_names(player: Player, renaming: Renaming, called: str) -> dict[int, str]:
    """Return the new names of a player's pairs by key, with asterisks if another pair has them."""
    pairs = _pairs(player)
    others = Pair.objects.filter(club=player.club_id).exclude(pk__in=[pair.pk for pair in pairs])
    used, names = set(others.values_list("folded", flat=True)), {}
    for pair in pairs:
        name = shared_name(renaming.text(pair.name), player.name, called)
        while fold_name(name) in used:
            name += "*"
        used.add(fold_name(name))
        names[pair.pk] = name
    return names


def _remaining_names(
    club: Club | None, old: Iterable[str], player: Player | None = None
) -> frozenset[str]:
    """Return other names that contain an erased one and stay: of people, tournaments, clubs."""
    old = tuple(old)
    people = Player.objects.exclude(pk=player.pk) if player else Player.objects.all()
    rows: tuple[Any, ...] = (people, Pair.objects.all(), Bot.objects.all())
    names: list[str] = list(Tournament.objects.values_list("name", flat=True))
    names += Club.objects.values_list("name", flat=True)
    for row in rows:
        club_rows = row.filter(club=club) if club else row
        names += club_rows.values_list("name", flat=True)
    names += User.objects.values_list("username", flat=True)
    return names_containing(old, names)


@transaction.atomic
def erase_sign_up(actor: Actor, request: SignUpRequest) -> SignUpRequest:
    """Erase the names, contact and remarks of a request without an entry; it leaves the list.

    Ticket and amounts stay. Of a player the page of the player erases. Refuses FORBIDDEN,
    REQUEST_ENTERED, NOT_LISTED.
    """
    club = request.signup.tournament.club
    refuse_unless(may_administer(actor, club), actor)
    refuse_without_list()
    tournament = lock_tournament(request.signup.tournament)
    requests = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    request = refresh_row(requests.filter(signup__tournament=tournament), request)
    if entry_of_request(request) is not None:
        raise Refusal(Reason.REQUEST_ENTERED)
    erase_request(actor, request, timezone.now())
    transaction.on_commit(write_list, robust=True)
    return request


# --- an account ----------------------------------------------------------------------------------


def _erase_user(user: User, erasure: Erasure) -> None:
    called = pseudonym(erasure.number)
    texts = (user.get_username(), user.email, user.get_full_name(), *_wanted_address(user))
    renaming = Renaming(dict.fromkeys(filter(None, texts), called))
    renaming = Renaming(renaming.names, _remaining_names(None, renaming.names))
    end_sign_ins(user, keep=None)
    for model in ACCESS_LOGS:
        model.objects.filter(username__iexact=user.get_username()).delete()
    reworded = scrub_texts(renaming, None)
    records = scrub_records(renaming, None, timezone.now())
    reworded["record"] += records
    system, own_clubs = Actor.system(), set(user.memberships.values_list("club_id", flat=True))
    for club in Club.objects.order_by("pk"):
        redacted = scrub_history(system, club, renaming, user_pk=user.pk, records=records)
        write_reworded_rows(system, club, reworded, redacted)
        if redacted or club.pk in own_clubs:
            write_event(system, "account.erased", club, club=club, number=erasure.number)
    user.delete()
    # Files do not roll back.
    transaction.on_commit(write_list, robust=True)
    transaction.on_commit(lambda: delete_mail_files(renaming), robust=True)
    log.info("account erased: number %d, %d records redacted", erasure.number, len(records))


def _wanted_address(user: User) -> tuple[str, ...]:
    new_address = getattr(user, "new_address", None)
    return () if new_address is None else (new_address.email,)


def delete_mail_files(renaming: Renaming) -> int:
    """Delete the mails stored as files that contain a name; return how many."""
    count = 0
    for path in _mail_files():
        text = path.read_text(encoding="utf-8", errors="replace")
        if renaming.text(text) != text:
            path.unlink(missing_ok=True)
            count += 1
    return count


def _mail_files() -> list[Path]:
    """Return the mails that a service without a mail server writes to files."""
    return sorted((settings.VAR / "mail").glob("*"))


# --- after a restore -----------------------------------------------------------------------------


def list_path() -> Path:
    """Return the path of the list of erasures, which is kept outside the database."""
    return Path(settings.VAR) / "erased.ndjson"


def erasure_list() -> list[dict[str, Any]]:
    """Return the erasures as entries of the list: numbers, keys and times, no names."""
    return [
        *(
            {"number": e.number, "player": e.player_key, "user": e.user_key, "at": e.at.isoformat()}
            for e in Erasure.objects.all()
        ),
        *erased_people(),
    ]


def read_list(path: Path) -> list[dict[str, Any]]:
    """Read a list of erasures; raises ValueError with the line at fault."""
    entries = []
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        try:
            entries.append(_entry(line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"line {number}: {error}") from error
    return entries


def _entry(line: str) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads(line)
    keys = (entry["number"], entry["player"] or 0, entry["user"] or 0)
    if not all(isinstance(key, int) for key in keys) or parse_datetime(entry["at"]) is None:
        raise ValueError(line)
    return entry


def refuse_without_list() -> None:
    """Refuse NOT_LISTED where the list cannot be written: a restore would bring the name back."""
    try:
        write_list()
    except (OSError, ValueError) as error:
        log.exception("the list of erasures cannot be written")
        raise Refusal(Reason.NOT_LISTED) from error


def write_list() -> None:
    """Rewrite the list atomically; entries missing in a restored database stay on it.

    Raises OSError, and ValueError with the line at fault as :func:`read_list`.
    """
    path = list_path()
    # Two erasures at once would write the same draft, or one without the other's entry.
    with path.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        old = read_list(path) if path.exists() else []
        entries = {entry["number"]: entry for entry in (*old, *erasure_list())}
        draft = path.with_suffix(".new")
        text = "".join(json.dumps(entries[number]) + "\n" for number in sorted(entries))
        draft.write_text(text, encoding="ascii")
        draft.replace(path)


def repeat_erasures(lines: Iterable[Mapping[str, Any]]) -> int:
    """Repeat the erasures that a restored backup does not contain; return how many.

    ``lines`` are those of the list (:func:`erasure_list`). Call it before the restored service is
    used: primary keys unknown to the backup are given to other rows afterwards. Repeating it
    changes nothing. Each erasure is a transaction of its own.
    """
    return sum(_repeat_erasure(line) for line in lines)


@transaction.atomic
def _repeat_erasure(line: Mapping[str, Any]) -> bool:
    """Repeat one erasure of the list under its number; return whether there was a row to erase."""
    number, erased_at = line["number"], parse_datetime(line["at"])
    if "person" in line:
        return erased_at is not None and repeat_erased_person(line["person"], erased_at)
    if Erasure.objects.filter(number=number).exists():
        return False
    keys = {"player_key": line["player"], "user_key": line["user"]}
    if line["player"] is not None:
        player = Player.objects.select_related("club").filter(pk=line["player"]).first()
        if player is not None:
            lock_club(player.club)
            _erase_player(Actor.system(), player, _store_erasure(number, keys, erased_at))
            return True
        return False
    user = User.objects.filter(pk=line["user"], date_joined__lte=erased_at).first()
    if user is None:
        return False
    _erase_user(user, _store_erasure(number, keys, erased_at))
    return True


def _store_erasure(
    number: int, keys: Mapping[str, int | None], erased_at: datetime | None
) -> Erasure:
    return Erasure.objects.create(number=number, at=erased_at or timezone.now(), **keys)


# --- Retention ------------------------------------------------------------------------------------
# Deletes personal data after its retention period (docs/operators/privacy.md), set for each kind in
# days by BAZA_KEEP_DAYS. A run deletes a few thousand rows of each kind, so that it stays short;
# the rest follows an hour later.


AT_ONCE: Final = 5000
"""Limit of rows of one kind that one run deletes."""


def delete_expired() -> dict[str, int]:
    """Delete what is past its retention period; return the counts by kind, and log them."""
    now = timezone.now()
    removals = {
        kind: forget(now - timedelta(days=settings.ENVIRONMENT.keep_days[kind]))
        for kind, forget in KINDS.items()
    }
    if any(removals.values()):
        counts = ", ".join(f"{count} {kind}" for kind, count in removals.items() if count)
        log.info("forgotten after their time: %s", counts)
    return removals


def _invitations(limit: datetime) -> int:
    """Delete invitations that have ended or were revoked, and addresses never confirmed."""
    over = Q(expires_at__lt=limit) | Q(revoked_at__lt=limit)
    return _delete(Invitation.objects.filter(over)) + _delete(
        NewAddress.objects.filter(asked_at__lt=limit)
    )


def _sign_ins(limit: datetime) -> int:
    """Delete unused sign-ins with their sessions, and expired sessions."""
    old = SignIn.objects.filter(seen_at__lt=limit)
    keys = list(old.values_list("session_key", flat=True)[:AT_ONCE])
    over = Session.objects.filter(Q(session_key__in=keys) | Q(expire_date__lt=timezone.now()))
    _delete(over)
    return _delete(old)


def _attempts(limit: datetime) -> int:
    """Delete the records of failed sign-ins: names, addresses, browsers."""
    return sum(_delete(kind.objects.filter(attempt_time__lt=limit)) for kind in ACCESS_LOGS)


def _evidence(limit: datetime) -> int:
    """Delete the texts of refused records of finished tournaments.

    Digest, verdict and event stay, and so do the texts that a dispute was about.
    """
    finished = AuditEvent.objects.filter(
        tournament=OuterRef("match__round__stage__tournament"), verb="tournament.finished"
    )
    records = Record.objects.filter(
        Exists(finished.filter(at__lt=limit)),
        ~Exists(finished.filter(at__gte=limit)),
        state=Record.State.REFUSED,
        match__round__stage__tournament__state=Tournament.State.FINISHED,
        disputes=None,
    ).exclude(text="")
    keys = list(records.values_list("pk", flat=True)[:AT_ONCE])
    return Record.objects.filter(pk__in=keys).update(text="")


def _deliveries(limit: datetime) -> int:
    """Delete webhook messages that arrived or were given up, with their answers."""
    over = Delivery.objects.exclude(state=Delivery.State.WAITING)
    return _delete(over.filter(made_at__lt=limit))


def _push(limit: datetime) -> int:
    """Delete the subscriptions to messages of tournaments that are over.

    One that nobody has finished is over when as much time as for its contacts has passed, too.
    """
    count = 0
    for tournament in Tournament.objects.filter(push_subscriptions__made_at__lt=limit).distinct():
        is_over = tournament.state == Tournament.State.FINISHED or tournament.cancelled_at
        if end_of_play(tournament) + (timedelta() if is_over else keeping_period()) < limit:
            count += _delete(tournament.push_subscriptions.filter(made_at__lt=limit))
    return count


def _mails(limit: datetime) -> int:
    """Delete mails in files."""
    old = [path for path in _mail_files() if path.stat().st_mtime < limit.timestamp()]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _delete(rows: QuerySet[Any]) -> int:
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
    rows.model._default_manager.filter(pk__in=keys).delete()  # noqa: SLF001 - as every model has
    return len(keys)


KINDS: Final[Mapping[str, Callable[[datetime], int]]] = {
    "invitations": _invitations,
    "sign_ins": _sign_ins,
    "attempts": _attempts,
    "evidence": _evidence,
    "deliveries": _deliveries,
    "mails": _mails,
    "contacts": delete_contacts,
    "push": _push,
}
"""Functions that delete, by the name of their period in the settings."""
