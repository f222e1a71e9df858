"""Programs that play."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.domain.names import LONGEST_NAME
from tournaments.models.people import Club


class Bot(models.Model):
    """A program that can be entered in tournaments: a house bot, or one that a club has named."""

    class Kind(models.TextChoices):
        """The house bots of the engine, by the name it knows them under."""

        RANDOM = "random", _("plays at random")
        SIMPLE = "simple", _("plays by simple rules")

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    slug = models.SlugField(_("short name"), unique=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="bots", null=True, blank=True
    )

    class Meta:
        verbose_name = _("bot")
        verbose_name_plural = _("bots")
        ordering = ("name", "pk")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(kind__in=("random", "simple")), name="bot_kind_is_known"
            ),
        )

    def __str__(self) -> str:
        return self.name
