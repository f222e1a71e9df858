"""The names of criteria and profiles, and what each line of a sum is.

``criterion.<code>``: its name. ``column.<code>``: a heading short enough for a column.
``criterion.cotos.<code>``, ``column.cotos.<code>``: where cotos are what is won.
``decided.<code>``: what put somebody below another, where that is no criterion.
``term.<note>``: what an addend is. ``cut.<reason>``: why it does not count.
``cannot_rank.<code>``: why an order is refused. ``profile.<code>`` and ``profile.<code>.for``: the
name of a profile and whom it is for. ``season.<code>``: scales and what decides a season.
"""

from types import MappingProxyType
from typing import Final

CRITERIA: Final = {
    "match_points": ("Puntos", "Match points"),
    "mean_match_points": ("Media de puntos por partida", "Mean of match points a match"),
    "buchholz": ("Buchholz: puntos de los rivales", "Buchholz: the opponents' scores"),
    "buchholz_cut1": (
        "Buchholz sin el peor rival",
        "Buchholz without the lowest opponent",
    ),
    "buchholz_cut2": (
        "Buchholz sin los dos peores rivales",
        "Buchholz without the two lowest opponents",
    ),
    "median_buchholz": (
        "Buchholz mediano: sin el peor rival ni el mejor",
        "Median Buchholz: without the lowest and the highest opponent",
    ),
    "median2": (
        "Buchholz mediano 2: sin los dos peores rivales ni los dos mejores",
        "Median Buchholz 2: without the two lowest and the two highest opponents",
    ),
    "sonneborn_berger": (
        "Sonneborn-Berger: puntos de cada rival por lo sacado contra él",
        "Sonneborn-Berger: each opponent's score times what was taken from him",
    ),
    "sonneborn_berger_cut1": (
        "Sonneborn-Berger sin el peor rival",
        "Sonneborn-Berger without the lowest opponent",
    ),
    "direct_encounter": ("Encuentro directo", "Direct encounter"),
    "direct_of_two": ("Encuentro directo, si empatan dos", "Direct encounter, when two are tied"),
    "extended_direct_encounter": (
        "Encuentro directo ampliado: puntos, luego manos",
        "Extended direct encounter: match points, then hands",
    ),
    "wins": ("Victorias, jugadas o no", "Wins, played or not"),
    "won": ("Victorias en la mesa", "Wins at the table"),
    "tables_won": ("Mesas ganadas", "Tables won"),
    "rounds_elected": ("Rondas en que quiso jugar", "Rounds elected to play"),
    "standard_points": (
        "Puntos normalizados: 1, ½ y 0",
        "Standard points: 1, ½ and 0",
    ),
    "progressive": ("Progresivo: suma de lo acumulado", "Progressive: the running scores"),
    "koya": (
        "Koya: puntos contra quienes hicieron la mitad o más",
        "Koya: points against those with half or more",
    ),
    "match_points_v_game_points": ("Manos ganadas (segundo marcador)", "Hands, the second score"),
    "emmsb": (
        "Puntos del rival por puntos sacados",
        "Opponent's match points times match points taken",
    ),
    "emgsb": (
        "Puntos del rival por manos ganadas",
        "Opponent's match points times hands taken",
    ),
    "egmsb": (
        "Manos del rival por puntos sacados",
        "Opponent's hands times match points taken",
    ),
    "eggsb": (
        "Manos del rival por manos ganadas",
        "Opponent's hands times hands taken",
    ),
    "hand_difference": ("Diferencia de manos", "Difference of hands"),
    "hands_for": ("Manos a favor", "Hands won"),
    "point_difference": ("Diferencia de tantos", "Difference of points"),
    "points_for": ("Tantos a favor", "Points made"),
    "opponents_points": ("Suma de puntos de los rivales", "Sum of the opponents' scores"),
    "opponents_partners": (
        "Rivales entre compañeros",
        "Opponents' scores over partners' scores",
    ),
    "opponent_match_wins": (
        "Porcentaje de victorias de los rivales",
        "Opponents' match win percentage",
    ),
    "mean_table_points_of_opponents": (
        "Media de puntos de los rivales",
        "Mean score of the opponents",
    ),
    "mini_hand_difference": (
        "Diferencia de manos entre los empatados",
        "Difference of hands among the tied",
    ),
    "mini_point_difference": (
        "Diferencia de tantos entre los empatados",
        "Difference of points among the tied",
    ),
}

