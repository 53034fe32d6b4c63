"""Drawings as SVG, by hand: one and the same for page, Markdown and PNG, without any library.

Everything is ASCII, so that the same numbers give the same pixels on every machine (see `northmen_env.envs.picture`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

INK, SOFT, GRID, ACCENT = "#1b2733", "#55626f", "#d8dee6", "#1f5fa8"
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours that most colour-blind people can tell apart (Okabe & Ito 2008)."""

WIDTH = 460
FONT = 14
LETTER = 7.8  # mean width of a letter
WIDEST = 190  # room for labels


@dataclass(frozen=True)
class Drawing:
    """A drawing.

    Attributes:
        name: of its file, without suffix.
        title: what it shows, in a sentence.
        width, height: pixels.
        body: SVG elements.
    """

    name: str
    title: str
    width: int
    height: int
    body: str

    def markup(self, scale: float | None = None) -> str:
        """Return the SVG element: for a page without a size of its own, or for a file `scale` times as large."""
        size = "" if scale is None else f' width="{round(scale * self.width)}" height="{round(scale * self.height)}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"{size} role="img" '
            f'aria-label="{_clean(self.title)}" font-family="sans-serif" font-size="{FONT}" fill="{INK}">'
            f"{self.body}</svg>"
        )


@dataclass(frozen=True)
class Axis:
    """A scale from data to pixels.

    Attributes:
        low, high: of the data.
        start, end: pixels.
        log: whether it is logarithmic.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float, *, log: bool = False) -> Axis:
        """Return an axis that holds all finite values, with a little room."""
        finite = [value for value in values if math.isfinite(value) and (value > 0 or not log)]
        low, high = (min(finite), max(finite)) if finite else (1.0, 1.0)
        if log:
            return cls(
                10.0 ** math.floor(math.log10(low)), 10.0 ** (math.floor(math.log10(high)) + 1), start, end, True
            )
        same = high - low <= 1e-9 * max(abs(low), abs(high), 1.0)
        room = (0.5 * abs(high) if abs(high) > 1e-9 else 1.0) if same else 0.06 * (high - low)
        return cls(low - room, high + room, start, end)

    def at(self, value: float) -> float:
        """Return where a value is."""
        if self.log:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, *, whole: bool = False) -> list[float]:
        """Return round values along the axis; `whole`: no fractions."""
        if self.log:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [10.0**power for power in range(first, last + 1)]
        rough = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        if whole:
            step, first = max(1.0, math.ceil(step)), math.ceil(self.low / max(1.0, math.ceil(step)) - 1e-9)
        return [step * k for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def dots(
    name: str,
    title: str,
    labels: Sequence[str],
    values: Sequence[float],
    lows: Sequence[float] = (),
    highs: Sequence[float] = (),
    *,
    unit: str,
    log: bool = False,
    zero: bool = False,
) -> Drawing:
    """Draw a dot for each label, with its interval where it has one.

    Args:
        name, title: of the drawing.
        labels, values: from top to bottom.
        lows, highs: ends of the intervals; NaN for none.
        unit: what the axis shows.
        log: whether the axis is logarithmic.
        zero: whether to mark zero.
    """
    left = _room(labels)
    axis = Axis.over([*values, *lows, *highs, *([0.0] if zero else [])], left, WIDTH - 24, log=log)
    row, top = 28, 12
    bottom = top + row * len(labels)
    parts = [_vertical_grid(axis, top, bottom)]
    if zero:
        parts.append(f'<line x1="{axis.at(0):.1f}" y1="{top}" x2="{axis.at(0):.1f}" y2="{bottom}" stroke="{SOFT}"/>')
    for i, (label, value) in enumerate(zip(labels, values)):
        y = top + row * (i + 0.5)
        parts.append(_text(left - 10, y + 4.5, _short(label), "end"))
        if not math.isfinite(value):
            continue
        if lows and math.isfinite(lows[i]) and math.isfinite(highs[i]):
            a, b = axis.at(lows[i]), axis.at(highs[i])
            parts.append(
                f'<path d="M{a:.1f} {y:.1f}H{b:.1f}M{a:.1f} {y - 5:.1f}v10M{b:.1f} {y - 5:.1f}v10" '
                f'stroke="{ACCENT}" stroke-width="2" fill="none"/>'
            )
        parts.append(f'<circle cx="{axis.at(value):.1f}" cy="{y:.1f}" r="5" fill="{ACCENT}"/>')
    parts.append(_text((left + WIDTH - 24) / 2, bottom + 38, unit, "middle", SOFT))
    return Drawing(name, title, WIDTH, bottom + 48, "".join(parts))


def histogram(name: str, title: str, values: Sequence[int], *, unit: str) -> Drawing:
    """Draw how often each range of values occurs."""
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / 24))
    counts = [0] * ((high - low) // width + 1)
    for value in values:
        counts[(value - low) // width] += 1
    left, top, bottom = 56, 12, 212
    axis = Axis(low, low + width * len(counts), left, WIDTH - 16)
    up = Axis(0, max(counts) * 1.05, bottom, top)
    parts = [_horizontal_grid(up, left, WIDTH - 16, whole=True)]
    for i, count in enumerate(counts):
        a, b, y = axis.at(low + width * i), axis.at(low + width * (i + 1)), up.at(count)
        parts.append(
            f'<rect x="{a + 0.5:.1f}" y="{y:.1f}" width="{max(b - a - 1, 1):.1f}" height="{bottom - y:.1f}" '
            f'fill="{ACCENT}"/>'
        )
    parts += [_text(axis.at(tick), bottom + 18, _number(tick), "middle", SOFT) for tick in axis.ticks(whole=True)]
    parts.append(_text((left + WIDTH) / 2, bottom + 40, unit, "middle", SOFT))
    parts.append(_text(16, (top + bottom) / 2, "games", "middle", SOFT, turn=-90))
    return Drawing(name, title, WIDTH, bottom + 50, "".join(parts))


def heat_map(name: str, title: str, labels: Sequence[str], shares: Sequence[Sequence[float]]) -> Drawing:
    """Draw a square of shares 0..1, row against column; NaN stays empty."""
    left, cell = _room(labels), 54
    top, rise = round(0.62 * left) + 8, 30
    width = left + cell * len(labels) + round(0.55 * left)
    parts = []
    for j, label in enumerate(labels):
        parts.append(_text(left + cell * (j + 0.5), top - 8, _short(label), "start", turn=-35))
    for i, label in enumerate(labels):
        y = top + rise * i
        parts.append(_text(left - 10, y + 20, _short(label), "end"))
        for j, share in enumerate(shares[i]):
            x = left + cell * j
            known = math.isfinite(share)
            colour = shade(share) if known else "#f1f3f5"
            parts.append(f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{rise - 2}" fill="{colour}"/>')
            if known:
                parts.append(_text(x + cell / 2 - 1, y + 19, f"{100 * share:.1f}", "middle"))
    return Drawing(name, title, max(width, 240), top + rise * len(labels) + 8, "".join(parts))


@dataclass(frozen=True)
class Line:
    """A line of `lines`: label, points, and the ends of a band around it (or nothing)."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def lines(name: str, title: str, drawn: Sequence[Line], *, unit: str, along: str = "step") -> Drawing:
    """Draw lines over one axis, with a legend below if there are several."""
    left, top, bottom = 70, 12, 252
    across = Axis.over([x for line in drawn for x in line.x], left, WIDTH - 16)
    up = Axis.over([y for line in drawn for part in (line.y, line.low, line.high) for y in part], bottom, top)
    parts = [_horizontal_grid(up, left, WIDTH - 16)]
    parts += [_text(across.at(tick), bottom + 18, _number(tick), "middle", SOFT) for tick in across.ticks()]
    for number, line in enumerate(drawn):
        colour = LINES[number % len(LINES)]
        if len(line.low):
            there = [(x, y) for x, y in zip(line.x, line.high)]
            back = [(x, y) for x, y in zip(line.x, line.low)][::-1]
            parts.append(f'<path d="{_path(across, up, there + back)}Z" fill="{colour}" fill-opacity="0.18"/>')
        parts.append(
            f'<path d="{_path(across, up, list(zip(line.x, line.y)))}" stroke="{colour}" stroke-width="2" fill="none"/>'
        )
        if len(line.x) == 1:
            parts.append(f'<circle cx="{across.at(line.x[0]):.1f}" cy="{up.at(line.y[0]):.1f}" r="4" fill="{colour}"/>')
    parts.append(_text((left + WIDTH) / 2, bottom + 40, along, "middle", SOFT))
    parts.append(_text(16, (top + bottom) / 2, unit, "middle", SOFT, turn=-90))
    y = bottom + 64
    for number, line in enumerate(drawn if len(drawn) > 1 else ()):
        parts.append(f'<rect x="{left}" y="{y - 8}" width="22" height="5" fill="{LINES[number % len(LINES)]}"/>')
        parts.append(_text(left + 30, y, line.label, "start"))
        y += 20
    return Drawing(name, title, WIDTH, y - 12 if len(drawn) == 1 else y, "".join(parts))


