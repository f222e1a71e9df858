"""Clubs, their members, and the import of players and pairs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments.core.audit import write_event, write_tournament_event
from tournaments.core.errors import ImportFault, Reason, Refusal, refuse_unless_known
from tournaments.core.find import lock_club, or_404
from tournaments.core.names import (
    create_with_slug,
    validate_name,
    validate_person,
    validate_remark,
)
from tournaments.core.permissions import (
    Actor,
    may_act_as_staff,
    may_administer,
    may_manage,
    refuse_unless,
)
from tournaments.domain.colours import is_club_colour
from tournaments.domain.names import are_alike, fold_name, marked_name
from tournaments.domain.person_names import judge_person
from tournaments.domain.roster import (
    RECOGNISE,
    PairLine,
    PlayerLine,
    Reading,
    Seat,
    WhoAnswer,
    read_pairs,
    read_players,
)
from tournaments.models import (
    Club,
    ClubProfile,
    Entry,
    Erasure,
    Membership,
    Pair,
    Player,
    Tournament,
)
from tournaments.models.people import MAX_PROFILE_LINE, MAX_TERMS_LENGTH
from tournaments.people.queries import ProfileRow
from tournaments.people.queries.who import NamedPerson, ask_who, refuse_open_questions

PROFILE_TEXTS: Final = frozenset(each.name for each in fields(ProfileRow))

# --- People ---------------------------------------------------------------------------------------
# Clubs, their members, and the accounts of players.


@transaction.atomic
def create_club(
    actor: Actor, *, name: str, city: str = "", slug: str | None = None, may_be_alike: bool = True
) -> Club:
    """Create a club; the actor becomes its organiser.

    Refuses FORBIDDEN, BAD_NAME, BAD_SLUG, SLUG_TAKEN, and CLUB_ALIKE unless ``may_be_alike``.
    """
    refuse_unless(may_act_as_staff(actor), actor)
    name, city = validate_name(name), validate_name(city) if city else ""
    if not may_be_alike:
        refuse_alike(Club.objects.all(), name)
    club = create_with_slug(Club.objects.all(), name, slug, city=city)
    if actor.user is not None:
        Membership.objects.create(user=actor.user, club=club, role=Membership.Role.ORGANISER)
    write_event(actor, "club.created", club, club=club, name=name, city=city)
    return club


def refuse_alike(clubs: QuerySet[Club], name: str) -> None:
    """Refuse CLUB_ALIKE, which names the clubs whose names differ from this one in marks alone."""
    alike = [club for club in clubs if are_alike(club.name, name)]
    if alike:
        names = (f"{club.name} ({club.city})" if club.city else club.name for club in alike)
        raise Refusal(Reason.CLUB_ALIKE, text=", ".join(names))


@transaction.atomic
def set_people_in_search(actor: Actor, club: Club, *, people_in_search: bool) -> Club:
    """Let search engines list the pages of the club's people and pairs, or ask them not to.

    The same value changes nothing. Refuses FORBIDDEN.
    """
    refuse_unless(may_manage(actor, club), actor)
    club = lock_club(club)
    if club.people_in_search != people_in_search:
        club.people_in_search = people_in_search
        club.save(update_fields=["people_in_search"])
        write_event(
            actor, "club.people_in_search_set", club, club=club, people_in_search=people_in_search
        )
    return club


@transaction.atomic
def describe_club(actor: Actor, club: Club, texts: Mapping[str, str]) -> ClubProfile:
    """Set what a club says of itself, by the names of `ProfileRow`; what is left out stays.

    The same texts change nothing; the event names the fields alone, as members read it. Refuses
    FORBIDDEN, BAD_REASON, BAD_OPTIONS, BAD_COLOUR.
    """
    refuse_unless(may_manage(actor, club), actor)
    club = lock_club(club)
    profile = ClubProfile.objects.filter(club=club).first() or ClubProfile(club=club)
    changed = []
    for name in PROFILE_TEXTS & texts.keys():
        text = validate_remark(texts[name].replace("\r\n", "\n"))
        text = text.lower() if name == "colour" else text
        most = MAX_TERMS_LENGTH if name == "house_terms" else MAX_PROFILE_LINE
        if len(text) > most or ("\n" in text and name != "house_terms"):
            raise Refusal(Reason.BAD_OPTIONS, text=name)
        if name == "colour" and text and not is_club_colour(text):
            raise Refusal(Reason.BAD_COLOUR)
        if text != getattr(profile, name):
            setattr(profile, name, text)
            changed.append(name)
    if changed:
        profile.save()
        write_event(actor, "club.described", club, club=club, changed=sorted(changed))
    return profile


@transaction.atomic
def add_member(actor: Actor, club: Club, user: User, role: str) -> Membership:
    """Give a user a role in the club, or change the user's role.

    Refuses FORBIDDEN, UNKNOWN_ROLE, LAST_ORGANISER.
    """
    refuse_unless(may_administer(actor, club), actor)
    refuse_unless_known(Reason.UNKNOWN_ROLE, role, Membership.Role.values)
    club = lock_club(club)
    if role != Membership.Role.ORGANISER:
        refuse_last_organiser(club, user)
    return give_role(actor, club, user, role)


def give_role(actor: Actor, club: Club, user: User, role: str) -> Membership:
    """Give a role in a locked club, after the right was checked."""
    membership, _ = Membership.objects.update_or_create(
        user=user, club=club, defaults={"role": role}
    )
    write_event(
        actor, "member.added", membership, club=club, user=user.get_username(), role=str(role)
    )
    return membership


@transaction.atomic
def remove_member(actor: Actor, club: Club, user: User) -> None:
    """Remove a user's role in the club; API tokens lose the rights that their user loses.

    Refuses FORBIDDEN, NOT_FOUND, LAST_ORGANISER.
    """
    refuse_unless(may_administer(actor, club), actor)
    club = lock_club(club)
    membership = or_404(Membership.objects.filter(club=club, user=user).first())
    refuse_last_organiser(club, user)
    name, role = user.get_username(), membership.role
    write_event(actor, "member.removed", membership, club=club, user=name, role=role)
    membership.delete()


def refuse_last_organiser(club: Club, user: User) -> None:
    """Refuse LAST_ORGANISER when a locked club has no other organiser than this user."""
    organisers = Membership.objects.filter(club=club, role=Membership.Role.ORGANISER)
    keys = set(organisers.values_list("user_id", flat=True))
    if keys == {user.pk}:
        raise Refusal(Reason.LAST_ORGANISER)


def give_account(actor: Actor, club: Club, player: Player, user: User | None) -> Player:
    """Set a player's account in a locked club, after the right was checked."""
    player.user = user
    player.save(update_fields=["user"])
    name = user.get_username() if user else None
    write_event(actor, "player.linked", player, club=club, code=player.code, user=name)
    return player