COLUMNS: Final = {
    "match_points": ("Ptos.", "Pts"),
    "mean_match_points": ("Media", "Mean"),
    "buchholz": ("BH", "BH"),
    "buchholz_cut1": ("BH-1", "BH-C1"),
    "buchholz_cut2": ("BH-2", "BH-C2"),
    "median_buchholz": ("BH-M1", "BH-M1"),
    "median2": ("BH-M2", "BH-M2"),
    "sonneborn_berger": ("SB", "SB"),
    "sonneborn_berger_cut1": ("SB-1", "SB-C1"),
    "direct_encounter": ("ED", "DE"),
    "direct_of_two": ("ED2", "DE2"),
    "extended_direct_encounter": ("EDA", "EDE"),
    "wins": ("Vict.", "WIN"),
    "won": ("Gan.", "WON"),
    "tables_won": ("Mesas", "Tables"),
    "rounds_elected": ("Rondas", "REP"),
    "standard_points": ("Norm.", "STD"),
    "progressive": ("Prog.", "PS"),
    "koya": ("Koya", "KS"),
    "match_points_v_game_points": ("Manos", "Hands"),
    "emmsb": ("P×P", "EMMSB"),
    "emgsb": ("P×M", "EMGSB"),
    "egmsb": ("M×P", "EGMSB"),
    "eggsb": ("M×M", "EGGSB"),
    "hand_difference": ("Dif. manos", "Hands ±"),
    "hands_for": ("Manos", "Hands"),
    "point_difference": ("Dif. tantos", "Points ±"),
    "points_for": ("Tantos", "Points"),
    "opponents_points": ("Rivales", "Opp."),
    "opponents_partners": ("R/C", "O/P"),
    "opponent_match_wins": ("% rivales", "OMW%"),
    "mean_table_points_of_opponents": ("Media riv.", "Opp. mean"),
    "mini_hand_difference": ("Manos entre ellos", "Hands ± (tied)"),
    "mini_point_difference": ("Tantos entre ellos", "Points ± (tied)"),
}

COTO_CRITERIA: Final = {
    "hands_for": ("Cotos a favor", "Cotos won"),
    "hand_difference": ("Diferencia de cotos", "Difference of cotos"),
    "match_points_v_game_points": ("Cotos ganados (segundo marcador)", "Cotos, the second score"),
    "mini_hand_difference": (
        "Diferencia de cotos entre los empatados",
        "Difference of cotos among the tied",
    ),
}

COTO_COLUMNS: Final = {
    "hands_for": ("Cotos", "Cotos"),
    "hand_difference": ("Dif. cotos", "Cotos ±"),
    "match_points_v_game_points": ("Cotos", "Cotos"),
    "mini_hand_difference": ("Cotos entre ellos", "Cotos ± (tied)"),
}

DECIDED: Final = {
    "exit_round": ("hasta dónde llegó", "how far it got"),
    "group_place": ("puesto en el grupo", "place in the group"),
    "lots": ("sorteo", "lots"),
    "shared": ("empatados", "tied"),
}

