"""A report as Markdown, for notebooks, issues and papers' repositories."""

from __future__ import annotations

from urllib.parse import quote

from northmen_agents.arena.report.content import Report, Section, Table, words_in


def markdown_of(report: Report, pictures: str, suffix: str) -> str:
    """Return the report; drawings are linked as `<pictures>/<name><suffix>`."""
    parts = [f"# {_clean(report.title)}", *(_section(part, pictures, suffix) for part in report.sections)]
    return "\n\n".join([*parts, _clean(report.footer)]).rstrip() + "\n"


def _section(section: Section, pictures: str, suffix: str) -> str:
    parts = [f"## {_clean(section.title)}"]
    parts += [f"> **{_clean(text)}**" for text in section.warnings]
    parts += [_clean(text) for text in section.sentences]
    parts += [f"![{_clean(each.title)}]({quote(pictures)}/{each.name}{suffix})" for each in section.drawings]
    parts += [table_of(table) for table in section.tables]
    if section.text:
        parts.append(f"```json\n{section.text}\n```")
    return "\n\n".join(parts)


def table_of(table: Table) -> str:
    """Return a table of Markdown with its caption above."""
    rule = [":---" if i == 0 or words else "---:" for i, words in enumerate(words_in(table))]
    lines = [list(map(_clean, table.headings)), rule]
    for row in table.rows:
        lines.append([f"[{_clean(cell.text)}]({quote(cell.link)})" if cell.link else _clean(cell.text) for cell in row])
    return "\n".join([f"**{_clean(table.caption)}**", "", *(f"| {' | '.join(line)} |" for line in lines)])


def _clean(text: str) -> str:
    """Return a text in which nothing is read as Markdown."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return text
