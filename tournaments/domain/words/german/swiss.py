"""German: the Swiss and its checks."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "swiss_pinned": "Vor der Auslosung von Hand festgelegter Tisch: {all}.",
        "swiss_level": "{0} und {1} haben dieselben Punkte ({points}).",
        "swiss_float_alone": "{0} ({points}) spielt nach unten gegen {1} ({fewer}): Niemand sonst hat so viele Punkte.",  # noqa: E501
        "swiss_float_met_all": "{0} ({points}) spielt nach unten gegen {1} ({fewer}): Mit allen anderen mit so vielen Punkten wurde schon gespielt oder darf nicht gespielt werden.",  # noqa: E501
        "swiss_float_odd": "{0} ({points}) spielt nach unten gegen {1} ({fewer}): Die Punktgruppe war ungerade.",  # noqa: E501
        "swiss_float_best": "{0} ({points}) spielt nach unten gegen {1} ({fewer}): So hat die Runde die wenigsten wiederholten Gegner und spielfreien Runden und danach die kleinsten Punktunterschiede.",  # noqa: E501
        "swiss_rematch": "{0} und {1} sind sich schon begegnet (Runde {rounds}): Keine mögliche Runde hat weniger wiederholte oder untersagte Begegnungen.",  # noqa: E501
        "swiss_apart": "{0} und {1} sollten getrennt bleiben ({labels}): Keine mögliche Runde hat weniger wiederholte oder untersagte Begegnungen.",  # noqa: E501
        "swiss_club": "{0} und {1} sind aus demselben Verein ({club}): Es zu vermeiden hätte die Punktunterschiede vergrößert, eine Begegnung wiederholt oder andere mehr belastet.",  # noqa: E501
        "swiss_down_again": "{0} spielt zum zweiten Mal in Folge nach unten: Alles andere war schlechter.",  # noqa: E501
        "swiss_up_again": "{0} spielt zum zweiten Mal in Folge nach oben: Alles andere war schlechter.",  # noqa: E501
        "swiss_rest_last": "{0} ist spielfrei: bisher noch nie, und niemand hat weniger Punkte ({points}).",  # noqa: E501
        "swiss_rest_below_had": "{0} ist spielfrei: Alle mit weniger Punkten ({points}) waren es schon.",  # noqa: E501
        "swiss_rest_best": "{0} ist spielfrei ({points} Punkte): Weiter unten hätten sich Gegner wieder getroffen, oder die Punktunterschiede wären größer.",  # noqa: E501
        "swiss_rest_all_had": "{0} ist wieder spielfrei (wie in Runde {rounds}): Alle waren es schon.",  # noqa: E501
        "swiss_rest_again": "{0} ist wieder spielfrei (wie in Runde {rounds}): Sonst hätte jemand eine wiederholte oder untersagte Begegnung gehabt.",  # noqa: E501
        "swiss_deal_fewer": "{0} nimmt Platz A und gibt zuletzt: bisher {ours} Mal und {others} Mal nicht; {1} {theirs} und {their_others}.",  # noqa: E501
        "swiss_deal_turn": "{0} nimmt Platz A und gibt zuletzt: gleich oft wie {1}, und beim letzten Unterschied war {1} an der Reihe.",  # noqa: E501
        "swiss_deal_lot": "{0} nimmt Platz A und gibt zuletzt: gleich oft wie {1}, und die Setzliste entscheidet mit dem zu Beginn gezogenen Los.",  # noqa: E501
        "check_twice": "{0} sitzt zweimal.",
        "check_missing": "{0} ist da und hat keinen Tisch.",
        "check_not_here": "{0} ist in dieser Runde nicht da.",
        "check_asked_bye": "{0} hat für diese Runde um Spielfrei gebeten.",
        "check_sides": "Der Tisch muss so viele Seiten haben, wie das Format setzt, und keine leere.",  # noqa: E501
        "check_rematch": "{0} und {1} sind sich schon begegnet (Runde {rounds}).",
        "check_apart": "{0} und {1} sollen getrennt bleiben ({labels}).",
        "check_club": "{0} und {1} sind aus demselben Verein ({club}).",
        "check_second_bye": "{0} war schon spielfrei (Runde {rounds}).",
        "check_two_byes": "{all} sind in derselben Runde spielfrei und könnten gegeneinander spielen.",  # noqa: E501
    }
)
