"""The action numbering of the ledger (NORTH-ACT-01): first + offset."""

from __future__ import annotations

DONE, YES = 0, 1
MODE, CARD, TERR, CELL, ROT, PICK, NUM, BLDG, RES, ACT, PLAYER, CRE, CLAN, FACE = (
    2, 8, 94, 234, 374, 378, 381, 397, 405, 408, 412, 416, 425, 432,
)  # fmt: skip
ACTIONS = 434
PLAY, WAIT, REPLACE, REMOVE, UPGRADE, PASS = range(MODE, MODE + 6)
FOOD, WOOD, LORE = range(3)
UNREST = 85

RANGES = {
    "DONE": DONE, "YES": YES, "MODE": MODE, "CARD": CARD, "TERR": TERR, "CELL": CELL, "ROT": ROT, "PICK": PICK,
    "NUM": NUM, "BLDG": BLDG, "RES": RES, "ACT": ACT, "PLAYER": PLAYER, "CRE": CRE, "CLAN": CLAN, "FACE": FACE,
}  # fmt: skip


def name_of(action: int) -> str:
    """`DONE`, `TERR 14`, …"""
    kind = max((first, kind) for kind, first in RANGES.items() if first <= action)[1]
    return kind if action < MODE else f"{kind} {action - RANGES[kind]}"