# --- Rosters --------------------------------------------------------------------------------------
# Importing players and pairs from CSV: either the whole list, or nothing and every fault.
#
# A known code means the same player or pair: differing fields are updated, and importing the same
# list again changes nothing.


PLAYERS, PAIRS = "players", "pairs"


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """Number of rows that an import created, changed, and left unchanged."""

    created: int
    changed: int
    unchanged: int


@transaction.atomic
def import_players(
    actor: Actor,
    club: Club,
    source: bytes | str,
    *,
    as_written: bool = False,
    reading: Reading = RECOGNISE,
) -> ImportCounts:
    """Import a list of players (`id,nombre`); names in doubt are right ``as_written``.

    ``reading`` answers who the new ones are (`identify_players`). Refuses FORBIDDEN, WHO_IS_THIS,
    UNKNOWN_PLAYER, and IMPORT_REFUSED with every fault in ``errors``.
    """
    refuse_unless(may_manage(actor, club), actor)
    club = lock_club(club)
    lines, faults = read_player_list(club, source, as_written=as_written)
    refuse_faults(faults)
    found = identify_players(club, lines, reading)
    counts = store_players(actor, club, found.lines)
    return replace(counts, unchanged=counts.unchanged + len(found.codes))


@transaction.atomic
def import_pairs(actor: Actor, club: Club, source: bytes | str) -> ImportCounts:
    """Import a list of pairs (`pareja,nombre,jugador1,jugador2`) of players of the club.

    Refuses FORBIDDEN, and IMPORT_REFUSED with every fault in ``errors``.
    """
    refuse_unless(may_manage(actor, club), actor)
    club = lock_club(club)
    lines, faults = read_pair_list(club, source)
    refuse_faults(faults)
    return store_pairs(actor, club, lines)


