"""German: what the check of a proof finds."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "verify.contents": "Das Turnier ist das nachgewiesene.",
        "verify.contents_changed": "Das Turnier ist nicht das nachgewiesene: Seine Prüfsumme ist {found}, nicht {stated}.",  # noqa: E501
        "verify.round": "Neu ausgelost ist sie dieselbe.",
        "verify.table_differs": "Dort steht {stated}; die Auslosung ergibt {found}.",
        "verify.tables_missing": "Dort stehen {stated} Tische; die Auslosung ergibt {found}.",
        "verify.cannot_draw": "Aus dem damals Bekannten lässt sich nicht auslosen ({why}).",
        "verify.cannot_begin": "Es lässt sich nicht sagen, wer weiterkommt ({why}).",
        "verify.edited": "Von Hand geändert von {by} ({reason}); abweichende Tische: {tables}.",
        "verify.accepted": "Von der ändernden Person in Kauf genommen: {rule}: {all}.",
        "verify.rematch": "Sie waren sich schon begegnet: {all}.",
        "verify.apart": "Sie dürfen sich nicht treffen: {all}.",
        "verify.second_bye": "Zum zweiten Mal spielfrei: {all}.",
        "verify.not_here": "War nicht da, um zu spielen: {all}.",
        "verify.asked_bye": "Hatte um Spielfrei gebeten und wurde gepaart: {all}.",
        "verify.without_table": "Ohne Tisch: {all}.",
        "verify.qualified": "Es spielen, die sich qualifiziert haben.",
        "verify.not_qualified": "Es spielen nicht die Qualifizierten; zu viel oder fehlend: {all}.",
        "verify.seeded": "Die Reihenfolge ergibt sich aus dem Seed ({count}; später: {late}).",
        "verify.not_seeded": "Die Reihenfolge ergibt sich nicht aus dem Seed, sondern {found}.",
        "verify.standings": "Die Tabelle ergibt sich ebenso.",
        "verify.no_standings": "Die Datei enthält keine Tabelle, die zu prüfen wäre.",
        "verify.standing_differs": "{all}: {field} ist mit {stated} angegeben; es ergibt sich {found}.",  # noqa: E501
        "verify.lines_missing": "Die Tabelle hat {stated} Zeilen; es ergeben sich {found}.",
        "verify.no_such_round": "Eine Tabelle ist für eine Runde angegeben, die es nicht gibt.",
        "verify.cannot_rank": "Es lässt sich keine Tabelle berechnen ({why}).",
        "verify.records": "Ergebnisse, die aus ihren Protokollen folgen: {count}.",
        "verify.record_missing": "Das Protokoll dazu ist nicht da ({digest}).",
        "verify.record_invalid": "Das Protokoll dazu ist ungültig: {why} ({digest}).",
        "verify.sets_differ": "Die Protokolle sind nicht die einer zu Ende gespielten Partie aus ganzen Blattsätzen.",  # noqa: E501
        "verify.marks_differ": "Dort steht {stated} (Spiele, Punkte); das Protokoll ergibt {found}.",  # noqa: E501
    }
)
