"""Texts of the terms of a tournament, for pages and papers alike."""

from collections.abc import Iterator

from django.utils.translation import gettext, ngettext


def duration(minutes: int) -> str:
    """Return minutes in words, in the largest unit that has a whole number of them."""
    if minutes and minutes % (24 * 60) == 0:
        count = minutes // (24 * 60)
        return ngettext("%(count)s day", "%(count)s days", count) % {"count": count}
    if minutes and minutes % 60 == 0:
        count = minutes // 60
        return ngettext("%(count)s hour", "%(count)s hours", count) % {"count": count}
    return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}


def lateness_notes(late: int | None, wait: int, grace: int | None) -> Iterator[str]:
    """Yield what lateness costs, in sentences; none where an absent side is only waited for.

    A hand each ``late`` minutes and the match after ``wait``, in the first round ``grace`` later.
    """
    if late:
        facts = {"step": duration(late), "wait": duration(wait)}
        yield (
            gettext("Lateness costs a hand for each %(step)s, and the match after %(wait)s.")
            % facts
        )
    elif grace:
        text = gettext("Those who have not come after %(wait)s lose the match.")
        yield text % {"wait": duration(wait)}
    if grace:
        text = gettext("In the first round lateness counts from %(grace)s on.")
        yield text % {"grace": duration(grace)}
