"""German: tournament files and TRF."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "file.lost.hands": "eine TRF-Datei enthält keine Spiele, nur wer gewonnen hat",
        "file.lost.points": "eine TRF-Datei enthält keine erzielten Punkte",
        "file.lost.boards": "eine TRF-Datei enthält keine Blattverteilungen",
        "file.lost.players": "eine TRF-Datei enthält nicht die Mitglieder eines Paares, nur seinen Namen",  # noqa: E501
        "file.lost.clubs": "eine TRF-Datei enthält keine Vereine",
        "file.lost.names": "lange Namen wurden auf 33 Zeichen gekürzt",
        "file.lost.penalties": "eine TRF-Datei enthält keine Strafen in Spielen oder Punkten",
        "file.lost.stages": "eine TRF-Datei enthält nur eine Phase",
        "file.lost.seed": "eine TRF-Datei enthält den Startwert nicht: Die Auslosungen lassen sich daraus nicht wiederholen",  # noqa: E501
        "file.bad_json": "kein JSON: {detail}",
        "file.too_large": "größer als {most} Byte",
        "file.wrong_type": "muss {expected} sein; dort steht {found}",
        "file.out_of_range": "muss zwischen {least} und {most} liegen; dort steht {found}",
        "file.too_long": "hat {found} Zeichen; höchstens {most} sind erlaubt",
        "file.wrong_length": "muss {least} bis {most} Einträge haben; es sind {found}",
        "file.unknown_choice": "{found!r} gehört nicht zu: {choices}",
        "file.unknown_field": "ein Feld {found!r} gibt es hier nicht; es gibt: {choices}",
        "file.missing_field": "das Feld {field!r} fehlt",
        "file.twice": "{found} steht zweimal da",
        "file.unknown_entrant": "niemand hat die Nummer {found}",
        "file.unknown_stage": "keine frühere Phase hat die Nummer {found}",
        "file.unknown_round": "eine Runde {found} gibt es nicht",
        "file.out_of_order": "{found} folgt nicht auf {after}",
        "file.seated_twice": "{found} sitzt in derselben Runde an zwei Plätzen",
        "file.bye_alone": "wer spielfrei ist, sitzt allein, und sonst niemand; es sind {sides} Seiten",  # noqa: E501
        "file.bye_without_marks": "spielfrei hat kein eigenes Ergebnis: Die Skala sagt, was es wert ist",  # noqa: E501
        "file.one_a_side": "muss je Seite eines haben: Es sind {found} für {sides} Seiten",
        "file.one_a_board": "muss je Blatt eines haben: Es sind {found} für {boards} Blätter",
        "file.no_such_side": "eine Seite {found} gibt es nicht: Sie zählen ab 0, und es sind {sides}",  # noqa: E501
        "file.bad_line": "nicht lesbar: {found}",
        "file.no_players": "hat keine Spieler (001)",
        "file.not_mutual": "{entrant} gibt an, gegen {opponent} gespielt zu haben; dort steht das nicht",  # noqa: E501
        "file.bad_row": "so kann die Zeile nicht sein: {detail}",
        "file.unknown_row": "die Liste {list!r} hat keine Zeile {found}",
        "file.contradicts": "stimmt nicht mit dem Übrigen überein: Es müsste {expected_value} sein; dort steht {found}",  # noqa: E501
        "file.name_of_another": "das Kürzel {found!r} gehört in diesem Verein jemand anderem",
        "file.other_people": "in diesem Verein sind {found!r} zwei andere Personen",
        "file.not_alone": "eine TRF-Datei enthält nur eine Phase; dies ist Nummer {found}",
        "file.no_such_bye": "eine TRF-Datei kann das nicht ausdrücken: {found}",
        "file.not_two_sides": "eine TRF-Datei kennt nur Begegnungen von zweien; an diesem Tisch sind es {found}",  # noqa: E501
        "file.expected.integer": "eine ganze Zahl",
        "file.expected.number": "eine Zahl",
        "file.expected.points": 'eine genaue Zahl: 2, 0.5 oder "1/2"',
        "file.expected.boolean": "true oder false",
        "file.expected.text": "ein Text",
        "file.expected.list": "eine Liste",
        "file.expected.moment": "eine Zeit mit Zone, ISO 8601",
        "file.expected.decimal": 'eine Dezimalzahl in Anführungszeichen: "1.50"',
        "file.expected.object": "ein Objekt",
        "file.expected.number_key": 'eine Zahl in Anführungszeichen: "4"',
        "file.expected.seed": "ganze Bytes, hexadezimal in Kleinbuchstaben",
        "file.expected.digest": "sha256: und 64 hexadezimale Ziffern",
    }
)
