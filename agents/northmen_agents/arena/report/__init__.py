"""Reports: the numbers of a tournament or a sweep as one HTML page, as Markdown, as pictures and as tables."""

from __future__ import annotations

from northmen_agents.arena.report.content import ReportError
from northmen_agents.arena.report.write import Written, write_page, write_report, write_sweep

__all__ = ["ReportError", "Written", "write_page", "write_report", "write_sweep"]
