"""Draws the icons of the installed app, and the picture that links without one of their own show.

    python -m tools.icons

They are made of the mark (`favicon.svg`) and of cards, by the browser of the tests, and
written to `tournaments/static/icons/`.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

STATIC: Final = Path(__file__).parents[1] / "tournaments" / "static"
FOLDER: Final = STATIC / "icons"
SIZES: Final = (192, 512)
SHARE: Final = {"width": 1200, "height": 630}
CHROMIUM: Final = os.environ.get("CHROMIUM", "/usr/bin/chromium")

ICON: Final = """<style>
body {{ margin: 0; background: #1c5a3f; display: grid; place-items: center; height: 100vh; }}
img {{ width: 84vw; height: 84vw; }}
</style><img src="data:image/svg+xml;base64,{mark}">"""

PICTURE: Final = """<style>
@font-face {{ font-family: Spectral; src: url("data:font/woff2;base64,{font}"); }}
body {{ margin: 0; height: 630px; display: flex; align-items: center; gap: 70px; padding: 0 80px;
  background: radial-gradient(ellipse at 75% 50%, #20654a, #174b37); color: #fdf8e8;
  font: 600 130px Spectral; box-sizing: border-box; overflow: hidden; }}
p {{ margin: 0; font-size: 44px; color: #cfe3d3; }}
.cards {{ display: flex; flex: none; margin-left: auto; }}
.cards svg {{ width: 240px; height: 370px; }}
.cards svg:nth-child(1) {{ transform: rotate(-12deg) translateY(20px); }}
.cards svg:nth-child(2) {{ margin: 0 -70px; }}
.cards svg:nth-child(3) {{ transform: rotate(12deg) translateY(20px); }}
.deck {{ position: absolute; width: 0; height: 0; }}
</style><div class="deck">{deck}</div><div>Baza<p>Tute, baza a baza</p></div>
<div class="cards">{cards}</div>"""


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(exist_ok=True)
    mark = base64.b64encode((STATIC / "favicon.svg").read_bytes()).decode()
    font = base64.b64encode((STATIC / "fonts" / "spectral-600.woff2").read_bytes()).decode()
    deck = (STATIC / "cards" / "deck.svg").read_text(encoding="utf-8")
    cards = "".join(
        f'<svg viewBox="0 0 200 308"><use href="#card-{code}"/></svg>'
        for code in ("3e", "Rc", "1o")
    )
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_page()
        for size in SIZES:
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(ICON.format(mark=mark))
            page.screenshot(path=FOLDER / f"app-{size}.png")
        page.set_viewport_size(SHARE)  # type: ignore[arg-type]
        page.set_content(PICTURE.format(font=font, deck=deck, cards=cards))
        page.evaluate("document.fonts.ready")
        page.screenshot(path=FOLDER / "share.jpg", type="jpeg", quality=80)
        browser.close()


if __name__ == "__main__":
    main()
