"""How high the dense lists and the long pages are, in a running service with the demo club.

`python -m benchmarks.heights http://127.0.0.1:8000 user password` prints for each page its height
in pixels at 360 and 1280, the rows of its lists, and the highest row. Without user and password
the pages of staff are left out. `CHROMIUM` names the browser.
"""

import os
import sys

from playwright.sync_api import Page, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PUBLIC = (
    "/",
    "/clubs/el-ebro/",
    "/clubs/el-ebro/ratings/",
    "/clubs/el-ebro/statistics/",
    "/clubs/el-ebro/head-to-head/",
    "/t/torneo-de-la-fiesta/poster/",
    "/t/liguilla-de-otono/",
    "/t/liguilla-de-otono/standings/1/",
    "/t/copa-del-pilar/crosstable/",
)
STAFF = (
    "/clubs/el-ebro/settings/",
    "/clubs/el-ebro/people/data/",
    "/t/social-de-la-casa/entries/",
    "/t/social-de-la-casa/check-in/",
    "/t/social-de-la-casa/control/",
    "/t/social-de-la-casa/days/",
    "/t/torneo-de-la-fiesta/settings/",
    "/t/torneo-de-la-fiesta/sign-ups/",
    "/t/torneo-de-la-fiesta/money/",
)
WIDTHS = {360: 740, 1280: 900}
ROWS = "[...document.querySelectorAll('main .lines > li, main tbody > tr')]"
SEEN = f"{ROWS}.map(row => row.getBoundingClientRect().height).filter(height => height)"


def main(address: str, user: str = "", password: str = "") -> None:
    """Print a line for each page and width."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for width, height in WIDTHS.items():
            page = browser.new_page(viewport={"width": width, "height": height}, locale="es-ES")
            if user:
                sign_in(page, address, user, password)
            for path in (*PUBLIC, *(STAFF if user else ())):
                print(line(page, address, path, width))
        browser.close()


def sign_in(page: Page, address: str, user: str, password: str) -> None:
    """Sign in by the form."""
    page.goto(f"{address}/accounts/login/")
    page.fill("[name=username]", user)
    page.fill("[name=password]", password)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_load_state()


def line(page: Page, address: str, path: str, width: int) -> str:
    """Return the height of a page, and the number and the height of its rows."""
    page.goto(address + path)
    height = page.evaluate("document.documentElement.scrollHeight")
    rows = page.evaluate(SEEN)
    highest = f"{max(rows):.0f}" if rows else "–"
    return f"{width:5} {height:6} px {len(rows):4} rows, at most {highest:>4} px  {path}"


if __name__ == "__main__":
    main(*sys.argv[1:])
