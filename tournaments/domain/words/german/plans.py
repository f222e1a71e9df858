"""German: formats and what they ask."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "plan.liguilla": "Liguilla (jeder gegen jeden)",
        "plan.liguilla.for": "Jeder trifft jeden einmal. Gerecht und einfach bis zu einem Dutzend Paaren.",  # noqa: E501
        "plan.liguilla_doble": "Liguilla, zwei Durchgänge",
        "plan.liguilla_doble.for": "Jeder trifft jeden zweimal, beim zweiten Mal mit vertauschtem Geben.",  # noqa: E501
        "plan.suizo": "Schweizer System",
        "plan.suizo.for": "Wenige Runden für viele: Wer gleich viele Punkte hat, trifft sich. Niemand scheidet aus.",  # noqa: E501
        "plan.suizo_final": "Schweizer System, dann Endrunde",
        "plan.suizo_final.for": "Ein Schweizer System, und die Besten spielen im K.-o. um den Titel.",  # noqa: E501
        "plan.grupos_final": "Gruppen, dann K.-o.",
        "plan.grupos_final.for": "Kleine Liguillas; die Ersten jeder Gruppe treffen sich im K.-o.",
        "plan.eliminatoria": "K.-o.",
        "plan.eliminatoria.for": "Wer verliert, ist draußen. Am kürzesten von allen.",
        "plan.doble_eliminacion": "Doppel-K.-o.",
        "plan.doble_eliminacion.for": "Draußen nach der zweiten Niederlage: ein Baum der Sieger und einer der Verlierer.",  # noqa: E501
        "plan.repesca": "K.-o. mit Trostrunde",
        "plan.repesca.for": "Wer die erste Partie verliert, spielt in einem zweiten Baum weiter. Jeder spielt mindestens zweimal.",  # noqa: E501
        "plan.tres_ceros": "Drei Ceros",
        "plan.tres_ceros.for": "Jede Niederlage ist ein Cero; mit dreien scheidet man aus. Wer übrig bleibt, gewinnt.",  # noqa: E501
        "plan.individual": "Einzel mit wechselnden Partnern",
        "plan.individual.for": "Gemeldet werden Spieler: Die Partner wechseln in jeder Runde, und jeder zählt für sich.",  # noqa: E501
        "plan.mesas_de_tres": "Dreiertische",
        "plan.mesas_de_tres.for": "Für Arrastrado: drei Spieler am Tisch, und niemand trifft jemanden wieder, solange es sich vermeiden lässt.",  # noqa: E501
        "plan.escalera": "Leiter (Escalera)",
        "plan.escalera.for": "Runden ohne Ende, vor allem für Bots: Jeder trifft jeden gleich oft, und man kommt und geht nach Belieben.",  # noqa: E501
        "plan.duplicado": "Duplicate",
        "plan.duplicado.for": "Dieselben Karten an jedem Tisch: Verglichen wird, was jedes Paar daraus macht.",  # noqa: E501
        "ask.rounds": "Runden",
        "ask.rounds.help": "Leer gelassen: so viele, wie die Gemeldeten brauchen.",
        "ask.groups": "Gruppen",
        "ask.groups.help": "",
        "ask.take": "Wie viele in die Endrunde kommen",
        "ask.take.help": "Meist 4 oder 8.",
        "ask.take_of_each": "Wie viele aus jeder Gruppe weiterkommen",
        "ask.take_of_each.help": "",
        "ask.third_place": "Um den dritten Platz wird gespielt",
        "ask.third_place.help": "",
        "ask.reset_final": "Ein zweites Finale, wenn gewinnt, wer aus dem Baum der Verlierer kommt",
        "ask.reset_final.help": "",
        "ask.lives": "Niederlagen bis zum Ausscheiden",
        "ask.lives.help": "",
        "ask.boards": "Blätter je Tisch und Runde",
        "ask.boards.help": "",
        "ask.tables_deal": "Wer ein Blatt zuerst spielt, teilt es aus",
        "ask.tables_deal.help": "Sonst kommen die Blätter vom Programm: Die Turnierleitung druckt sie und legt die Karten aus.",  # noqa: E501
        "format.liguilla": "Liguilla",
        "format.groups": "Gruppen",
        "format.knockout": "K.-o.-Baum",
        "format.double": "Doppel-K.-o.",
        "format.repesca": "K.-o. mit Trostrunde",
        "format.lives": "Ceros",
        "format.swiss": "Schweizer System",
        "format.individual": "Einzel",
        "format.threes": "Dreiertische",
        "format.duplicate": "Duplicate",
        "format.ladder": "Leiter",
    }
)
