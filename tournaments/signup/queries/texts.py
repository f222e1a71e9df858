"""Texts of amounts and fees in the language of the page: for templates and papers."""

from decimal import Decimal
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy

from tournaments.domain.money import Balance, MoneyState

MONEY_TEXTS: Final = {
    MoneyState.NOTHING: gettext_lazy("nothing to pay"),
    MoneyState.OWED: gettext_lazy("to be paid: %(owed)s"),
    MoneyState.PART: gettext_lazy("paid in part: %(owed)s still"),
    MoneyState.PAID: gettext_lazy("paid"),
    MoneyState.WAIVED: gettext_lazy("waived"),
    MoneyState.TO_RETURN: gettext_lazy("to be returned: %(amount)s"),
    MoneyState.RETURNED: gettext_lazy("returned"),
}


def euros(cents: int) -> str:
    """``1250`` → "12,50 €" and ``-2000`` → "−20,00 €", as the language writes it."""
    number = number_format(Decimal(cents) / 100, 2, force_grouping=True).replace("-", "−")
    return f"{number}\u00a0€"


def money_text(balance: Balance) -> str:
    """Return what holds for the fee of a payer, for all pages and papers."""
    amounts = {"owed": euros(balance.payable), "amount": euros(balance.to_return)}
    return str(MONEY_TEXTS[balance.state]) % amounts
