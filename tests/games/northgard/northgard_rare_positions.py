"""Disturbed positions for the short run, some of them changed further so that a rare rule has its day.

A change takes State JSON at MENU, the referee with the same map, and a random generator, and changes the object.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from northgard_referee import Referee
from northgard_referee_actions import UNREST
from northgard_referee_disturbed import bring, disarranged
from northgard_referee_map import BEAR_CLAN, SNAKE
from northgard_referee_positions import position
from northgard_referee_tables import CARVED_SPACE, FORTRESS, LARGE

FEAST, REACTION, FIRST_ACHIEVEMENT, FIRST_CLAN = 4, 26, 57, 64
WARLORD = 63
BEARS, VALKYRIES = (3, 4), (7, 8)
ZONES = ("hand", "draw_pile", "discard", "played", "idle")
KNOWN = {"hand": "hand_known", "draw_pile": "draw_known"}
MAPS = {
    "small": (
        "0@(0,0)/0 15@(0,1)/1 24@(0,-1)/1 26@(1,0)/2 34@(1,-1)/2",
        "0@(0,0)/0 33@(-1,0)/2 17@(-1,-1)/3 31@(1,0)/2 16@(-1,1)/3 27@(1,1)/3",
        "0@(0,0)/0 7@(0,1)/0 21@(0,-1)/1 29@(1,0)/0 11@(-1,0)/3 3@(1,-1)/2 18@(-1,-1)/1",
        "0@(0,0)/0 16@(0,-1)/2 7@(-1,0)/1 9@(1,0)/3 25@(-1,1)/1 5@(-1,-1)/2 33@(0,1)/1 32@(1,-1)/0",
    ),
    "grown": (
        "0@(0,0)/0 30@(0,1)/2 31@(0,-1)/1 34@(-1,0)/3 27@(1,-1)/2 1@(1,0)/3 10@(-1,-1)/0 16@(-1,1)/2 33@(1,1)/0",
        "0@(0,0)/0 22@(1,0)/3 6@(0,-1)/2 33@(1,1)/2 13@(-1,0)/1 11@(-1,-1)/3 24@(0,1)/0 27@(-1,1)/3 9@(1,-1)/1 "
        "26@(0,-2)/1 16@(2,0)/3 12@(0,2)/0",
    ),
    # A hole: one territory on both sides of a border, twice on one tile.
    "ring": (
        "0@(0,0)/0 14@(1,0)/0 21@(1,1)/1 12@(2,1)/2 22@(3,1)/3 18@(3,0)/1 29@(3,-1)/3 3@(2,-1)/0 6@(1,-1)/2",
        "0@(0,0)/0 14@(1,0)/0 12@(1,1)/2 21@(2,1)/2 6@(3,1)/0 18@(3,0)/1 29@(3,-1)/1 3@(2,-1)/2 22@(1,-1)/2",
    ),
    # Eleven of twelve columns or rows of a small grid.
    "long": (
        "0@(0,0)/0 20@(1,0)/2 19@(2,0)/1 10@(3,0)/2 9@(4,0)/0 8@(5,0)/1 26@(-6,0)/1 16@(-5,0)/2 15@(-4,0)/1 "
        "11@(-3,0)/1 2@(-2,0)/0",
        "0@(0,0)/0 20@(0,1)/2 19@(0,2)/1 10@(0,3)/2 9@(0,4)/0 8@(0,5)/1 26@(0,-6)/1 16@(0,-5)/2 15@(0,-4)/1 "
        "11@(0,-3)/1 2@(0,-2)/0",
    ),
    # All tiles but two.
    "full": (
        "0@(0,0)/0 17@(0,-1)/1 23@(-1,0)/1 2@(1,0)/2 27@(0,1)/1 15@(-1,1)/3 25@(1,1)/3 8@(1,2)/0 21@(2,2)/2 "
        "32@(0,-2)/0 6@(2,0)/1 4@(2,3)/2 12@(3,0)/2 16@(4,0)/2 28@(1,-1)/1 13@(1,3)/2 18@(3,-1)/3 24@(1,4)/1 "
        "31@(3,2)/1 1@(2,1)/0 33@(0,2)/0 19@(0,-3)/3 7@(-2,0)/0 5@(4,2)/2 3@(4,3)/1 20@(-3,0)/0 11@(3,1)/2 "
        "26@(-3,-1)/1 34@(0,3)/2 30@(3,-2)/1 29@(1,5)/0 14@(1,-2)/0 22@(2,-1)/1",
    ),
    # Seven closed territories with large spaces, two of them with two.
    "strong": (
        "0@(0,0)/0 5@(1,0)/0 12@(-1,0)/3 28@(0,1)/0 30@(0,-1)/0 14@(-1,-1)/0 22@(1,1)/1 16@(-1,1)/3 "
        "25@(1,-1)/0 26@(2,0)/3 29@(-2,0)/1 6@(0,2)/3 18@(-1,-2)/2 34@(-2,-1)/3 13@(1,2)/3 32@(2,-1)/2 "
        "2@(2,1)/3 31@(-1,2)/0 7@(-2,1)/0 1@(1,-2)/2 33@(0,-2)/2 11@(-2,2)/2 21@(2,2)/1 23@(3,0)/3",
    ),
    "five": (
        "0@(0,0)/0 1@(1,0)/0 22@(0,-1)/2 11@(-1,-1)/0 14@(0,-2)/0 34@(0,-3)/3 3@(1,1)/3 4@(-1,-3)/3 28@(1,-1)/3",
    ),
}  # fmt: skip
Change = Callable[[dict[str, Any], Referee, random.Random], None]


def rare_game(
    options: dict[str, Any],
    seed: int,
    cls: type[Referee],
    tables: dict,
    chance: Any,
    maps: str = "small",
    clans: tuple[int, ...] = (),
    changes: tuple[str, ...] = (),
    card: int | None = None,
) -> Referee:
    """Return a game at a disturbed MENU with a real choice.

    Args:
        options: as the State JSON has them.
        chance: gives a fresh oracle.
        maps: a key of `MAPS`.
        clans: in play; the first of them is the turn player's.
        changes: names of `CHANGES`.
        card: in the turn player's hand.
    """
    rng = random.Random(seed)
    n, plain = options["num_players"], {key: value for key, value in options.items() if key != "num_players"}
    selection = plain.pop("clan_selection", "choose")
    if card is not None and card >= FIRST_CLAN:
        clans = ((card - FIRST_CLAN) // 3, *(clan for clan in clans if clan != (card - FIRST_CLAN) // 3))
    while True:
        others = rng.sample([clan for clan in range(7) if clan not in clans], 7 - len(clans))
        dealt = rng.sample([*clans, *others][:n], n)
        text = rng.choice(MAPS["five" if n == 5 else maps])
        d = position(text, {}, {0: [1]}, n, clans=dealt, options=dict(plain))
        d["options"]["clan_selection"] = selection
        judge = cls.from_dict(d, tables, chance())
        rng.shuffle(judge.stack)
        d = disarranged(judge, rng)
        if clans:
            d["turn"] = d["player"] = dealt.index(clans[0])
        for name in changes:
            CHANGES[name](d, judge, rng)
        if card is not None and not hold(d, d["turn"], card, rng):
            continue
        game = cls.from_dict(d, tables, chance())
        if game.decision == "MENU" and game.to_dict() == d:
            return game


# ---- Cards ----------------------------------------------------------------------------------------------------------


def take(d: dict[str, Any], p: int, zone: str, card: int) -> None:
    """Take a card out of a seat's zone."""
    place = d[zone][p].index(card)
    for key in (zone, KNOWN.get(zone)):
        if key:
            del d[key][p][place]