def refuse_faults(faults: list[ImportFault]) -> None:
    """Raise IMPORT_REFUSED when there is any fault; players come first, then line by line."""
    if faults:
        in_order = sorted(faults, key=lambda fault: (fault.file != PLAYERS, fault.line))
        raise Refusal(Reason.IMPORT_REFUSED, errors=in_order, count=len(faults))


def read_player_list(
    club: Club, source: bytes | str, *, as_written: bool = False
) -> tuple[tuple[PlayerLine, ...], list[ImportFault]]:
    """Parse a list of players and compare it with the club's players; new names are judged."""
    roster = read_players(source)
    faults = [ImportFault(PLAYERS, f.line, f.code, f.text, f.accepted) for f in roster.faults]
    rows = Player.objects.filter(club=club).values_list("code", "folded")
    faults += _names_taken(PLAYERS, roster.lines, _names_of_others(rows, roster.lines))
    known = {folded for _code, folded in rows}
    faults += [
        ImportFault(PLAYERS, line.line, doubt.code, line.name)
        for line in roster.lines
        if fold_name(line.name) not in known
        and (doubt := judge_person(line.name)) is not None
        and line.name
        and (doubt.is_refused or not as_written)
    ]
    names = dict(_erased_players(club).values_list("code", "name"))
    faults += [
        ImportFault(PLAYERS, line.line, "was_erased", line.code)
        for line in roster.lines
        if names.get(line.code, line.name) != line.name
    ]
    return roster.lines, faults


@dataclass(frozen=True, slots=True)
class ClubPlayers:
    """The players of a club, as `ask_who` takes them for a list that is for no tournament."""

    players: Mapping[str, Player]
    taken: frozenset[str]
    renamed: Mapping[str, Player] = field(default_factory=dict)
    seated: frozenset[str] = frozenset()
    tournament: Tournament | None = None


class IdentifiedPlayers(NamedTuple):
    """The ``lines`` of players to store; ``codes`` of the list that mean a player of the club."""

    lines: tuple[PlayerLine, ...]
    codes: dict[str, str]

    def with_codes(self, lines: Iterable[PairLine]) -> tuple[PairLine, ...]:
        """Return the lines of a list of pairs with the codes of the club."""
        codes = self.codes
        return tuple(
            replace(
                line,
                first=codes.get(line.first, line.first),
                second=codes.get(line.second, line.second),
            )
            for line in lines
        )


def identify_players(
    club: Club, lines: Sequence[PlayerLine], reading: Reading
) -> IdentifiedPlayers:
    """Return the lines of a list without faults with the answers who the new persons are.

    One who is a player of the club, or of an earlier line, is not made again, one with a mark has
    it in the name. Refuses UNKNOWN_PLAYER, and WHO_IS_THIS with all names that are nearly those of
    others (`ask_who`).
    """
    rows = {row.code: row for row in club.players.select_related("same_as")}
    new = [line for line in lines if line.code not in rows]
    main = {row.folded: row for row in rows.values() if row.same_as is None}
    known = ClubPlayers(main, frozenset(row.folded for row in rows.values()))
    names = {line.code: line.name for line in new} | {c: row.main.name for c, row in rows.items()}
    answers: dict[Seat, WhoAnswer] = {}
    for seat, answer in reading.who.items():
        if answer.code and answer.code not in names:
            raise Refusal(Reason.UNKNOWN_PLAYER, text=answer.code[:60])
        name = names[answer.code] if answer.code else answer.name
        answers[seat] = replace(answer, name=name, code="")
    people = [NamedPerson((line.line, 1), line.name, line.name) for line in new]
    questions = ask_who(known, people, answers, is_new_in_doubt=reading.is_new_in_doubt)
    refuse_open_questions([question for question in questions if question.is_open])
    asked = {question.line for question in questions}
    by_name = {fold_name(line.name): line.code for line in new}
    by_name |= {name: player.code for name, player in main.items()}
    stored, codes = [], {}
    for line in lines:
        answer = answers.get((line.line, 1), WhoAnswer()) if line.line in asked else WhoAnswer()
        code = by_name.get(fold_name(answer.name), line.code)
        if code != line.code:
            codes[line.code] = code
        else:
            stored.append(replace(line, name=marked_name(line.name, answer.mark)))
    return IdentifiedPlayers(tuple(stored), codes)


