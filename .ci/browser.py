"""Open a page in headless Chromium and fail if it asks the network for anything or writes to the console.

    python .ci/browser.py report.html

A control page that does both is opened first: a browser that reports nothing proves nothing. Requests that Chromium
makes for itself (time, updates) have no page as their initiator and do not count; no name is resolved at all.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--log-level=0", "--virtual-time-budget=5000",
    "--window-size=390,844",
)  # fmt: skip
NO_PAGE = "not an origin"
CONTROL = """<!DOCTYPE html><title>control</title><h1>control</h1><img src="http://page.invalid/picture.png">
<script>console.error("said by the page")</script>"""


@dataclass(frozen=True)
class Visit:
    """What a browser told: the document after loading, addresses that the page asked for, lines of its console."""

    document: str
    requests: list[str]
    console: list[str]


def visit(browser: str, page: Path) -> Visit:
    """Open a page in a new profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "net.json"
        own = [f"--user-data-dir={folder}/profile", f"--log-net-log={log}", "--dump-dom", page.resolve().as_uri()]
        done = subprocess.run([browser, *FLAGS, *own], capture_output=True, text=True, timeout=120, check=True)
        told = json.loads(log.read_text(encoding="utf-8"))
    started = told["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    jobs = [event.get("params", {}) for event in told["events"] if event["type"] == started]
    requests = [job["url"] for job in jobs if "url" in job and job.get("initiator") != NO_PAGE]
    return Visit(done.stdout, requests, re.findall(r"^\[[^\]]*:CONSOLE[:(].*$", done.stderr, re.MULTILINE))


def main() -> None:
    """Check the pages that are named on the command line."""
    browser = next((found for found in map(shutil.which, NAMES) if found), None)
    if browser is None:
        sys.exit(f"none of these browsers is installed: {', '.join(NAMES)}")
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder) / "control.html"
        control.write_text(CONTROL, encoding="utf-8")
        seen = visit(browser, control)
    if seen.requests != ["http://page.invalid/picture.png"] or "said by the page" not in "".join(seen.console):
        sys.exit(f"the control page asked for a picture and wrote to the console, and {browser} told of {seen}")
    for page in map(Path, sys.argv[1:]):
        seen = visit(browser, page)
        if seen.requests or seen.console or seen.document.count("<table") < 3:
            sys.exit(f"{page}: requests {seen.requests}, console {seen.console}, {len(seen.document)} characters")
        tables, drawings = seen.document.count("<table"), seen.document.count("<svg")
        print(f"{page}: {tables} tables and {drawings} drawings, no request and nothing on the console")


if __name__ == "__main__":
    main()