TERMS: Final = {
    "played": ("jugada", "played"),
    "forfeit_win": ("ganada por incomparecencia", "won by forfeit"),
    "forfeit_loss": ("perdida por incomparecencia", "lost by forfeit"),
    "pairing_bye": ("descanso", "bye"),
    "full_bye": ("descanso pedido, como victoria", "requested bye, worth a win"),
    "half_bye": ("descanso pedido, como empate", "requested bye, worth a tie"),
    "zero_bye": ("ausente", "absent"),
    "penalty": ("sanción", "penalty"),
    "score_so_far": ("puntos acumulados", "score so far"),
    "opponent": ("puntos finales del rival", "the opponent's final score"),
    "opponent_adjusted": (
        "puntos del rival, con sus ausencias finales como empates (16.3.2)",
        "the opponent's score, his absences at the end counted as draws (16.3.2)",
    ),
    "dummy": (
        "sin jugar: un rival ficticio con los puntos propios (16.4)",
        "not played: a dummy with one's own score (16.4)",
    ),
    "dummy_forfeit": (
        "incomparecencia: un rival ficticio, con no más puntos que el previsto (16.4.1)",
        "forfeit: a dummy with no more than the scheduled opponent's score (16.4.1)",
    ),
    "dummy_bye": (
        "sin rival: un ficticio, con no más que un empate por ronda (16.4.2)",
        "no opponent: a dummy with no more than a draw in every round (16.4.2)",
    ),
    "over_partners": (
        "puntos del rival entre los de todos los compañeros",
        "the opponent's score over that of all partners",
    ),
    "part_of_mean": (
        "puntos de la partida, a partes iguales",
        "the match's points, one part of the mean",
    ),
    "mean_of_shares": (
        "porcentaje del rival, a partes iguales",
        "the opponent's share, one part of the mean",
    ),
    "mean_of_scores": (
        "puntos del rival, a partes iguales",
        "the opponent's score, one part of the mean",
    ),
    "met": ("entre los empatados", "among the tied"),
    "average": ("media de sus encuentros (6.1.2)", "average of their meetings (6.1.2)"),
}

CUTS: Final = {
    "cut_least": ("descartado: el peor rival (14.1)", "cut: the lowest opponent (14.1)"),
    "cut_most": ("descartado: el mejor rival (14.3)", "cut: the highest opponent (14.3)"),
    "cut_voluntary": (
        "descartada: ausencia voluntaria (16.5)",
        "cut: a voluntary absence (16.5)",
    ),
}

REFUSALS: Final = {
    "unknown_criterion": (
        "No hay ningún criterio que se llame «{criterion}».",
        "There is no criterion called “{criterion}”.",
    ),
    "not_in_round_robin": (
        "«{criterion}» no dice nada cuando todos juegan contra todos (FIDE C.07, artículo 8).",
        "“{criterion}” says nothing where everybody meets everybody (FIDE C.07, article 8).",
    ),
}

