"""Tables of Blood: the map tiles and bandit cards, and the RULES record made from them and the options."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from northmen_env.engine.layout import record_dtype
from northmen_env.games.blood import bandit_table, tile_table
from northmen_env.games.blood.bandit_table import CARDS, MAX_EFFECTS, Card, Effect, Op, Unit
from northmen_env.games.blood.options import ABILITIES, BUILTIN, REWARDS, SEATS, Ability
from northmen_env.games.blood.tile_table import LETTERS, SIDES, TILES, Side, Tile, Village, match

if TYPE_CHECKING:
    from northmen_env.games.blood.options import Options

__all__ = [
    "ABILITIES",
    "IDS",
    "KINDS",
    "MAX_EFFECTS",
    "PILE_SIZE",
    "REWARDS",
    "RULES",
    "SEATS",
    "SIDES",
    "TILES",
    "Ability",
    "build_rules",
    "check_data",
]

IDS = TILES + 1
"""Length of an axis indexed by tile id 1-120 (or card number); row 0 is unused."""

KINDS = len(Side)
"""Letters of a side: `tile_table.Side`."""

PILE_SIZE = {1: 60, 2: 60, 3: 90, 4: 120, 5: 120}
"""Tiles in the game by number of players (BLOOD-SETUP-04)."""

RULES = record_dtype(
    "blood_rules",
    [
        # Read by generic code.
        ("num_players", np.int32),
        ("history", np.int32),  # rows of the seat's own events appended to an observation; 0: no event log
        ("dense", np.int32),  # 1: rewards are differences of public scores (engine)
        # Options (BLOOD-OPT-01).
        ("colours", np.int32),  # num_players, 2 in solo
        ("solo", np.int32),  # 0 or 1, as all flags
        ("goods", np.int32),
        ("citadels", np.int32),
        ("abilities", np.int32),
        ("num_abilities", np.int32),  # abilities in the pool, after the filter of SETUP-03; 0 without abilities
        ("ability_pool", np.int32, (ABILITIES,)),  # their ids, ascending; -1 beyond
        ("grid_size", np.int32),  # S, 8..64
        ("vikings_every_turn", np.int32),
        ("reward", np.int32),  # index into REWARDS
        ("pile_size", np.int32),  # tiles in the game: 60, 90 or 120 (SETUP-04)
        # Tiles, by id.
        ("letters", np.int32, (IDS, SIDES)),  # Side of the six printed sides
        ("village", np.int32, (IDS,)),  # Village, -1 none (and at id 0)
        ("mountains", np.int32, (IDS,)),  # mountain sides
        ("period", np.int32, (IDS,)),  # rotations that look different: 1, 2, 3 or 6
        ("turned", np.int32, (IDS, SIDES)),  # by rotation k: bit 5 * d + letter of each side d
        ("kind_sides", np.int32, (IDS, SIDES, KINDS)),  # by rotation k and letter: bit d for each side that shows it
        ("fail", np.int32, (KINDS,)),  # bit set of the letters that do not match this letter (PLACE-05)
        ("village_set", np.int64, (KINDS, 2)),  # tile sets by Village type 0..3, [4] all; bit t % 61 of word t // 61
        # Bandit cards, by number.
        ("card_redirect", np.int32, (CARDS + 1,)),  # 1..30, 0 on the cards that act directly
        ("card_effects", np.int32, (CARDS + 1,)),  # number of effects
        ("effect_op", np.int32, (CARDS + 1, MAX_EFFECTS)),  # Op, 0 beyond
        ("effect_count", np.int32, (CARDS + 1, MAX_EFFECTS)),  # k where the unit is NUMBER
        ("effect_unit", np.int32, (CARDS + 1, MAX_EFFECTS)),  # Unit
        ("effect_what", np.int32, (CARDS + 1, MAX_EFFECTS)),  # Where or Pick
        ("effect_if_won", np.int32, (CARDS + 1, MAX_EFFECTS)),  # 1: IFWON(...)
        # For State JSON.
        ("tile_sha256", np.uint8, (32,)),
        ("bandit_sha256", np.uint8, (32,)),
    ],
)


@dataclass(frozen=True)
class Tables:
    """The two tables as read: tile or card `n` stands at `n - 1`; the hashes are those of BLOOD-TILE-03, -CARD-03."""

    tiles: tuple[Tile, ...]
    cards: tuple[Card, ...]
    tile_sha256: str
    bandit_sha256: str


# ---- From files to Tables -------------------------------------------------------------------------------------------

Reader = Callable[[str, bytes, list[str]], tuple[Any, ...]]

_READERS: dict[str, Reader] = {
    "tiles.csv": tile_table.read_tiles,
    "bandits.csv": bandit_table.read_cards,
}
_HEADERS = {"tiles.csv": tile_table.HEADER, "bandits.csv": bandit_table.HEADER}
_OPTIONS = {"tiles.csv": "tile_table", "bandits.csv": "bandit_table"}


def check_data(path: str) -> list[str]:
    """Return a sentence for each violated condition of BLOOD-OPT-04, `file.csv:line: …`; empty for sound tables.

    Args:
        path: a folder with a tile table, a table of bandit cards or both, or one such file. A table is known by its
            first line, a file that has no such line by its name (`tiles.csv`, `bandits.csv`).
    """
    if path == BUILTIN:
        path = str(files(__package__).joinpath("data"))
    faults: list[str] = []
    for file in _table_files(Path(path), faults):
        content = _content(file, faults)
        kind = _kind(file.name, content)
        if content is not None and kind is None:
            headers = " or ".join(f"{header!r} ({name})" for name, header in _HEADERS.items())
            faults.append(f"{file.name}:1: the first line must be the header {headers}")
        elif content is not None and kind is not None:
            _READERS[kind](file.name, content, faults)
    return faults


def _table_files(path: Path, faults: list[str]) -> list[Path]:
    """Return the CSV files of a folder, or the file itself."""
    try:
        if path.is_file():
            return [path]
        found = sorted(file for file in path.iterdir() if file.suffix.lower() == ".csv")
    except (OSError, ValueError):
        faults.append(f"{path}: this is not a folder that can be read; give one with {' or '.join(_HEADERS)}")
        return []
    if not found:
        faults.append(f"{path}: there is no table in this folder; give one with {' or '.join(_HEADERS)}")
    return found


def _content(file: Path, faults: list[str]) -> bytes | None:
    try:
        return file.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        faults.append(f"{file.name}:1: the file cannot be read: {reason}")
        return None


def _kind(name: str, content: bytes | None) -> str | None:
    """Return the name in the package of the table that a file is meant to be, None if nothing tells."""
    first = (content or b"").split(b"\n", 1)[0].decode(errors="replace").strip("\ufeff\r")
    by_header = [kind for kind, header in _HEADERS.items() if header == first]
    return by_header[0] if by_header else name if name in _READERS else None


def load_tables(options: Options) -> Tables:
    """Return the tables that `options` play with.

    Raises:
        ValueError: a file violates BLOOD-OPT-04.
    """
    tiles, tile_sha256 = _load("tiles.csv", options.tile_table)
    cards, bandit_sha256 = _load("bandits.csv", options.bandit_table)
    return Tables(tiles, cards, tile_sha256, bandit_sha256)


def _load(kind: str, path: str) -> tuple[tuple[Any, ...], str]:
    if path == BUILTIN:
        return _builtin(kind)
    faults: list[str] = []
    content = _content(Path(path), faults)
    rows = _READERS[kind](Path(path).name, content, faults) if content is not None else ()
    if faults or content is None:
        more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
        raise ValueError(
            f"the {_OPTIONS[kind]} {path!r} cannot be used: {'; '.join(faults[:3])}{more}. "
            f"`northmen data check blood {path}` lists everything that is wrong"
        )
    return rows, _sha256(content)


@cache
def _builtin(kind: str) -> tuple[tuple[Any, ...], str]:
    faults: list[str] = []
    content = files(__package__).joinpath("data").joinpath(kind).read_bytes()
    rows = _READERS[kind](kind, content, faults)
    if faults:
        raise ValueError(f"the tables inside the package are damaged, install it again: {'; '.join(faults[:3])}")
    return rows, _sha256(content)


def _sha256(content: bytes) -> str:
    """Return the hash of a table, whose last line may lack its end in the file."""
    return hashlib.sha256(content.removesuffix(b"\n") + b"\n").hexdigest()


# ---- From Tables to RULES -------------------------------------------------------------------------------------------


def build_rules(options: Options) -> np.ndarray:
    """Return the (1,) RULES array of a configuration, with `history` = `dense` = 0.

    Raises:
        ValueError: a table of the options violates BLOOD-OPT-04.
    """
    return rules_from(load_tables(options), options)


def tables_sha256(options: Options) -> tuple[str, str]:
    """Return the SHA-256 (hex) of the tile table and of the bandit table that `options` play with.

    Raises:
        ValueError: a table of the options violates BLOOD-OPT-04.
    """
    tables = load_tables(options)
    return tables.tile_sha256, tables.bandit_sha256


def rules_from(tables: Tables, options: Options) -> np.ndarray:
    """Return the (1,) RULES array of tables that were read."""
    array = np.zeros(1, RULES)
    rules = array[0]
    rules.fail[:] = [sum(1 << i for i, old in enumerate(LETTERS) if not match(new, old)) for new in LETTERS]
    rules.village[0] = Village.NONE
    for number, tile in enumerate(tables.tiles, 1):
        _put_tile(rules, number, tile)
    for number, card in enumerate(tables.cards, 1):
        rules.card_redirect[number] = card.redirect
        rules.card_effects[number] = len(card.effects)
        for place, effect in enumerate(card.effects):
            _put_effect(rules, number, place, effect)
    rules.tile_sha256[:] = np.frombuffer(bytes.fromhex(tables.tile_sha256), np.uint8)
    rules.bandit_sha256[:] = np.frombuffer(bytes.fromhex(tables.bandit_sha256), np.uint8)
    _put_options(rules, options)
    return array


def _put_tile(rules: Any, number: int, tile: Tile) -> None:
    rules.letters[number] = [LETTERS.index(letter) for letter in tile.sides]
    rules.village[number] = tile.village
    rules.mountains[number] = tile.sides.count("M")
    rules.period[number] = tile.period
    for rotation in range(SIDES):
        kinds = [LETTERS.index(letter) for letter in tile.turned(rotation)]
        rules.turned[number, rotation] = sum(1 << KINDS * side + kind for side, kind in enumerate(kinds))
        rules.kind_sides[number, rotation] = [
            sum(1 << side for side in range(SIDES) if kinds[side] == kind) for kind in range(KINDS)
        ]
    if tile.village != Village.NONE:
        word, bit = divmod(number, 61)
        rules.village_set[tile.village, word] |= 1 << bit
        rules.village_set[KINDS - 1, word] |= 1 << bit


def _put_effect(rules: Any, number: int, place: int, effect: Effect) -> None:
    rules.effect_op[number, place] = effect.op
    rules.effect_count[number, place] = effect.number
    rules.effect_unit[number, place] = effect.unit
    rules.effect_what[number, place] = effect.what
    rules.effect_if_won[number, place] = effect.if_won


def _put_options(rules: Any, options: Options) -> None:
    rules.num_players = options.num_players
    rules.colours = options.num_colours
    rules.solo = options.num_players == 1
    rules.goods = options.goods
    rules.citadels = options.citadels
    rules.abilities = options.abilities
    rules.ability_pool[:] = -1
    if options.abilities:
        rules.num_abilities = len(options.dealt_abilities)
        rules.ability_pool[: len(options.dealt_abilities)] = options.dealt_abilities
    rules.grid_size = options.grid_size
    rules.vikings_every_turn = options.vikings_every_turn
    rules.reward = REWARDS.index(options.reward)
    rules.pile_size = PILE_SIZE[options.num_players]


# ---- Reading RULES --------------------------------------------------------------------------------------------------


def sides_text(rules: Any, tile: int, rotation: int = 0) -> str:
    """Return the six letters of a tile turned by `rotation`, from side N clockwise (BLOOD-HEX-02)."""
    return "".join(LETTERS[int(rules.letters[tile, (d - rotation) % SIDES])] for d in range(SIDES))


def card_effects(rules: Any, card: int) -> tuple[Effect, ...]:
    """Return the effects of a bandit card."""
    return tuple(
        Effect(
            Op(int(rules.effect_op[card, i])),
            int(rules.effect_count[card, i]),
            Unit(int(rules.effect_unit[card, i])),
            int(rules.effect_what[card, i]),
            bool(rules.effect_if_won[card, i]),
        )
        for i in range(int(rules.card_effects[card]))
    )


def hashes(rules: Any) -> tuple[str, str]:
    """Return the SHA-256 (hex) of the tile table and of the bandit table that a RULES record was made from."""
    return bytes(rules.tile_sha256).hex(), bytes(rules.bandit_sha256).hex()
