"""What :mod:`engine.wording` says, in German: by the same keys, with the same fields."""

from collections.abc import Mapping
from typing import Final

SENTENCES: Final[Mapping[str, str]] = {
    "record.syntax": "das ist kein {notation}: {reason}{where}",
    "record.format": 'ein Protokoll ist ein JSON-Objekt mit "format": "baza/1"',
    "record.ruleset": "unbekanntes Regelwerk {found}; bekannt sind: {known}",
    "record.option": "{place}: {reason}",
    "record.seats": "nötig sind {expected} Sitze, jeder mit einem Namen: {reason}",
    "record.field": "{place}: {reason}",
    "record.limit": "{place}: mehr als die {limit} {what}, die ein Protokoll haben darf",
    "deal.card": "diese Karte gibt es nicht: {cards}",
    "deal.duplicate": "zweimal gegeben: {cards}{missing}",
    "deal.missing": "niemandem gegeben: {cards}",
    "deal.size": "{sizes}; es sollten {expected} sein",
    "deal.trump": "{card} zeigt Trumpf an, liegt aber nicht am richtigen Ort: {shown}",
    "deal.dealer": "zu geben hat {expected}, nicht {found}",
    "play.token": "{text!r} ist weder eine Karte noch eine Ansage",
    "play.not_held": "{seat} hat {card} nicht; erlaubt ist {legal}",
    "play.must_follow": "{seat} spielte {card}, muss aber {led} bedienen: {legal}",
    "play.must_head": "{seat} spielte {card}, muss aber höher spielen als {best}: {legal}",
    "play.must_trump": "{seat} spielte {card}, muss aber stechen: {legal}",
    "play.must_overtrump": "{seat} spielte {card}, muss aber {best} übertrumpfen: {legal}",
    "play.incomplete": "das Spiel bricht hier ab; {seat} hat {legal} zu spielen",
    "play.leader": "als Ausspielender steht {stated} da, doch hier spielt {replayed} aus",
    "play.after_end": "das Spiel ist zu Ende, und doch folgt {text!r}",
    "declare.not_held": "{seat} hat die Karten zu {declaration} nicht",
    "declare.window": "{declaration} kommt im falschen Augenblick",
    "declare.repeated": "{declaration} war schon angesagt",
    "declare.order": "{declaration} ist jetzt nicht erlaubt: Eine andere Ansage geht vor",
    "declare.limit": "{seat} hat nach diesem Stich schon angesagt",
    "declare.forfeited": "{declaration} wurde nicht rechtzeitig angesagt und ist verloren",
    "declare.not_admitted": "{declaration} gibt es in diesem Regelwerk nicht",
    "exchange.not_admitted": "{declaration}: Dieses Regelwerk kennt keinen Tausch",
    "exchange.window": "{declaration}: Der Tausch ist nicht mehr möglich",
    "exchange.no_trick": "{declaration}: Zum Tauschen muss {seat} einen Stich gewonnen haben",
    "exchange.not_held": "{declaration}: {seat} hat diesen Trumpf nicht",
    "exchange.upcard": "{declaration}: Gegen die aufgedeckte Karte wird er nicht getauscht",
    "claim.window": "{declaration} kommt im falschen Augenblick",
    "claim.not_admitted": "{declaration}: Dieses Regelwerk lässt es nicht zu",
    "support.not_admitted": "{declaration}: Dieses Regelwerk kennt keinen Teller (plato)",
    "support.window": (
        "{seat} sagt der Reihe nach und vor dem ersten Ausspielen, ob mitgegangen wird"
    ),
    "score.points": "im Protokoll steht {stated}, das Nachspielen ergibt {replayed}",
    "score.winner": "laut Protokoll gewann {stated} das Spiel, gewonnen hat es {replayed}",
    "score.match": "im Protokoll steht {stated} für die Partie, die Spiele ergeben {replayed}",
    "score.impossible": "kein Spielverlauf kann {stated} ergeben",
    "declare.not_admitted/four_twenties": (
        "viermal zwanzig ist unmöglich: Das Paar in Trumpf ist die Vierzig"
    ),
    "score.points/sum": (
        "die Seiten haben zusammen {found}; mit dem Angesagten ergibt ein Spiel {sums}"
    ),
    "score.impossible/no_cards": (
        "mit dem Angesagten und den letzten zehn ergibt keine Verteilung der Karten {stated}"
    ),
    "match.over": "die Partie war vor diesem Spiel schon entschieden",
    "declare.omitted": "{seat} hätte {declaration} ansagen können und hat es verloren",
    "match.unfinished": "die Partie ist noch nicht entschieden: {score}",
    "claim.missing": "niemand hat gefordert; {seat} war zuerst so weit und gewinnt",
    "hand.unaudited": (
        "von diesem Spiel steht nur das Ergebnis da; der Verlauf lässt sich nicht prüfen"
    ),
}