def shade(share: float) -> str:
    """Return the colour of a share 0..1: blue below one half, orange above, light enough for dark letters."""
    share = min(max(share, 0.0), 1.0)
    end = (244, 162, 89) if share > 0.5 else (125, 184, 224)
    strength = abs(share - 0.5) * 2
    return "#" + "".join(f"{round(255 + (part - 255) * strength):02x}" for part in end)


def _path(across: Axis, up: Axis, points: Sequence[tuple[float, float]]) -> str:
    """Return the path through the points, interrupted where one is missing."""
    text, pen = "", False
    for x, y in points:
        if math.isfinite(x) and math.isfinite(y):
            text += f"{'L' if pen else 'M'}{across.at(x):.1f} {up.at(y):.1f}"
            pen = True
        else:
            pen = False
    return text or "M0 0"


def _room(labels: Sequence[str]) -> int:
    return round(min(WIDEST, 24 + LETTER * max((len(label) for label in labels), default=0)))


def _short(label: str) -> str:
    """Return a label that fits; its end says more than its middle."""
    most = int((WIDEST - 24) / LETTER)
    return label if len(label) <= most else f"{label[: most - 10]}..{label[-8:]}"


def _vertical_grid(axis: Axis, top: float, bottom: float) -> str:
    parts = []
    for tick in axis.ticks():
        x = axis.at(tick)
        parts.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="{GRID}"/>')
        parts.append(_text(x, bottom + 18, _number(tick), "middle", SOFT))
    return "".join(parts)


def _horizontal_grid(axis: Axis, left: float, right: float, *, whole: bool = False) -> str:
    parts = []
    for tick in axis.ticks(whole=whole):
        y = axis.at(tick)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="{GRID}"/>')
        parts.append(_text(left - 8, y + 4.5, _number(tick), "end", SOFT))
    return "".join(parts)


def _number(value: float) -> str:
    """Return a round number as people write it: 0.002, 1500, 2.5M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e5, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):g}{letter}"
    text = f"{value:.10f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _text(x: float, y: float, text: str, anchor: str, colour: str = INK, turn: int = 0) -> str:
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{turned}>{_clean(text)}</text>'


def _clean(text: str) -> str:
    return escape(text.encode("ascii", "replace").decode())
