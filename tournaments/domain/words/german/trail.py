"""German: what an audit finds in a history."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "trail.edited": "dort steht nicht, was geschrieben wurde: Dieses Ereignis oder das davor wurde geändert",  # noqa: E501
        "trail.deleted": "die Ereignisse bis {until} fehlen: Sie wurden gelöscht",
        "trail.inserted": "hier wurde ein Ereignis eingefügt, das es nicht gab",
        "trail.truncated": "das Ende fehlt: Es gab Ereignisse bis {until} ({by})",
        "trail.rewritten": "der Verlauf bis {until} ist nicht der hinterlegte ({by}): Er wurde neu geschrieben",  # noqa: E501
        "trail.unchained": "es ist noch nicht in der Kette: Eine frühere Version hat es geschrieben",  # noqa: E501
        "trail.uncovered_redaction": "seine Texte wurden ersetzt, und kein Ereignis berichtet davon",  # noqa: E501
        "trail.bad_redaction": "es berichtet, welche Texte ersetzt wurden, und ist nicht lesbar",
        "trail.bad_signature": "die Signatur des Prüfpunkts {checkpoint} stimmt nicht",
        "trail.unknown_key": "Prüfpunkt {checkpoint} ist mit einem anderen Schlüssel signiert: {key}",  # noqa: E501
        "trail.checkpoint_missing": "Prüfpunkt {checkpoint} fehlt",
        "trail.checkpoint_changed": "Prüfpunkt {checkpoint} folgt nicht auf den davor",
        "trail.no_trail": "dies ist kein Verlauf von Baza",
        "trail.cut_short": "die Datei wurde abgeschnitten",
        "trail.changed_file": "die Datei ist nicht, wie sie geschrieben wurde: Prüfsumme oder Anzahl weichen ab",  # noqa: E501
        "trail.bad_json": "die Zeile ist kein JSON",
        "trail.bad_field": "ein Feld fehlt oder ist nicht von seiner Art",
        "trail.too_long": "die Zeile ist zu lang",
        "trail.unknown_line": "die Zeile gehört zu keinem Verlauf",
        "trail.by_counter": "nach dem Zähler des Vereins",
        "trail.by_checkpoint": "nach Prüfpunkt {number}",
        "trail.holds": "{club}: {last} Ereignisse, {checkpoints} Signaturen, {redacted} geschwärzt: Alles stimmt",  # noqa: E501
        "trail.fails": "{club}: Der erste Fehler ist bei Ereignis {sequence}",
        "trail.own_key": "Der Schlüssel der Signaturen stammt aus der Datei selbst; bitte mit dem veröffentlichten vergleichen: {key}",  # noqa: E501
        "trail.unsigned": "Noch ist nichts signiert: Ein fehlendes Ende fiele nicht auf.",
    }
)