HINTS: Final[Mapping[str, str]] = {
    "swap": "vielleicht sind {first} und {second} vertauscht (Züge {tokens})",
    "card": "{found} ist vielleicht {write}, falsch gelesen (Zug {tokens})",
    "call": "{found} ist vielleicht {write}, falsch gelesen (Zug {tokens})",
    "missing": "vielleicht fehlt {write} (vor Zug {tokens}{also})",
    "superfluous": "vielleicht ist {found} zu viel (Zug {tokens})",
    "moved": "vielleicht kam {found} zu anderer Zeit (Zug {place}{also}, nicht {origin})",
    "trump": "vielleicht zeigte {write}{also} Trumpf an, nicht {found}",
    "dealer": "vielleicht gab {write}, nicht {found}",
    "deal": "bei {seats} ist {found} vielleicht {write}",
    "deal_missing": "bei {seats} fehlt vielleicht {write}",
    "deal_superfluous": "bei {seats} ist {found} vielleicht zu viel",
    "deal_moved": "{found}, notiert bei {origin}, gehört vielleicht zu {place}",
    "deal_swap": (
        "{found}, notiert bei {origin}, und {write}, notiert bei {place}, "
        "sind vielleicht vertauscht"
    ),
    "points": "vielleicht sind die Punkte falsch gezählt: Das Nachspielen ergibt {write}",
    "winner": "vielleicht steht das Spiel bei der falschen Seite: Gewonnen hat es {write}",
    "payments": "vielleicht sind die Zahlungen falsch gezählt: Das Nachspielen ergibt {write}",
}

WHERE: Final[Mapping[str, str]] = {"stock": "dem Talon"}

EXPLAINED: Final[Mapping[str, str]] = {
    "points too": "; dann stimmt auch das angegebene Ergebnis",
    "winner too": "; dann stimmt auch der angegebene Gewinner",
    "play": "",
}

REASONS: Final[Mapping[str, str]] = {
    "malformed_json": "es ist nicht zu verstehen",
    "duplicate_key": "ein Schlüssel steht zweimal in einem Objekt: {detail}",
    "bad_number": "eine Zahl, die JSON nicht kennt: {detail}",
    "bad_encoding": "bitte als UTF-8 ohne Byte-Reihenfolge-Marke speichern",
    "no_format": 'ein Protokoll beginnt mit [Format "baza/1"]',
    "no_record": "es ist kein Protokoll da",
    "many_records": "es ist mehr als ein Protokoll da",
    "bad_tag": 'eine Kopfzeile hat die Form [Name "Wert"]',
    "open_quote": "das schließende Anführungszeichen fehlt",
    "bad_escape": "eine solche Escape-Folge gibt es nicht",
    "twice": "{found} steht zweimal da",
    "nothing_to_inherit": "# hat darüber keinen Wert zu übernehmen",
    "late_tag": "Kopfzeilen stehen vor den Spielen des Protokolls",
    "seat_gap": "ein Sitz vor diesem fehlt",
    "bad_option": "eine Option hat die Form Name=Wert, nicht {found}",
    "no_dealer": "ein Spiel beginnt mit dealer, dem Geber",
    "unknown_line": "keine Zeile beginnt mit {found}",
    "one_word": "zu {found} gehört ein Wort",
    "bad_pairs": "nötig sind Seiten und ganze Zahlen: AC 80 BD 50",
    "empty_trick": "beim Ausspielenden fehlt die Karte",
    "play_and_none": "* heißt, dass kein Verlauf notiert ist, und es steht einer da",
    "blank_in_word": "eine Karte oder ein Zug ist ein einziges Wort",
    "missing": "fehlt",
    "wrong_type": "ist von der falschen Art",
    "unknown_field": "ist kein Feld eines Protokolls",
    "unknown_option": "ist keine Option dieses Regelwerks",
    "contradiction": "to und deals schließen einander aus",
    "wrong_number": "es sind {found}",
    "wrong_seat": "ist kein Sitz dieses Tisches",
    "wrong_side": "ist keine Seite dieses Tisches",
    "malformed_csv": "die Spalten lassen sich nicht unterscheiden",
    "unknown_column": "ist keine Spalte dieses Spielzettels",
    "too_many_cells": "hat mehr Felder als die erste Zeile",
    "unknown_declaration": "enthält etwas, das nicht angesagt wird",
    "bad_character": "enthält ein unsichtbares Zeichen oder ein Steuerzeichen",
}

SHOWN: Final[Mapping[str, str]] = {
    "dealer": "in der Hand des Gebers",
    "stock": "zuunterst im Talon",
    "aside": "beiseite, in keiner Hand",
}

WHAT: Final[Mapping[str, str]] = {
    "bytes": "Bytes",
    "depth": "Ebenen der Verschachtelung",
    "hands": "Spiele",
    "tokens": "Züge in einem Spiel",
    "characters": "Zeichen in einem Text",
}
