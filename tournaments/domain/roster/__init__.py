"""Lists of players and pairs as people keep them: text in, rows out, every fault with its line.

Files are UTF-8 with or without a byte order mark, UTF-16 or Windows-1252. Fields are separated by
tabs, semicolons, vertical bars or commas, whichever divides most lines. The heading is the row with
the most known headings, in Spanish, English, German or Catalan, in any order; what stands above it
are titles, and a row that repeats it means nothing. Blank lines, blank cells, columns without a
known heading, the line ``sep=;`` of a spreadsheet, rows without a name, and the invisible marks
that chats put around names are left out. All faults are reported at once.

| list | columns |
|---|---|
| players | ``id,nombre`` or ``id,name`` |
| pairs | ``pareja,nombre,jugador1,jugador2`` or ``pair,name,player1,player2`` |
| entries, pairs | ``pareja,jugador1,jugador2,club,rating``: names; all but the players optional |
| entries, players | ``jugador,club,rating``: names; all but the player optional |

The two players of a pair may also stand in one cell, in a row each with a column of the pair, or
below one merged heading. A list of entries needs no heading when it holds names alone, an entry a
line: ``Pepa Gil y Manolo Ruiz``, ``Pepa Gil, Manolo Ruiz``, ``Pepa Gil - Manolo Ruiz``, and before
any of them the pair's own name with a colon. Numbers and bullets of a list from a chat
(``1. Pepa Gil``, ``- Pepa Gil``), its mentions (``@Pepa Gil``) and telephone numbers are left out.

What may be read wrongly is a fault until it is answered (`Reading`): columns whose cells are no
persons, names that `domain.person_names` doubts, lines that are struck out, stand below
“Reservas:”, or are no entry.
"""

from tournaments.domain.roster.codes import read_pairs, read_players
from tournaments.domain.roster.columns import entry_fields
from tournaments.domain.roster.entries import read_entries
from tournaments.domain.roster.ratings import HIGHEST_RATING, read_ratings
from tournaments.domain.roster.rows import (
    DOUBTS,
    FAULTS_OF_LISTS,
    MAX_CODE_LENGTH,
    RECOGNISE,
    SAME,
    Column,
    EnteredLine,
    EntryList,
    LeftOut,
    ListedEntrant,
    PairLine,
    PlayerLine,
    Reading,
    Roster,
    RosterFault,
    Seat,
    Source,
    WhoAnswer,
)
from tournaments.domain.roster.text import MAX_LIST_BYTES, kind_of_file

__all__ = [
    "DOUBTS",
    "FAULTS_OF_LISTS",
    "HIGHEST_RATING",
    "MAX_CODE_LENGTH",
    "MAX_LIST_BYTES",
    "RECOGNISE",
    "SAME",
    "Column",
    "EnteredLine",
    "EntryList",
    "LeftOut",
    "ListedEntrant",
    "PairLine",
    "PlayerLine",
    "Reading",
    "Roster",
    "RosterFault",
    "Seat",
    "Source",
    "WhoAnswer",
    "entry_fields",
    "kind_of_file",
    "read_entries",
    "read_pairs",
    "read_players",
    "read_ratings",
]