PROFILES: Final = {
    "tute_swiss": ("Suizo de tute", "Tute, Swiss"),
    "tute_swiss.for": (
        "Buchholz sin el peor rival, encuentro directo, manos, tantos, victorias.",
        "Buchholz without the lowest opponent, direct encounter, hands, points, wins.",
    ),
    "tute_league": ("Liguilla de tute", "Tute, league"),
    "tute_league.for": (
        "Encuentro directo, diferencia de manos y de tantos, Sonneborn-Berger, sorteo.",
        "Direct encounter, hands, points, Sonneborn-Berger, lots.",
    ),
    "fide_swiss_2026": ("Suizo FIDE, marzo de 2026", "FIDE Swiss, March 2026"),
    "fide_swiss_2026.for": (
        "Un punto la victoria y medio el empate; desempates del reglamento vigente.",
        "One point a win, a half a draw; the tie-breaks of the regulations in force.",
    ),
    "fide_swiss_2024": ("Suizo FIDE, agosto de 2024", "FIDE Swiss, August 2024"),
    "fide_swiss_2024.for": (
        "Lo mismo, con las rondas sin jugar según la edición anterior.",
        "The same, with unplayed rounds as in the edition before.",
    ),
    "fide_round_robin": ("Todos contra todos FIDE", "FIDE round robin"),
    "fide_round_robin.for": (
        "Encuentro directo, victorias, Sonneborn-Berger, Koya.",
        "Direct encounter, wins, Sonneborn-Berger, Koya.",
    ),
    "mus_league": ("Liga de mus: chicos a favor", "Mus league: games won"),
    "mus_league.for": (
        "Dos puntos la partida; a igualdad, más chicos a favor; luego entre ellos y sorteo.",
        "Two points a match; then games won, then between themselves, then lots.",
    ),
    "padel": ("Entre los empatados, como en el pádel", "Among the tied, as in padel"),
    "padel.for": (
        "Si empatan dos, el partido entre ellos; si más, la diferencia entre ellos; sorteo.",
        "Two tied: their match; more: the difference among them; lots.",
    ),
    "carrom_swiss": ("Suizo de carrom", "Carrom Swiss"),
    "carrom_swiss.for": (
        "Puntos de los rivales, diferencia de tantos, tantos a favor.",
        "The opponents' points, net score, total score.",
    ),
    "carrom_league": ("Liga de carrom", "Carrom league"),
    "carrom_league.for": (
        "Diferencia de tantos, tantos a favor.",
        "Net score, total score.",
    ),
    "bridge_swiss": ("Suizo de bridge", "Bridge Swiss"),
    "bridge_swiss.for": (
        "Puntos de victoria; entre ellos, puntos de los rivales, diferencia de tantos.",
        "Victory points; between themselves, the opponents' scores, net score.",
    ),
    "bridge_individual": ("Individual de bridge", "Bridge individual"),
    "bridge_individual.for": (
        "Parejas que cambian: puntos de los rivales entre los de los compañeros.",
        "Partners change: opponents' scores over partners' scores.",
    ),
    "three_players": ("Mesas de tres", "Tables of three"),
    "three_players.for": (
        "Puntos por puesto en la mesa; tantos, mesas ganadas, media de los rivales.",
        "Points by rank at the table; points made, tables won, mean of the opponents.",
    ),
    "card_shop": ("Tres puntos la victoria", "Three points a win"),
    "card_shop.for": (
        "Como en los torneos de cartas coleccionables: porcentaje de los rivales.",
        "As in trading card tournaments: the opponents' win percentage.",
    ),
    "ladder": ("Escalera", "Ladder"),
    "ladder.for": (
        "Media de puntos por partida, para que llegar tarde no atrase; encuentro directo, tantos.",
        "Mean of match points a match, so that coming late is no arrear; direct encounter, points.",
    ),
    "knockout": ("Eliminatoria", "Knock-out"),
    "knockout.for": (
        "Solo cuenta hasta dónde se llega; los puestos iguales se comparten.",
        "Only how far one gets; equal places are shared.",
    ),
}

SEASON: Final = {
    "points": ("los puntos hechos", "the points made"),
    "fixed": ("18, 16, 14, 13… hasta el 16.º", "18, 16, 14, 13… down to the 16th"),
    "fixed40": ("1000, 900, 800, 750… hasta el 40.º", "1000, 900, 800, 750… down to the 40th"),
    "linear": ("de 100 a 1, a pasos iguales", "from 100 to 1 in equal steps"),
    "millesimal": ("milésimas, según los participantes", "thousandths, by the size of the field"),
    "total": ("total de la temporada", "the season's total"),
    "wins": ("torneos ganados", "events won"),
    "last_event": ("último torneo", "the last event"),
}

TEXTS: Final = MappingProxyType(
    {
        f"{prefix}.{code}": text
        for prefix, texts in (
            ("criterion", CRITERIA),
            ("column", COLUMNS),
            ("criterion.cotos", COTO_CRITERIA),
            ("column.cotos", COTO_COLUMNS),
            ("decided", DECIDED),
            ("term", TERMS),
            ("cut", CUTS),
            ("cannot_rank", REFUSALS),
            ("profile", PROFILES),
            ("season", SEASON),
        )
        for code, text in texts.items()
    }
)
