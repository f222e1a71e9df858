"""German: the rules of Tute."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "rule.R1": "Die Karten",
        "rule.R2": "Plätze und Geben",
        "rule.R3": "Sechs Regelwerke",
        "rule.R4": "Was gespielt werden darf",
        "rule.R5": "Der Talon und der Tausch",
        "rule.R6": "Ansagen",
        "rule.R7": "Die Abrechnung",
        "rule.R8": "Die Einsätze beim Arrastrado",
        "rule.R9": "Mano a mano: bis 101",
        "rule.R10": "Verstöße",
        "rule.R1.0": "Vierzig Karten: Münzen, Kelche, Schwerter und Keulen. Von oben: As, Drei, König, Reiter, Bube, 7, 6, 5, 4 und 2. Sie zählen 11, 10, 4, 3 und 2, die übrigen nichts. Der letzte Stich bringt zehn mehr: Ein Spiel ergibt ohne Ansagen 130.",  # noqa: E501
        "rule.R2.1": "Die Plätze heißen A, B, C und D in der Reihenfolge des Spiels, gegen den Uhrzeigersinn.",  # noqa: E501
        "rule.R2.2": "Bei Paaren spielt A mit C und B mit D. Sonst spielt jeder für sich.",
        "rule.R2.3": "Der Platz nach dem Geber ist Vorhand (mano) und spielt zuerst aus; danach, wer den letzten Stich gewann.",  # noqa: E501
        "rule.R2.4": "Der erste Geber wird gelost; nach jedem Spiel geht das Geben weiter.",
        "rule.R4.1": "Wer ausspielt, spielt, was er will; jeder nur, was er hat.",
        "rule.R4.2": "Die ausgespielte Farbe ist zu bedienen, und wenn möglich höher als ihre beste Karte, auch über den Partner.",  # noqa: E501
        "rule.R4.3": "Hat schon jemand gestochen, genügt jede Karte der ausgespielten Farbe.",
        "rule.R4.4": "Wer die ausgespielte Farbe nicht hat, muss stechen.",
        "rule.R4.4a": "Auf einen Trumpf ist ein höherer zu spielen; wer keinen hat, spielt, was er will.",  # noqa: E501
        "rule.R4.4b": "Bei parejas genügt auf einen Trumpf jeder Trumpf.",
        "rule.R4.5": "Ohne die ausgespielte Farbe und ohne Trumpf darf alles gespielt werden.",
        "rule.R4.6": "Bei mano-a-mano bindet, solange Karten zu ziehen sind, nur ein ausgespielter Trumpf: mit irgendeinem Trumpf zu bedienen.",  # noqa: E501
        "rule.R4.7": "Den Stich gewinnt der höchste Trumpf, sonst die höchste Karte der ausgespielten Farbe.",  # noqa: E501
        "rule.R5.1": "Nach einem Stich zieht sein Gewinner, dann der andere; die offene Karte kommt zuletzt.",  # noqa: E501
        "rule.R5.2": "Die Trumpfsieben darf gegen eine zählende offene Karte getauscht werden, die Zwei gegen 7, 6, 5 oder 4, auch gegen eine dort zuvor hingelegte Sieben.",  # noqa: E501
        "rule.R5.3": "Bei habanero tauscht jeder der beiden jederzeit, solange mehr als zwei Karten übrig sind.",  # noqa: E501
        "rule.R5.4": "Bei mano-a-mano tauscht nur, wer schon einen Stich gewonnen hat.",
        "rule.R5.5": "Bei arrastrado wird vor dem ersten Ausspielen getauscht, von dem, der die Karte hat.",  # noqa: E501
        "rule.R6.1": "König und Reiter einer Farbe in einer Hand: vierzig in Trumpf, sonst zwanzig.",  # noqa: E501
        "rule.R6.2": "Angesagt wird nach einem Stich der eigenen Seite, nach dem Ziehen, vor dem nächsten Ausspielen.",  # noqa: E501
        "rule.R6.3": "Eine Farbe wird je Spiel einmal angesagt.",
        "rule.R6.4": "Nach einem Stich wird nicht mehr angesagt, als das Regelwerk erlaubt.",
        "rule.R6.5": "Die Vierzig und die Zwanzig: Was zuerst kommt, hängt vom Regelwerk ab.",
        "rule.R6.5a": "Habanero: Wer eine Zwanzig vor einer Vierzig ansagt, wartet für die Vierzig auf einen weiteren Stich.",  # noqa: E501
        "rule.R6.5b": "Parejas: Wer eine Zwanzig vor einer Vierzig ansagt, hat die Vierzig verloren.",  # noqa: E501
        "rule.R6.5c": "Parejas-online: Wer beides hat, sagt nur die Vierzig an.",
        "rule.R6.5d": "Arrastrado: keine Zwanzig vor der eigenen Vierzig.",
        "rule.R6.6": "Wo Schweigen kostet, ist verloren, was hätte angesagt werden können und nicht angesagt wurde.",  # noqa: E501
        "rule.R6.7": "Vier Könige (oder Reiter) in einer Hand gewinnen sofort.",
        "rule.R6.8": "Bei parejas-online kommt ein Tute nur beim ersten Stich der Seite, vor jeder Zwanzig oder Vierzig von ihr.",  # noqa: E501
        "rule.R7.1": "Es zählen gewonnene Karten, zehn für den letzten Stich und Ansagen.",
        "rule.R7.2": "Die meisten Punkte gewinnen.",
        "rule.R7.3": "Bei Gleichstand gewinnt von den Gleichen, wer den letzten Stich gewann.",
        "rule.R7.4": "Ein Spiel ist ein Punkt der Partie, bis zu einem Ziel oder über eine feste Zahl von Spielen.",  # noqa: E501
        "rule.R7.5": "Ein abgebrochenes Spiel zählt, was erzielt wurde, ohne die letzten zehn.",
        "rule.R8.1": "Zu viert setzt der Geber aus, zahlt aber in den Teller.",
        "rule.R8.2": "Wer ansagt, bekommt 40 oder 20 von jedem; ein Tute 200 von jedem.",
        "rule.R8.3": "Fest: Der Gewinner bekommt 100 von jedem, 200 mit 101 Punkten.",
        "rule.R8.4": "Teller: Jeder legt 100 ein, jeder spätere Geber 20; vor dem ersten Ausspielen sagt jeder der Reihe nach, ob er mitgeht.",  # noqa: E501
        "rule.R8.5": "Tausch und Mitgehen kommen in beliebiger Reihenfolge.",
        "rule.R9.1": "Ein erstes Blatt, das jemanden auf 101 bringt, entscheidet; bei beiden, wer zuerst dort war.",  # noqa: E501
        "rule.R9.2": "Sonst kommt ein zweites Blatt dazu, gegeben vom Gewinner der letzten zehn.",
        "rule.R9.3": "Im zweiten darf, wer gerade einen Stich gewonnen hat, die Punkte fordern: Mit 101 gewinnt er, sonst verliert er.",  # noqa: E501
        "rule.R9.4": "Von Spiel zu Spiel wechselt der Geber.",
        "rule.R9.5": "Capote: alle der letzten acht Stiche, angekündigt nach dem letzten Ziehen und vor dem nächsten Ausspielen.",  # noqa: E501
        "rule.R10.1": "Was eine Regel bricht, macht das Protokoll dort ungültig; was davor kam, gilt.",  # noqa: E501
        "rule.R10.2": "Was daraus folgt, entscheidet der Schiedsrichter, nie das Programm.",
        "rules.players": "Spieler",
        "rules.cards": "Karten je Spieler",
        "rules.trump_shown": "Trumpf zeigt",
        "rules.duties_while_stock": "Solange es einen Talon gibt",
        "rules.must_overtrump": "Auf einen Trumpf",
        "rules.exchange": "Tausch",
        "rules.declare_at": "Wann angesagt wird",
        "rules.declarations_per_trick": "Ansagen auf einmal",
        "rules.declaring_order": "Vierzig und Zwanzig",
        "rules.omitted_is_lost": "Schweigen verliert sie",
        "rules.tute_ranks": "Tute",
        "rules.race_to": "Gewonnen mit",
        "rules.target": "Partie",
        "rules.players.two": "2",
        "rules.players.pairs": "zwei Paare",
        "rules.players.three": "3, oder 4 mit aussetzendem Geber",
        "rules.cards.some": "{each}; {left} bleiben",
        "rules.trump_shown.stock": "die letzte Karte des Talons",
        "rules.trump_shown.dealer": "die letzte Karte des Gebers",
        "rules.trump_shown.aside": "die übrige Karte",
        "rules.duties_while_stock.full": "gelten alle Pflichten",
        "rules.duties_while_stock.trumps": "bindet nur ein ausgespielter Trumpf",
        "rules.duties_while_stock.none": "es gibt keinen",
        "rules.must_overtrump.True": "ein höherer",
        "rules.must_overtrump.False": "irgendein Trumpf",
        "rules.exchange.none": "nein",
        "rules.exchange.stock": "ja",
        "rules.exchange.trick": "mit gewonnenem Stich",
        "rules.exchange.before_play": "vor dem ersten Ausspielen",
        "rules.declare_at.every": "nach jedem Stich der Seite",
        "rules.declare_at.first": "nur beim ersten Stich der Seite",
        "rules.declarations_per_trick.0": "beliebig viele",
        "rules.declarations_per_trick.1": "eine",
        "rules.declaring_order.free": "in beliebiger Reihenfolge",
        "rules.declaring_order.forty_in_window": "eine Zwanzig zuerst verschiebt die Vierzig",
        "rules.declaring_order.forty_in_deal": "eine Zwanzig zuerst verliert die Vierzig",
        "rules.declaring_order.forty_alone": "mit beiden nur die Vierzig",
        "rules.declaring_order.forty_first": "die Vierzig zuerst",
        "rules.omitted_is_lost.True": "ja",
        "rules.omitted_is_lost.False": "nein",
        "rules.tute_ranks.": "keiner",
        "rules.tute_ranks.R": "Könige",
        "rules.tute_ranks.RC": "Könige oder Reiter",
        "rules.race_to.0": "den meisten Punkten",
        "rules.race_to.101": "101 zuerst",
        "rules.target.3": "bis 3 gewonnene Spiele",
        "rules.target.1": "bis 1 gewonnenes Spiel",
    }
)
