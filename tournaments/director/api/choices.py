"""Endpoints that list what a tournament can be made of."""

from rest_framework.request import Request

from tournaments.core.api.views import read_view
from tournaments.director.queries import choices
from tournaments.director.serializers import choices as serializers
from tournaments.director.services.settings import MAX_HANDS_TO_WIN


@read_view(serializers.Ruleset, tag="choices", name="list_rulesets", many=True)
def rulesets(_request: Request) -> tuple[choices.RulesetRow, ...]:
    """The rulesets, with the options that a tournament may set."""
    return choices.rulesets(MAX_HANDS_TO_WIN)


@read_view(serializers.Format, tag="choices", name="list_formats", many=True)
def formats(_request: Request) -> tuple[choices.FormatRow, ...]:
    """The formats of stages, with the rules that each reads."""
    return choices.formats()


@read_view(serializers.Criterion, tag="choices", name="list_criteria", many=True)
def criteria(_request: Request) -> tuple[choices.CriterionRow, ...]:
    """The criteria that can stand in the `order` of a stage's rules."""
    return choices.criteria()
