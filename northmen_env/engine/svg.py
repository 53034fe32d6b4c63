"""A small writer of SVG: shapes, text and groups with `data-` attributes, always well-formed XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from xml.sax.saxutils import escape, quoteattr

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

INK = "#2b2a28"


class Drawing:
    """An SVG picture under construction; `str(drawing)` is the document.

    Positions and sizes are in units of the view box. Attributes of a group are given as `data` with plain names:
    `{"seat": 1}` becomes `data-seat="1"`; None becomes `"none"`, truth values `"true"` and `"false"`.

    Args:
        width, height: size of the view box.
        title: what a screen reader says.
        data: attributes of the root element.
    """

    def __init__(self, width: int, height: int, title: str, data: Mapping[str, object]) -> None:
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" role="img"{_data(data)}>',
            f"<title>{_text(title)}</title>",
        ]

    def __str__(self) -> str:
        return "\n".join([*self._parts, "</svg>"]) + "\n"

    @contextmanager
    def group(self, data: Mapping[str, object], at: tuple[float, float] | None = None) -> Iterator[None]:
        """Open a group with `data-` attributes, moved to `at`, for the length of a `with` block."""
        place = f' transform="translate({_number(at[0])} {_number(at[1])})"' if at else ""
        self._parts.append(f"<g{_data(data)}{place}>")
        yield
        self._parts.append("</g>")

    def mark(self, data: Mapping[str, object]) -> None:
        """Add an empty group: a fact that is part of the document and is drawn elsewhere, or is nothing to draw."""
        self._parts.append(f"<g{_data(data)}/>")

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str, stroke: str = "", width: float = 1, r: float = 0
    ) -> None:
        """Add a rectangle with corners of radius `r`."""
        size = f'x="{_number(x)}" y="{_number(y)}" width="{_number(w)}" height="{_number(h)}"'
        corner = f' rx="{_number(r)}"' if r else ""
        self._parts.append(f"<rect {size}{corner}{_paint(fill, stroke, width)}/>")

    def circle(self, x: float, y: float, r: float, fill: str, stroke: str = "", width: float = 1) -> None:
        """Add a circle."""
        size = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}"'
        self._parts.append(f"<circle {size}{_paint(fill, stroke, width)}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1, dash: str = "") -> None:
        """Add a straight line; `dash` is SVG's `stroke-dasharray`."""
        ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(f'<line {ends} stroke="{stroke}" stroke-width="{_number(width)}"{dashes}/>')

    def path(
        self,
        d: str,
        fill: str,
        stroke: str = "",
        width: float = 1,
        at: tuple[float, float] = (0, 0),
        scale: float = 1,
    ) -> None:
        """Add a path of SVG commands, enlarged by `scale` and then moved to `at`."""
        moves = [f"translate({_number(at[0])} {_number(at[1])})"] if at != (0, 0) else []
        moves += [f"scale({_number(scale)})"] if scale != 1 else []
        place = f' transform="{" ".join(moves)}"' if moves else ""
        self._parts.append(f'<path d="{d}"{place}{_paint(fill, stroke, width)}/>')

    def text(
        self, x: float, y: float, words: object, size: float, fill: str = INK, anchor: str = "start", bold: bool = False
    ) -> None:
        """Add a line of text; `y` is its base line, `anchor` is `start`, `middle` or `end`.

        Bold is drawn with an outline: a renderer that has one weight of a font only shows it all the same.
        """
        where = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"'
        side = f' text-anchor="{anchor}"' if anchor != "start" else ""
        outline = f' stroke="{fill}" stroke-width="{_number(size * 0.035)}"' if bold else ""
        self._parts.append(f'<text {where}{side} fill="{fill}"{outline}>{_text(words)}</text>')


def fit(words: str, width: float, size: float) -> str:
    """Return `words`, cut and ended with two dots where they would be wider than `width` at this font size."""
    room = max(3, int(width / (size * 0.56)))
    return words if len(words) <= room else words[: room - 2].rstrip() + ".."


def _paint(fill: str, stroke: str, width: float) -> str:
    outline = f' stroke="{stroke}" stroke-width="{_number(width)}"' if stroke else ""
    return f' fill="{fill}"{outline}'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _text(words: object) -> str:
    return escape(_NOT_XML.sub("?", str(words)))


def _data(data: Mapping[str, object]) -> str:
    return "".join(f" data-{name}={quoteattr(_value(value))}" for name, value in data.items())


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _NOT_XML.sub("?", str(value))
