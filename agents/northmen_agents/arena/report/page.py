"""A report as one HTML page that needs nothing else: no script, no network, no font."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from northmen_agents.arena.report.content import Cell, Report, Section, Table, words_in
from northmen_agents.arena.report.svg import Drawing, shade

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1b2733;
  background: #fff; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 0.4rem; }
p { margin: 0.4rem 0; max-width: 46rem; }
nav ul { padding: 0; margin: 0.6rem 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.1rem; }
nav a { display: inline-block; padding: 0.35rem 0; }
a { color: #1f5fa8; }
.scroll { overflow-x: auto; margin: 0.6rem 0; }
.scroll:focus { outline: 2px solid #1f5fa8; outline-offset: 2px; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
.caption { font-weight: 600; margin: 1rem 0 0; }
th, td { padding: 0.25rem 0.6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #d8dee6; }
th:first-child { text-align: left; position: sticky; left: 0; background: #fff; }
thead th { border-bottom: 2px solid #55626f; font-weight: 600; }
tbody th { font-weight: 400; }
.words { text-align: left; }
.long { min-width: 9rem; white-space: normal; overflow-wrap: anywhere; }
figure { margin: 0.8rem 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { color: #55626f; font-size: 0.9rem; }
.warning { border-left: 4px solid #b3560b; background: #fdf3ea; padding: 0.4rem 0.8rem; }
pre { overflow-x: auto; background: #f4f6f8; padding: 0.7rem; font-size: 0.85rem; }
footer { margin-top: 2.5rem; color: #55626f; font-size: 0.9rem; }
@media print { nav, details { display: none; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
"""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The page forbids itself to load anything."""


def html_of(report: Report) -> str:
    """Return the page."""
    title = escape(report.title)
    contents = "".join(f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in report.sections)
    sections = "\n".join(_section(part) for part in report.sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{title}</title>\n<link rel="icon" href="data:,">\n<style>{STYLE}</style>\n</head>\n<body>\n'
        f'<header>\n<h1>{title}</h1>\n<nav aria-label="Sections"><ul>{contents}</ul></nav>\n</header>\n'
        f"<main>\n{sections}\n</main>\n<footer>{escape(report.footer)}</footer>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    parts = [f'<section id="{section.name}" aria-labelledby="{section.name}-title">']
    parts.append(f'<h2 id="{section.name}-title">{escape(section.title)}</h2>')
    parts += [f'<p class="warning" role="note">{escape(text)}</p>' for text in section.warnings]
    parts += [f"<p>{escape(text)}</p>" for text in section.sentences]
    if not any(cell.shade is not None for table in section.tables for row in table.rows for cell in row):
        parts += [_figure(drawing) for drawing in section.drawings]  # a shaded table is its own picture
    parts += [_table(table) for table in section.tables]
    if section.text:
        parts.append(f"<details><summary>Show</summary><pre>{escape(section.text)}</pre></details>")
    return "\n".join([*parts, "</section>"])


def _figure(drawing: Drawing) -> str:
    width = f'style="max-width:{drawing.width * 1.25:.0f}px"'
    return f"<figure {width}>{drawing.markup()}<figcaption>{escape(drawing.title)}</figcaption></figure>"


def _table(table: Table) -> str:
    named = f'aria-labelledby="caption-{table.name}"'
    words = words_in(table)
    kinds = [' class="words"' if word else "" for word in words]
    head = "".join(f'<th scope="col"{kind}>{escape(text)}</th>' for kind, text in zip(kinds, table.headings))
    body = "\n".join(
        f"<tr>{''.join(_cell(cell, i == 0, words[i], len(row) < 4) for i, cell in enumerate(row))}</tr>"
        for row in table.rows
    )
    return (
        f'<p class="caption" id="caption-{table.name}">{escape(table.caption)}</p>\n'
        f'<div class="scroll" role="region" tabindex="0" {named}>\n<table id="table-{table.name}" {named}>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"
    )


def _cell(cell: Cell, first: bool, words: bool, narrow: bool) -> str:
    text = escape(cell.text)
    if cell.value is not None:
        text = f'<data value="{cell.value!r}">{text}</data>'
    if cell.link:
        text = f'<a href="{escape(quote(cell.link))}">{text}</a>'
    if first:
        return f'<th scope="row">{text}</th>'
    if cell.shade is not None:
        return f'<td style="background:{shade(cell.shade)}">{text}</td>'
    kinds = " ".join([*["words"] * words, *["long"] * (narrow and len(cell.text) > 24)])
    return f'<td class="{kinds}">{text}</td>' if kinds else f"<td>{text}</td>"
