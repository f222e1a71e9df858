"""The day before the month, and twenty-four hours: nobody mistakes a round at 11/12 for another."""

from typing import Final

DATE_FORMAT: Final = "j F Y"
TIME_FORMAT: Final = "H:i"
DATETIME_FORMAT: Final = "j F Y, H:i"
SHORT_DATE_FORMAT: Final = "d/m/Y"
SHORT_DATETIME_FORMAT: Final = "d/m/Y H:i"
FIRST_DAY_OF_WEEK: Final = 1
