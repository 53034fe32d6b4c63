"""What a report is made of, before it is HTML or Markdown: sections with sentences, tables and drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from northmen_agents.arena.report.svg import Drawing
from northmen_agents.arena.results import ResultsError


class ReportError(ResultsError):
    """There is nothing to report, or it cannot be written; the sentence says why."""


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        text: what is shown.
        value: the number behind it in full precision, for whoever reads the page by program.
        shade: 0..1 for a heat map, 0.5 is neutral; None for none.
        link: relative address that the text leads to; empty for none.
    """

    text: str
    value: float | None = None
    shade: float | None = None
    link: str = ""


@dataclass(frozen=True)
class Table:
    """A table; the first cell of each row names the row.

    Attributes:
        name: its id, in lower case.
        caption: one line.
        headings: of the columns.
        rows: as long as the headings.
    """

    name: str
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def words_in(table: Table) -> list[bool]:
    """Return for each column whether words are in it, so that it is set like a text and not like numbers."""
    columns = range(len(table.headings))
    return [any(row[i].value is None and row[i].text not in ("", "–") for row in table.rows) for i in columns]


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Attributes:
        name: its id, in lower case.
        title: its heading.
        sentences: what to know before reading the numbers.
        tables, drawings: the numbers.
        warnings: sentences that must not be overlooked.
        text: preformatted, folded away.
    """

    name: str
    title: str
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = ()
    drawings: Sequence[Drawing] = ()
    warnings: Sequence[str] = ()
    text: str = ""


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes:
        title: its heading.
        sections: its parts.
        footer: last line.
    """

    title: str
    sections: Sequence[Section]
    footer: str = ""

    @property
    def drawings(self) -> list[Drawing]:
        """All drawings, in order."""
        return [drawing for section in self.sections for drawing in section.drawings]