def read_pair_list(
    club: Club, source: bytes | str, new_players: Iterable[PlayerLine] = ()
) -> tuple[tuple[PairLine, ...], list[ImportFault]]:
    """Parse a list of pairs; compare it with the club's pairs and players and ``new_players``."""
    roster = read_pairs(source)
    faults = [ImportFault(PAIRS, f.line, f.code, f.text, f.accepted) for f in roster.faults]
    rows = Pair.objects.filter(club=club).values_list("code", "folded")
    faults += _names_taken(PAIRS, roster.lines, _names_of_others(rows, roster.lines))
    known_codes = set(Player.objects.filter(club=club).values_list("code", flat=True))
    known_codes |= {line.code for line in new_players}
    faults += [
        ImportFault(PAIRS, line.line, "unknown_player", code)
        for line in roster.lines
        for code in (line.first, line.second)
        if code and code not in known_codes
    ]
    faults += _pairs_in_play(club, roster.lines)
    names = dict(Pair.objects.filter(club=club).values_list("code", "name"))
    erased_codes = set(_erased_players(club).values_list("code", flat=True))
    faults += [
        ImportFault(PAIRS, line.line, "was_erased", line.code)
        for line in roster.lines
        if names.get(line.code, line.name) != line.name
        and not erased_codes.isdisjoint((line.first, line.second))
    ]
    return roster.lines, faults


def store_players(actor: Actor, club: Club, lines: Iterable[PlayerLine]) -> ImportCounts:
    """Write the players of a list without faults."""
    players_by_code = {player.code: player for player in Player.objects.filter(club=club)}
    new = [
        Player(club=club, code=line.code, name=line.name, folded=fold_name(line.name))
        for line in lines
        if line.code not in players_by_code
    ]
    changed = []
    unchanged = 0
    for line in lines:
        if (player := players_by_code.get(line.code)) is None:
            continue
        if player.name == line.name:
            unchanged += 1
            continue
        player.earlier = extended_earlier_names(player, line.name)
        player.name, player.folded = line.name, fold_name(line.name)
        changed.append(player)
    _free_folded_names(changed)
    for player in changed:
        player.save(update_fields=["name", "folded", "earlier"])
    Player.objects.bulk_create(new)
    _note(actor, club, "players.imported", new, changed)
    _note_in_tournaments(actor, changed)
    return ImportCounts(len(new), len(changed), unchanged)


def _note_in_tournaments(actor: Actor, renamed: Sequence[Player]) -> None:
    """Write into the history of tournaments in play which entries show another name."""
    shows = Q(player__in=renamed) | Q(pair__first__in=renamed) | Q(pair__second__in=renamed)
    entries = Entry.objects.filter(shows).exclude(tournament__state=Tournament.State.DRAFT)
    numbers: dict[Tournament, list[int]] = {}
    for entry in entries.select_related("tournament__club").order_by("tournament", "number"):
        numbers.setdefault(entry.tournament, []).append(entry.number)
    for tournament, of_entries in numbers.items():
        write_tournament_event(actor, "entry.renamed", tournament, tournament, entries=of_entries)


def extended_earlier_names(player: Player, name: str) -> str:
    """Return a player's earlier names once ``name`` is the current one, one a line."""
    names_by_folded = {
        fold_name(earlier_name): earlier_name
        for earlier_name in (*player.earlier_names, player.name)
    }
    names_by_folded.pop(fold_name(name), None)
    return "\n".join(names_by_folded.values())


def create_players(actor: Actor, club: Club, names: Iterable[str]) -> None:
    """Create a player for each name that nobody in the locked club has; codes are generated."""
    known_names = set(club.players.values_list("folded", flat=True))
    codes = unused_codes("J", set(club.players.values_list("code", flat=True)))
    names_by_key = {fold_name(name): name for name in names}
    new = [name for key, name in names_by_key.items() if key not in known_names]
    store_players(actor, club, [PlayerLine(0, next(codes), name) for name in new])


