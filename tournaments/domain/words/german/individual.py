"""German: the individual with rotating partners."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "individual_replanned": "Spieler sind gekommen oder gegangen, und die übrigen Runden wurden neu geplant: wiederholte Partner bis zum Ende {partner_repeats} (nach dem Plan davor {partner_repeats_before}); Gegner über dem gleichen Anteil {opponents_over} (davor {opponents_over_before}); Unterschied beim Aussetzen {sit_out_spread} (davor {sit_out_spread_before}).",  # noqa: E501
        "individual_all_new": "{0} und {1} waren noch keine Partner, {2} und {3} auch nicht; alle Gegner sind neu.",  # noqa: E501
        "individual_partners_new": "{0} und {1} waren noch keine Partner, {2} und {3} auch nicht. So oft waren sie Gegner: {0}–{2} {met_02}, {0}–{3} {met_03}, {1}–{2} {met_12}, {1}–{3} {met_13}.",  # noqa: E501
        "individual_partners_again": "Neue Partner waren nicht mehr für alle möglich: {0} und {1} waren es schon {first} Mal, {2} und {3} {second} Mal. So oft waren sie Gegner: {0}–{2} {met_02}, {0}–{3} {met_03}, {1}–{2} {met_12}, {1}–{3} {met_13}.",  # noqa: E501
        "individual_apart": "Sie sollten nicht am selben Tisch sitzen, und es ließ sich nicht vermeiden: {all}.",  # noqa: E501
        "individual_rest": "{0} setzt aus: An einem Tisch sitzen vier, und {spare} bleiben übrig; niemand, der spielt, hat seltener ausgesetzt (bisher: {times}).",  # noqa: E501
        "individual_rest_latest": "{0} setzt aus: An einem Tisch sitzen vier, und {spare} bleiben übrig; von denen, die am seltensten ausgesetzt haben, zuletzt gekommen (bisher: {times}).",  # noqa: E501
    }
)
