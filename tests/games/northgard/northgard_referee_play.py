"""Random play of the referee: two samplers, and a table of what occurred."""

from __future__ import annotations

import random
from collections import Counter

from northgard_referee import Referee, Steps
from northgard_referee_actions import BLDG, CARD, DONE, PASS, PLAY, REMOVE, REPLACE, TERR, UPGRADE, WAIT, YES, name_of

POINTS = (
    "CLAN SETUP_TILE SETUP_CELL SETUP_ROT SETUP_TERR SETUP_KAIJA MENU PLAY_CARD CONT WAIT_CARD REPLACE_CARD "
    "REMOVE_CARD UPG_CARD UPG_DEST UPG_PICK PASS_PICK PASS_CRE PASS_CRE_AT REACT TOKEN REC_TERR REC_KAIJA REC_PAY "
    "REC_CAMP REC_PULL PAY MV_SRC MV_DST MV_NUM MV_KAIJA MV_CRE CB_PICK CB_PUSH CB_FOOD_A CB_FOOD_D CB_FACE_A "
    "CB_EITHER CB_FACE_D RT_TERR RT_NUM RT_KAIJA EX_AGAIN EX_REDRAW EX_PICK EX_CELL EX_ROT BD_TERR BD_GATHER "
    "BD_TYPE BD_CARVED RP_TERR RP_OLD RP_NEW DR_KEEP DR_TOP DR_PAY ACT ST_TERR ST_RES ST_ADD CP_WHO CP_CARD "
    "HD_WHO HD_ALL HD_DRAW HD_CARD HD_RANSOM BR_SRC BR_DST BR_NUM FT_CARD FS_CARD HV_SCORCH TR_GIVE TR_TAKE "
    "SW_GIVE SW_TAKE SW_OK CR_MOVE SC_TERR SC_KAIJA SC_CELL SC_ROT"
).split()
OPERATIONS = "RECRUIT MOVE EXPLORE BUILD DRAW GAIN CHOOSE STRIKE COPY HAND BRIBE FETCH FORESEE CONQUER".split()


def uniform(game: Referee, rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(game.legal_actions())


def eager(game: Referee, rng: random.Random) -> int:
    """Plays its cards, upgrades, seldom passes or stops early, goes where others are, builds large."""
    legal, point = game.legal_actions(), game.decision
    if point == "MENU":
        modes = {PLAY: 20, UPGRADE: 12, REPLACE: 2, REMOVE: 2, WAIT: 1, PASS: 1}
        return rng.choices(legal, [modes[a] for a in legal])[0]
    if point in ("MV_DST", "REC_TERR") and rng.random() < 0.5:
        near = [a for a in legal if a >= TERR and (wanted(game, a - TERR))]
        return rng.choice(near or legal)
    if point == "MV_NUM":
        return legal[-1] if rng.random() < 0.6 else rng.choice(legal)
    if point == "PLAY_CARD":
        clans = [a for a in legal if a - CARD >= 5]
        return rng.choice(clans or legal) if rng.random() < 0.6 else rng.choice(legal)
    if point == "BD_TYPE" and rng.random() < 0.6:
        return max(legal) if max(legal) >= BLDG + 5 else rng.choice(legal)
    if point == "TR_GIVE":
        return DONE if rng.random() < 0.5 else rng.choice(legal)
    acts = [a for a in legal if a != DONE]
    return rng.choice(acts if rng.random() < 0.85 else legal)


def wanted(game: Referee, t: int) -> bool:
    seats = game.seats_at(t)
    return bool(game.creatures_at(t)) or (seats != [] and seats != [game.player])


def hasty(game: Referee, rng: random.Random) -> int:
    """Passes often, so that years go by; otherwise eager."""
    return PASS if game.decision == "MENU" and rng.random() < 0.5 else eager(game, rng)


SAMPLERS = {"uniform": uniform, "eager": eager, "hasty": hasty}


class Watched(Referee):
    """The referee, counting operations and card rows as they begin."""

    seen: Counter[str]

    def _configure(self, *given) -> None:
        self.seen = Counter()
        super()._configure(*given)

    def begun(self, card: int, op: int) -> None:
        seen = self.seen
        row = self.tables["cards"][card]
        seen[f"operation {['NONE', *OPERATIONS][op]}"] += 1
        seen[f"row {card:02d}"] += 1
        for bit in range(7):
            seen[f"bit {['NONE', *OPERATIONS][op]} {1 << bit}"] += row["fl"] >> bit & 1
        if any(frame["frame"] == "COPY" for frame in self.frames):
            seen["copied effect"] += 1

    def draw_tiles(self, p: int, row: dict, k: int) -> tuple[list[int], dict[int, dict]]:
        before = len(self.stack)
        drawn, fits = super().draw_tiles(p, row, k)
        self.seen["explore in vain"] += not fits
        self.seen["tiles without a place"] += bool(fits) and len(self.stack) > before - k
        return drawn, fits

    def reveal(self) -> int | None:
        if not self.creature_pile:
            self.seen["creatures shuffled anew" if self.creature_discard else "no creature left"] += 1
        return super().reveal()

    def winter(self, p: int) -> None:
        fame = self.fame[p]
        super().winter(p)
        self.seen["no Unrest left"] += self.fame[p] < fame

    def retreat(self, frame: dict, loser: int) -> Steps:
        self.seen["no refuge"] += bool(self.figures(frame["terr"], loser)) and not self.refuges(frame, loser)
        self.seen["retreat of the defender"] += loser == frame["defender"]
        yield from super().retreat(frame, loser)

    def exit_cost(self, u: int, *given) -> int:
        cost = super().exit_cost(u, *given)
        self.seen["way through the teammate"] += cost < 10
        return cost

    def second_tile(self, p: int, frame: dict) -> Steps:
        free = yield from super().second_tile(p, frame)
        self.seen["second chance without a place"] += not free
        return free


def count(game: Watched, action: int, seen: Counter[str]) -> None:
    """Count decision point, answer and rare circumstances."""
    seen[f"point {game.decision}"] += 1
    kind = name_of(action).split()[0]
    seen[f"answer {game.decision} {kind if action > YES else name_of(action)}"] += 1
    for frame in game.frames:
        seen[f"frame {frame['frame']}"] += 1
        if frame["frame"] == "COMBAT" and game.decision.startswith("CB_FOOD"):
            seen["fight with a creature"] += frame["creature"] is not None
            seen["combat"] += frame["creature"] is None
            seen["combat after a bribe"] += frame["row"] is None and frame["creature"] is None
    seen["several combats due"] += game.decision == "CB_PICK"
    seen["chain of five frames"] += len(game.frames) == 5


def count_end(game: Watched, seen: Counter[str]) -> None:
    """Count how the game ended."""
    seen["games"] += 1
    seen["end by three strongholds"] += any(game.meets_end_1(side) for side in game.sides())
    for key, value in game.options.items():
        if key not in ("data",):
            seen[f"option {key} {value}"] += 1


def report(seen: Counter[str]) -> str:
    """Return the table of occurrences."""
    return "\n".join(f"{number:9d}  {what}" for what, number in sorted(seen.items()) if number)