def person_name(club: Club, text: str, *, as_written: bool = False) -> str:
    """Return the name of a person to be found in a club, or to be made; who exists is not judged.

    Refuses BAD_NAME, and DOUBTFUL_NAME unless it is right ``as_written``.
    """
    name = validate_name(text)
    if club.players.filter(folded=fold_name(name)).exists():
        return name
    return validate_person(name, as_written=as_written)


def unused_codes(letter: str, used: set[str]) -> Iterator[str]:
    """Yield unused codes, from J001 on."""
    return (code for number in count(1) if (code := f"{letter}{number:03}") not in used)


def store_pairs(actor: Actor, club: Club, lines: Iterable[PairLine]) -> ImportCounts:
    """Write the pairs of a list without faults; their players must exist."""
    players = {player.code: player for player in Player.objects.filter(club=club)}
    pairs_by_code = {pair.code: pair for pair in Pair.objects.filter(club=club)}
    new, changed, unchanged = [], [], 0
    for line in lines:
        first, second = players[line.first], players[line.second]
        pair = pairs_by_code.get(line.code)
        if pair is None:
            new.append(
                Pair(
                    club=club,
                    code=line.code,
                    name=line.name,
                    folded=fold_name(line.name),
                    first=first,
                    second=second,
                )
            )
        elif (pair.name, pair.first_id, pair.second_id) == (line.name, first.pk, second.pk):
            unchanged += 1
        else:
            pair.name, pair.folded = line.name, fold_name(line.name)
            pair.first, pair.second = first, second
            changed.append(pair)
    _free_folded_names(changed)
    for pair in changed:
        pair.save(update_fields=["name", "folded", "first", "second"])
    Pair.objects.bulk_create(new)
    _note(actor, club, "pairs.imported", new, changed)
    return ImportCounts(len(new), len(changed), unchanged)


def _erased_players(club: Club) -> QuerySet[Player]:
    """Return the players of a club whose names were erased: a list must not bring them back."""
    keys = Erasure.objects.exclude(player_key=None).values("player_key")
    return Player.objects.filter(club=club, pk__in=keys)


def _names_of_others(
    rows: Iterable[tuple[str, str]], lines: Iterable[PlayerLine | PairLine]
) -> set[str]:
    """Return the folded names of the club's rows (code, folded) that are not in the list."""
    codes = {line.code for line in lines}
    return {name for code, name in rows if code not in codes}


def _names_taken(
    file: str, lines: Iterable[PlayerLine | PairLine], used: set[str]
) -> list[ImportFault]:
    return [
        ImportFault(file, line.line, "name_taken", line.name)
        for line in lines
        if fold_name(line.name) in used
    ]


def _pairs_in_play(club: Club, lines: Iterable[PairLine]) -> list[ImportFault]:
    """Return faults for pairs with changed players in a tournament that has been drawn."""
    playing = Entry.objects.exclude(tournament__state=Tournament.State.DRAFT)
    players = {
        code: (first, second)
        for code, first, second in Pair.objects.filter(
            club=club, pk__in=playing.values("pair")
        ).values_list("code", "first__code", "second__code")
    }
    return [
        ImportFault(PAIRS, line.line, "pair_in_play", line.name)
        for line in lines
        if players.get(line.code, (line.first, line.second)) != (line.first, line.second)
    ]


def _free_folded_names(rows: Iterable[Player | Pair]) -> None:
    """Replace the names of rows about to be renamed, so that two of them can swap names.

    The placeholder starts with a blank, which no folded name does, so it cannot collide.
    """
    for row in rows:
        type(row).objects.filter(pk=row.pk).update(folded=f" {row.pk}")


def _note(
    actor: Actor,
    club: Club,
    verb: str,
    created: Iterable[Player | Pair],
    changed: Iterable[Player | Pair],
) -> None:
    """Write the event of an import, unless it changed nothing."""
    facts: dict[str, Any] = {
        "created": [r.code for r in created],
        "changed": [r.code for r in changed],
    }
    if any(facts.values()):
        write_event(actor, verb, club, club=club, **facts)
