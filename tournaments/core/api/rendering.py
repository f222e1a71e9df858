"""How answers of the API are written: JSON that a terminal shows as it is."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

import engine


class PrintableJSONRenderer(JSONRenderer):
    """JSON whose control and direction characters are escaped: an answer may quote a record.

    DRF escapes those below U+0020 only. What is read from it is the same.
    """

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the JSON text in UTF-8."""
        text: bytes = super().render(data, accepted_media_type, renderer_context)
        return engine.escape_json(text.decode()).encode()
