"""Positions of Northgard for tests: State JSON at MENU from a map in words, and actions by name.

Nothing here comes from the package; everything not said is filled up so that the position is a whole game: every seat
has its seven first cards, all tiles not on the map are in the stack.
"""

from __future__ import annotations

import random
import re
from typing import Any

import northgard_referee_tables
from northgard_referee import DEFAULT_OPTIONS, Referee
from northgard_referee_actions import MODE, RANGES, name_of

TABLES = northgard_referee_tables.tables()
FIELD = "0@(0,0)/0 14@(1,0)/0 3@(1,-1)/0"
# Territory 1 (slots 1, 4, 9) has a large space, a small one, one food and one wood; 0, 2, 3 and 8 are beside it.
TWO_CLOSED = "0@(0,0)/0 34@(0,-1)/3 7@(0,-2)/3 27@(-1,-1)/1 26@(-1,-2)/1 15@(-2,-2)/0"
# Territories 0 (slots 0, 5, 11; one wood) and 4 (slots 4, 12, 17; one food) are closed; 10 has one lore.
FOUR_CLOSED = "0@(0,0)/0 8@(0,1)/3 1@(-1,0)/1 28@(-1,1)/3 21@(-2,1)/2 11@(0,-1)/0"
# Territories 0, 3, 4 and 9 are closed and of size 2; 1 and 2 are open.
STARTING = [0, 1, 2, 3, 4, 4]
GROUPS = (range(5, 21), range(21, 57), range(57, 64))
"""Early and Advanced cards, achievements."""

CLANS = (2, 1, 3, 4, 0)  # Goat, Boar, Raven, Snake, Bear


