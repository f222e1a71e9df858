"""What a feature costs to remove is counted, and no other feature imports its services."""

import re

from tools.removal import lines_left, main

IMPORT = re.compile(r"from tournaments\.webhooks\.(services|queries)")


def test_no_other_feature_imports_the_services_of_the_webhooks() -> None:
    left = list(lines_left("webhooks"))
    assert left
    assert [line for line in left if IMPORT.match(line[2])] == []
    assert main(["webhooks"]) == 0
