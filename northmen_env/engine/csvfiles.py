"""Strict reading of folders of small CSV tables, with every fault told as `file.csv:17: sentence`.

The tables are plain text: UTF-8 without a byte order mark, lines ended by LF, fields separated by commas, no quoting.
Strict, because a table set is known by the SHA-256 of its bytes: the same tables should have one spelling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_INTEGER = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Row:
    """One line of a table; `fields` (column -> text) is empty when the line has a wrong number of fields."""

    file: str
    line: int
    fields: Mapping[str, str]

    def fault(self, sentence: str) -> str:
        return f"{self.file}:{self.line}: {sentence}"


@dataclass(frozen=True)
class Table:
    """The rows of one file, header not included."""

    file: str
    rows: Sequence[Row]

    def fault(self, sentence: str) -> str:
        """Return a fault of the table as a whole, told at its last line."""
        whole = "said of all lines together, no one of them is at fault"
        return f"{self.file}:{self.rows[-1].line if self.rows else 1}: {sentence} ({whole})"


def read_folder(folder: Path | Traversable, headers: Mapping[str, str], faults: list[str]) -> dict[str, bytes]:
    """Return the bytes of the files of `headers` (file name -> header line); files that cannot be read are left out."""
    try:
        found, is_file = folder.is_dir(), folder.is_file()
    except (OSError, ValueError):
        found = is_file = False
    if not found:
        what = "is a file" if is_file else "is not a folder that can be read"
        faults.append(f"{folder}: this {what}; a data set is a folder with the files {', '.join(headers)}")
        return {}
    contents = {}
    for name in headers:
        try:
            file = folder.joinpath(name)
            if not file.is_file():
                faults.append(f"{name}:1: the file is missing; a data set has the files {', '.join(headers)}")
                continue
            contents[name] = file.read_bytes()
        except OSError as error:
            faults.append(f"{name}:1: the file cannot be read: {error.strerror or error}")
    return contents


def parse_table(file: str, content: bytes, header: str, faults: list[str], *, open_end: bool = False) -> Table | None:
    """Split a file into rows, telling every fault of its form and going on as well as possible.

    With `open_end` the last column is all that is left of a line, so that it may hold commas.

    Returns:
        None where it has another header: that is told once, and nothing can be said of its rows.
    """
    lines = _decode(file, content, faults).split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines or lines[0] != header:
        faults.append(f"{file}:1: the first line must be the header {header!r}, not {(lines or [''])[0][:80]!r}")
        return None
    columns = header.split(",")
    rows = []
    for number, text in enumerate(lines[1:], 2):
        values = text.split(",", len(columns) - 1 if open_end else -1)
        if len(values) == len(columns):
            rows.append(Row(file, number, dict(zip(columns, values, strict=True))))
            continue
        rows.append(Row(file, number, {}))
        faults.append(rows[-1].fault(f"{_fields(text, values)}, but a row has {len(columns)} ({header})"))
    return Table(file, rows)


def _fields(text: str, values: Sequence[str]) -> str:
    if not text:
        return "the line is empty"
    return f"the line has {len(values)} field{'' if len(values) == 1 else 's'}"


def _decode(file: str, content: bytes, faults: list[str]) -> str:
    if content.startswith(b"\xef\xbb\xbf"):
        faults.append(f"{file}:1: the file begins with a byte order mark; save it as UTF-8 without one")
        content = content[3:]
    if b"\r" in content:
        line = content[: content.index(b"\r")].count(b"\n") + 1
        faults.append(f"{file}:{line}: the line ends with CR; save the file with LF line ends")
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        faults.append(f"{file}:{line}: the byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8")
        return content.decode(errors="replace")


def integer(row: Row, column: str, low: int, high: int, faults: list[str]) -> int | None:
    """Return the integer of a field, or None with a fault told."""
    text = row.fields[column]
    if _INTEGER.fullmatch(text) and low <= int(text) <= high:
        return int(text)
    faults.append(row.fault(f"{column} must be an integer from {low} to {high}, not {text[:80]!r}"))
    return None


def check_ids(table: Table, count: int, noun: str, faults: list[str], *, first: int = 0) -> list[int]:
    """Return the id of each row, telling ids that do not count up from `first` and any other number of rows."""
    written = [integer(row, "id", 0, 999, faults) if row.fields else None for row in table.rows]
    ids: list[int] = []
    for i, (row, found) in enumerate(zip(table.rows, written, strict=True)):
        due = ids[-1] + 1 if ids else first
        ids.append(due)
        if found is None or found == due:
            continue
        faults.append(row.fault(f"id {found} where {due} is due; ids run from {first} to {first + count - 1} in order"))
        if written[i + 1 : i + 2] != [due + 1]:
            ids[-1] = found  # no slip in one line: a row is missing or doubled, so counting goes on from here
    if len(table.rows) != count:
        faults.append(table.fault(f"{len(table.rows)} {noun}; a data set has exactly {count}"))
    return ids


def read_names(table: Table, ids: Sequence[int], longest: int, faults: list[str]) -> dict[str, int]:
    """Return the ids by the names in column `name`; a name is unique, printable and `longest` bytes at most."""
    names: dict[str, int] = {}
    for row, row_id in zip(table.rows, ids, strict=True):
        if not row.fields:
            continue
        name = row.fields["name"]
        _check_name(row, name, longest, faults)
        if name in names:
            faults.append(row.fault(f"the name {name[:80]!r} is taken by id {names[name]}"))
        names.setdefault(name, row_id)
    return names


def _check_name(row: Row, name: str, longest: int, faults: list[str]) -> None:
    size = len(name.encode())
    if not name or name != name.strip() or name == "-" or ";" in name or '"' in name or not name.isprintable():
        rule = "a name is printable text, not '-', without ; or quotes or outer spaces"
        faults.append(row.fault(f"the name {name[:80]!r} cannot be used; {rule}"))
    elif size > longest:
        faults.append(row.fault(f"the name {name[:20]!r}… takes {size} bytes; the longest may take {longest}"))


def lookup(row: Row, what: str, name: str, names: Mapping[str, int], faults: list[str]) -> int | None:
    """Return the id of a name; without any names (their file is missing, which is told already) nothing is told."""
    if name not in names and names:
        faults.append(row.fault(f"unknown {what} {name[:80]!r}; known are {', '.join(names)}"))
    return names.get(name)