class Seeded:
    """A chance oracle."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def first(self, n: int) -> int:
        return self.rng.randrange(n)

    def die(self, seat: int | None) -> int:
        return self.rng.randrange(6)

    def shuffle(self, what: str, seat: int | None, items: list[int]) -> list[int]:
        return self.rng.sample(items, len(items))


class Stacked:
    """A chance oracle: these faces are rolled, `orders[what]` comes first, everything else ascending."""

    def __init__(self, *dice: int, first: int = 0, **orders: list[int]) -> None:
        self.dice, self.leader, self.orders = list(dice), first, orders

    def first(self, n: int) -> int:
        return self.leader

    def die(self, seat: int | None) -> int:
        return self.dice.pop(0)

    def shuffle(self, what: str, seat: int | None, items: list[int]) -> list[int]:
        rest = list(items)
        lead = [x for x in self.orders.get(what, []) if x in rest and (rest.remove(x) or True)]
        return lead + rest


def tiles_of(text: str, size: int = 36) -> list[list[int]]:
    """Read `id@(x,y)/rotation ...`."""
    found = re.findall(r"(\d+)@\((-?\d+),(-?\d+)\)/(\d)", text)
    return [[int(t), int(x) % size, int(y) % size, int(r)] for t, x, y, r in found]


def position(text: str, units: dict[int, dict[int, int]], hands: Any = None, n: int = 2, **given: Any) -> dict:
    """State JSON: seat 0 at MENU in year 1. `units`: by seat the units by territory; `hands`: by seat the cards."""
    hands = {p: list(cards) for p, cards in (hands or {}).items()}
    options = {**DEFAULT_OPTIONS, "num_players": n, **given.pop("options", {})}
    clans = list(given.pop("clans", CLANS[:n]))
    deck = {p: [*STARTING, 64 + 3 * clans[p]] for p in range(n)}
    drawn = [cards for key in ("discard", "played", "idle") for cards in given.get(key, [[]] * n)]
    for p in range(n):
        hands.setdefault(p, [])
        elsewhere = hands[p] + [card for key in ("discard", "played", "idle") for card in given.get(key, [[]] * n)[p]]
        for card in elsewhere:
            if card in deck[p]:
                deck[p].remove(card)
    used = {card for cards in [*hands.values(), *drawn] for card in cards}
    early, advanced = ([c for c in ids if c not in used] for ids in (range(5, 21), range(21, 57)))
    tiles = tiles_of(text, options["map_size"])
    stack = [t for t in TABLES["tiles"] if t not in [tile[0] for tile in tiles]]
    d: dict[str, Any] = {
        "game": "northgard", "num_players": n, "options": options, "year": 1, "phase": "ACTIONS", "decision": "MENU",
        "player": 0, "turn": 0, "marker": 0, "main_used": False, "resolved": False,
        **{key: [False] * n for key in ("passed", "taken", "kaija_free", "conquer")},
        "resources": [[0, 0, 0] for _ in range(n)], "fame": [0] * n, "clan": clans,
        "upgrades": [[65 + 3 * c, 66 + 3 * c] for c in clans],
        "hand": [sorted(hands[p]) for p in range(n)], "hand_known": [[1 << p] * len(hands[p]) for p in range(n)],
        "draw_pile": [deck[p] for p in range(n)], "draw_known": [[0] * len(deck[p]) for p in range(n)],
        **{key: [[] for _ in range(n)] for key in ("discard", "played", "idle", "tile_hands")},
        "removed": [], "display": early[:n], "achievements": list(range(57, 57 + n)),
        "dev_deck": early[n : 2 * n] + advanced[: 4 * n], "unrest": 10, "supply": [7] * 8,
        "tiles": tiles, "tile_stack": stack, "tile_known": [0] * len(stack),
        "units": sorted([t, p, k] for p, where in units.items() for t, k in where.items()),
        "kaija": None, "token": None, "buildings": [], "spaceless": [], "creatures": [],
        "creature_pile": [], "creature_top": 0, "creature_discard": [], "last_rolls": [], "frames": [],
    }  # fmt: skip
    if options["creatures"]:
        on_map = [c for c, _ in given.get("creatures", [])]
        d["creature_pile"] = [c for c in range(9) if c not in on_map]
    d.update(given)
    for _, kind in d["buildings"]:
        d["supply"][kind] -= 1
    for _, kind, k in d["spaceless"]:
        d["supply"][kind] -= k
    d["supply"] = given.get("supply", d["supply"])
    d["tile_known"] = [0] * len(d["tile_stack"])
    d["draw_known"] = given.get("draw_known", [[0] * len(pile) for pile in d["draw_pile"]])
    d["upgrades"] = [[c for c in d["upgrades"][p] if c not in d["hand"][p]] for p in range(n)]
    return d


def development(d: dict[str, Any]) -> dict[str, Any]:
    """Return a position with the development cards of its year, or of the first later one with as many as seats hold.

    Of cards given for display and deck those that fit stay. Cards of earlier years that nobody holds are removed from
    the game, and a seat that has passed has taken its card.
    """
    d = {**d}
    n, years, phase = d["num_players"], d["options"]["years"], d["phase"]
    begun = phase not in ("CLAN", "SETUP")
    asked = d["turn"] if d["decision"] == "PASS_PICK" else None
    d["taken"] = [(took or passed) and p != asked for p, (took, passed) in enumerate(zip(d["taken"], d["passed"]))]
    held = [card for key in ("hand", "draw_pile", "discard", "played", "idle") for cards in d[key] for card in cards]
    held += [card for frame in d["frames"] if frame["frame"] == "DRAW" for card in frame["drawn"]] + d["removed"]
    for p in range(min(n, sum(card in GROUPS[2] for card in held))):
        d["taken"][n - 1 - p] = True  # an achievement is taken in the last year
    shown = n - sum(d["taken"]) if phase == "ACTIONS" else 0
    dealt = (2 * n, 4 * n, n) if years == 7 else (3 * n, 6 * n, n)
    while True:
        year = d["year"] if begun else 0
        group = 2 if year == years else 0 if year * n <= dealt[0] else 1
        display = tuple(shown * (group == k) for k in range(3))
        deck = (max(0, dealt[0] - year * n), min(dealt[1], max(0, years - 1 - year) * n), n * (year != years))
        loose = [dealt[k] - display[k] - deck[k] - sum(c in GROUPS[k] for c in held) for k in range(3)]
        if min(loose) >= 0 or year == years or not begun:
            break
        d["year"] += 1
    given = [d["display"], d["dev_deck"], d["achievements"]]
    new: list[list[int]] = [[], [], []]
    for k, (first, second, more) in enumerate(zip(display, deck, loose)):
        wanted = [card for cards in given for card in cards if card in GROUPS[k]] + list(GROUPS[k])
        free = [card for card in dict.fromkeys(wanted) if card not in held]
        new[0] += free[:first]
        new[1 + (k == 2)] += free[first : first + second]
        d["removed"] = sorted([*d["removed"], *free[first + second :][: max(more, 0)]])
    return {**d, "display": sorted(new[0]), "dev_deck": new[1], "achievements": sorted(new[2])}


def scene(
    text: str, units: dict[int, dict[int, int]], hands: Any = None, n: int = 2, chance: Any = None, **given: Any
) -> Referee:
    """A referee at MENU, see `position`; dice as listed in `dice`, or `chance`."""
    dice = given.pop("dice", ())
    d = development(position(text, units, hands, n, **given))
    return Referee.from_dict(d, TABLES, chance or Stacked(*dice))


def number(name: str) -> int:
    """Return the action called `PLAY`, `PASS`, `TERR 4`, ..."""
    words = "PLAY WAIT REPLACE REMOVE UPGRADE PASS".split()
    if name in words:
        return MODE + words.index(name)
    kind, _, offset = name.partition(" ")
    return RANGES[kind] + int(offset or 0)


def do(game: Referee, *names: str) -> Referee:
    """Take actions by name."""
    for name in names:
        game.apply(number(name))
    return game


def go(game: Referee, text: str) -> Referee:
    """Take the actions `POINT: NAME; POINT: NAME; ...`, with the decision point asserted before each."""
    for step in text.split(";"):
        point, _, name = step.strip().partition(": ")
        assert game.decision == point, (step, game.decision, offered(game))
        do(game, name)
    return game


def offered(game: Referee) -> set[str]:
    """Return the legal actions by name."""
    return {name_of(action) for action in game.legal_actions()}


def places(game: Referee, kind: str = "TERR") -> set[int]:
    """Return the offsets of the legal actions of this kind."""
    return {int(name.split()[1]) for name in offered(game) if name.startswith(kind + " ")}


def army(game: Referee, p: int) -> dict[int, int]:
    """Figures of a seat by territory."""
    return {t: game.figures(t, p) for t in game.territories() if game.figures(t, p)}


def all_pass(game: Referee) -> Referee:
    """Pass until the turn of the year's last player is over, taking the first of what is offered."""
    year = game.year
    while game.phase == "ACTIONS" and game.year == year and game.decision in ("MENU", "PASS_PICK", "PASS_CRE", "REACT"):
        do(game, "PASS") if game.decision == "MENU" else game.apply(game.legal_actions()[0])
    return game


def end_year(game: Referee) -> Referee:
    """Pass, trade nothing, and stop at the first decision of another kind or of the next year."""
    year = game.year
    all_pass(game)
    while game.decision == "TR_GIVE" and game.year == year:
        do(game, "DONE")
    return game


def play(game: Referee, card: int) -> Referee:
    """Play a card at MENU or CONT."""
    if game.decision in ("MENU", "CONT"):
        do(game, "PLAY")
    if game.decision == "PLAY_CARD":
        do(game, f"CARD {card}")
    return game
