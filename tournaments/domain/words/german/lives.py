"""German: the tres ceros."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "ceros_equal": "{0} und {1} haben gleich viele Ceros ({ceros}) und fast dieselben Punkte.",
        "ceros_near": "{0} ({ceros} Ceros) und {1} ({other}): die Ähnlichsten, die sich noch nicht begegnet sind.",  # noqa: E501
        "ceros_again": "{0} und {1} begegnen sich wieder (nach {before}): Es lässt sich nicht mehr vermeiden.",  # noqa: E501
        "ceros_rest": "{0} ist spielfrei, weil das Feld ungerade ist: bisher {byes} Mal spielfrei und {ceros} Ceros.",  # noqa: E501
    }
)