def give(d: dict[str, Any], p: int, *cards: int, mask: int = 0) -> None:
    """Put cards into a hand."""
    pairs = sorted([*zip(d["hand"][p], d["hand_known"][p]), *((card, mask | 1 << p) for card in cards)])
    d["hand"][p], d["hand_known"][p] = [card for card, _ in pairs], [mask for _, mask in pairs]


def hold(d: dict[str, Any], p: int, card: int, rng: random.Random) -> bool:
    """Have a card in a hand, a development card by changing its name with another's; return False if it cannot be."""
    group = next((ids for ids in (range(5, 21), range(21, 57)) if card in ids), range(card, card + 1))
    if not any(held in group for held in d["hand"][p]):
        found = [(zone, held) for zone in (*ZONES[1:], "upgrades") for held in d[zone][p] if held in group]
        if not found:
            return False
        zone, held = rng.choice(found)
        take(d, p, zone, held)
        give(d, p, held)
    turn, d["turn"] = d["turn"], p
    brought = bring(d, card, rng)
    d["turn"] = turn
    return brought


def few(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Leave the turn player Unrest and at most one other card in hand, and lore."""
    p = d["turn"]
    for card in list(d["hand"][p]):
        take(d, p, "hand", card)
        d["discard"][p] = sorted([*d["discard"][p], card])
    if UNREST in d["discard"][p]:
        take(d, p, "discard", UNREST)
    elif d["unrest"]:
        d["unrest"] -= 1
    else:
        return
    give(d, p, UNREST)
    others = [card for card in d["discard"][p] if card != UNREST]
    if others and rng.random() < 0.6:
        card = rng.choice(others)
        take(d, p, "discard", card)
        give(d, p, card)
    d["resources"][p][2] = 2


def twins(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put both Feasts of each seat into its hand, or on top of its draw pile, known to different seats."""
    for p in range(judge.n):
        for zone in ZONES:
            while FEAST in d[zone][p]:
                take(d, p, zone, FEAST)
        others = [q for q in range(judge.n) if q != p]
        masks = [1 << q for q in rng.sample(others, min(2, len(others)))] + [0]
        if p != d["turn"] or rng.random() < 0.4:
            give(d, p, FEAST, mask=masks[0])
            give(d, p, FEAST, mask=masks[1])
        else:
            d["draw_pile"][p] = [FEAST, FEAST, *d["draw_pile"][p]]
            d["draw_known"][p] = [*rng.sample(masks[:2], 2), *d["draw_known"][p]]


def reaction(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Let another seat hold the card that cancels cards, in a team the teammate."""
    others = [p for p in range(judge.n) if p != d["turn"]]
    hold(d, others[1] if judge.options["teams"] else rng.choice(others), REACTION, rng)


def unrest(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put all Unrest cards into decks."""
    for number in range(d["unrest"]):
        d["discard"][number % judge.n].append(UNREST)
    d["unrest"] = 0


# ---- The map --------------------------------------------------------------------------------------------------------


def own(d: dict[str, Any], p: int) -> list[int]:
    """Return the territories with units of a seat."""
    return [t for t, q, _ in d["units"] if q == p]


def put_creatures(d: dict[str, Any], places: dict[int, int]) -> None:
    """Put creatures into territories."""
    d["creatures"] = [entry for entry in d["creatures"] if entry[0] not in places]
    for key in ("creature_pile", "creature_discard"):
        d[key] = [creature for creature in d[key] if creature not in places]
    d["creatures"] += [list(item) for item in places.items()]


def haunt(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put a Fallen Valkyrie and another creature, or both, into one neutral territory beside the turn player's."""
    lands = [t for t in judge.territories() if judge.neutral(t) and judge.near_own(t, d["turn"])]
    if lands:
        t = rng.choice(lands)
        company = (*VALKYRIES[:1], rng.randrange(7))
        put_creatures(d, dict.fromkeys(rng.choice([VALKYRIES[:1], VALKYRIES, company, company]), t))


def bears(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put the Brown Bears where the turn player, or its teammate, has units."""
    mate = judge.mate(d["turn"])
    lands = own(d, d["turn"] if mate is None or rng.random() < 0.5 else mate)
    put_creatures(d, dict(zip(BEARS, rng.sample(lands, min(2, len(lands))))))


def beasts(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put some creatures where the turn player has most units."""
    lands = sorted((-k, t) for t, q, k in d["units"] if q == d["turn"])
    put_creatures(d, {creature: t for creature, (_, t) in zip(rng.sample(range(7), 2), lands)})


def lairs(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put a creature into each territory with a lair, and into no other, if they are few."""
    lands = [t for t in judge.territories() if judge.lairs(t)]
    if len(lands) < judge.n:
        d["creature_pile"] += [creature for creature, _ in d["creatures"]]
        d["creatures"] = []
        put_creatures(d, dict(zip(rng.sample(range(7), len(lands)), lands)))


def spent(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Leave no card on the creature pile, and few creatures on the map."""
    d["creature_discard"] = sorted(d["creature_discard"] + d["creature_pile"] + [c for c, _ in d["creatures"][1:]])
    d["creature_pile"], d["creatures"] = [], d["creatures"][:1]


def kaija(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put Kaija beside units of her player, who may just have let her go anywhere."""
    p = d["clan"].index(BEAR_CLAN)
    d["kaija"] = rng.choice(own(d, p) or [None])
    d["kaija_free"][p] = rng.random() < 0.6


def absent(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Leave Kaija in reserve."""
    d["kaija"] = None


def warlord(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """In the last year: let the turn player have taken the achievement that counts figures."""
    p = d["turn"]
    if d["year"] == judge.years:
        d["display"] = [card for card in d["display"] if card != WARLORD][: judge.n - 1]
        d["taken"][p] = True
        d["discard"][p] = sorted([*d["discard"][p], WARLORD])


def loose(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put the Scorched Earth token where a tile may join its territory to one of the turn player's with a lower id."""
    mine, foreign = set(own(d, d["turn"])), {t for t, p, _ in d["units"] if p != d["turn"]}
    around = [facing(judge, cell) for cell in judge.cells()]
    lands = sorted({u for lands in around for u in lands - foreign if any(t < u for t in lands & mine)})
    d["token"] = rng.choice(lands or judge.territories())


def token(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put the Scorched Earth token into a land of the turn player, or of somebody beside it."""
    if SNAKE in d["clan"]:
        lands = [t for t, q, _ in d["units"] if q != d["turn"] and judge.near_own(t, d["turn"])]
        d["token"] = rng.choice(lands + own(d, d["turn"]) or judge.territories())


def conquer(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Let everybody attack without regard for Fortresses."""
    d["conquer"] = [True] * judge.n


def banish(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Take the figures of some seats, perhaps of the turn player, off the map."""
    out = rng.sample(range(judge.n), rng.randint(1, judge.n - 1))
    d["units"] = [entry for entry in d["units"] if entry[1] not in out]
    if BEAR_CLAN in d["clan"] and d["clan"].index(BEAR_CLAN) in out:
        d["kaija"] = None


def exile(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Take the figures of the turn player off the map, but for Kaija."""
    d["units"] = [entry for entry in d["units"] if entry[1] != d["turn"]]


def facing(judge: Referee, cell: tuple[int, int]) -> set[int]:
    """Return the territories around an empty cell."""
    grid, found = judge.grid(), set()
    for side in range(4):
        p = grid.get(judge.beside(cell, side))
        if p is not None:
            tile, _, _, rotation = judge.tiles[p]
            found.add(judge.territory(4 * p + judge.side_area(tile, rotation, (side + 2) % 4)))
    return found


def forts(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Make Fortresses of large buildings, held by somebody else than the turn player."""
    others = [p for p in range(judge.n) if p != d["turn"]]
    for entry in d["buildings"]:
        if entry[1] in LARGE and entry[1] != FORTRESS and d["supply"][FORTRESS]:
            d["supply"][entry[1]] += 1
            d["supply"][FORTRESS] -= 1
            entry[1] = FORTRESS
    lands = sorted({judge.territory(slot) for slot, kind in d["buildings"] if kind == FORTRESS})
    held = [t for t, _, _ in d["units"]] + [d["kaija"]]
    free = {p: 14 - sum(k for _, q, k in d["units"] if q == p) for p in others}
    for t in lands:
        p = max(others, key=lambda p: free[p])
        if t not in held and free[p] > 0:
            d["units"].append([t, p, 1])
            free[p] -= 1
    d["units"].sort()


def deploy(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Put all units of the turn player on the map."""
    entries = [entry for entry in d["units"] if entry[1] == d["turn"]]
    if entries:
        rng.choice(entries)[2] += 14 - sum(entry[2] for entry in entries)


def double(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Let buildings on spaces have a fellow in their territory that stands on none; those on carved stone are owned."""
    for slot, kind in d["buildings"]:
        entry = [judge.territory(slot), kind, 1]
        if kind not in LARGE and d["supply"][kind] and entry[:2] not in [x[:2] for x in d["spaceless"]]:
            d["spaceless"].append(entry)
            d["supply"][kind] -= 1
    d["spaceless"].sort()
    lands = {judge.territory(slot) for slot, _ in d["buildings"] if judge.area(slot)["s"] == CARVED_SPACE}
    held = [t for t, _, _ in d["units"]] + [d["kaija"]]
    d["units"] = sorted([*d["units"], *([t, d["turn"], 1] for t in sorted(lands)[:3] if t not in held)])


def strongholds(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Give the turn player and its teammate about as many closed territories with large buildings as end the game."""
    d["kaija"] = None
    seats = [p for p in range(judge.n) if p in (d["turn"], judge.mate(d["turn"]))]
    lands = [t for t in judge.territories() if not judge.is_open(t) and any(judge.count_of(t, b) for b in LARGE)]
    first = rng.choice([1, -1])  # those with one large building, or those with two
    lands.sort(key=lambda t: first * sum(judge.count_of(t, b) for b in LARGE))
    number = (5 if judge.options["teams"] else 3) - rng.choice([0, 1])
    chosen = lands[:number]
    d["units"] = [entry for entry in d["units"] if entry[0] not in lands and entry[1] not in seats]
    d["units"] = sorted([*d["units"], *([t, seats[i % len(seats)], 1] for i, t in enumerate(chosen))])


# ---- The year -------------------------------------------------------------------------------------------------------


def late(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Let all others have passed and taken their card of the display."""
    for p in range(judge.n):
        if p != d["turn"]:
            d["passed"][p] = d["taken"][p] = True
            d["draw_pile"][p].insert(0, d["display"].pop(rng.randrange(len(d["display"]))))
            d["draw_known"][p].insert(0, (1 << judge.n) - 1)
            d["discard"][p] = sorted(d["discard"][p] + d["hand"][p] + d["played"][p] + d["idle"][p])
            for key in ("hand", "hand_known", "played", "idle"):
                d[key][p] = []


def foreseen(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Let the turn player have taken its card of the display."""
    p = d["turn"]
    d["taken"][p] = True
    d["discard"][p] = sorted([*d["discard"][p], d["display"].pop()])


def rich(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Give everybody many resources of some kinds."""
    d["resources"] = [[rng.choice([0, 4, 9]) for _ in range(3)] for _ in range(judge.n)]


def poor(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Leave everybody without resources, or with food alone."""
    d["resources"] = [[rng.choice([0, 9]), 0, 0] for _ in range(judge.n)]


def level(d: dict[str, Any], judge: Referee, rng: random.Random) -> None:
    """Make seats equal but for one or two things: one unit and some buildings each, in open land, little fame."""
    d["resources"] = [[0, 0, 0] for _ in range(judge.n)]
    d["fame"] = [rng.choice([0, 0, 5]) for _ in range(judge.n)]
    for p in range(judge.n):
        for zone in ZONES:
            for card in list(d[zone][p]):
                if card == UNREST:
                    d["unrest"] += 1
                elif 5 <= card < FIRST_ACHIEVEMENT:
                    d["removed"].append(card)
                else:
                    continue
                take(d, p, zone, card)
    goals = [card for card in d["display"] + d["achievements"] if card >= FIRST_ACHIEVEMENT]
    d["removed"] += [card for card in d["display"] + d["dev_deck"] if card < FIRST_ACHIEVEMENT]
    d["removed"].sort()
    d["display"], d["achievements"], d["dev_deck"] = sorted(goals), [], []
    d["year"], d["kaija"] = judge.years, None
    lands = [t for t in judge.territories() if judge.is_open(t)]
    seats = range(judge.n if len(lands) >= judge.n and rng.random() < 0.6 else 0)
    d["units"] = sorted([t, p, 1] for t, p in zip(rng.sample(lands, len(seats)), seats))


CHANGES: dict[str, Change] = {
    change.__name__: change
    for change in (
        few, twins, reaction, unrest, haunt, bears, beasts, lairs, spent, kaija, token, conquer, banish, exile, deploy,
        absent, warlord, loose, forts,
        double, strongholds, late, foreseen, rich, poor, level,
    )
}  # fmt: skip
