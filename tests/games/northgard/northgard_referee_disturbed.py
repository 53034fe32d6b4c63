"""Positions that random play seldom reaches: a grown map, armies everywhere, hands full of cards, a late year."""

from __future__ import annotations

import random
from typing import Any

from northgard_referee import Referee
from northgard_referee_actions import UNREST
from northgard_referee_map import BEAR_CLAN, SNAKE
from northgard_referee_positions import position
from northgard_referee_tables import LARGE, TOWER


def disturbed(judge: Referee, rng: random.Random) -> dict[str, Any]:
    """Return State JSON at MENU: the game of `judge` (at its first MENU) with everything moved about."""
    grow(judge, rng, rng.choice([1, 4, 8, 12, 32]))
    return disarranged(judge, rng)


def disarranged(judge: Referee, rng: random.Random) -> dict[str, Any]:
    """Return State JSON at MENU: everything moved about on the map as it is."""
    populate(judge, rng)
    if rng.random() < 0.25:
        crowd(judge, rng)
    build(judge, rng)
    if judge.options["creatures"]:
        release(judge, rng)
    d = judge.to_dict()
    n = judge.n
    d["year"] = rng.choice([judge.years - 2, judge.years - 1, judge.years, judge.years])
    d["resources"] = [[rng.choice([0, 1, 2, 3, 6]) for _ in range(3)] for _ in range(n)]
    d["fame"] = [rng.choice([0, 5, 12, 30]) for _ in range(n)]
    d["turn"] = d["player"] = d["marker"] = rng.randrange(n)
    for key in ("conquer", "kaija_free"):
        d[key] = [rng.random() < 0.15 for _ in range(n)]
    deal(d, rng)
    return d


def grow(judge: Referee, rng: random.Random, number: int) -> None:
    """Lay some tiles anywhere."""
    for _ in range(min(number, len(judge.stack) - 1)):
        tile = judge.stack[0][0]
        where = judge.placements(tile, lambda cell: True)
        if where:
            judge.stack.pop(0)
            name = rng.choice(sorted(where))
            judge.lay(tile, judge.cell_of(name), rng.choice(where[name]))


def populate(judge: Referee, rng: random.Random) -> None:
    """Put everybody somewhere else; sometimes a seat has no figure, sometimes an empty reserve."""
    lands = judge.territories()
    judge.units, judge.kaija = {}, None
    for p in range(judge.n):
        for _ in range(rng.choice([0, 1, 3, 4, 6])):
            t = rng.choice(lands)
            if judge.seats_at(t) in ([], [p]):
                judge.add_units(t, p, min(judge.reserve(p), rng.choice([1, 1, 2, 3, 8])))
    if BEAR_CLAN in judge.clan and rng.random() < 0.7:
        free = [t for t in lands if judge.seats_at(t) in ([], [judge.clan.index(BEAR_CLAN)])]
        judge.kaija = rng.choice(free) if free else None
    if SNAKE in judge.clan and rng.random() < 0.7:
        judge.token = rng.choice(lands)


def crowd(judge: Referee, rng: random.Random) -> None:
    """Leave no territory neutral, one seat without a figure, and all closed territories to another."""
    out, rich = rng.sample(range(judge.n), 2)
    judge.units = {(t, p): k for (t, p), k in judge.units.items() if p != out}
    if judge.kaija is not None and judge.clan[out] == BEAR_CLAN:
        judge.kaija = None
    for t in judge.territories():
        others = [p for p in range(judge.n) if p != out and judge.reserve(p)]
        if judge.neutral(t) and others:
            judge.add_units(t, rich if not judge.is_open(t) and rich in others else rng.choice(others), 1)


def build(judge: Referee, rng: random.Random) -> None:
    """Put buildings on half of the spaces, and some where there is none."""
    for t in judge.territories():
        for kind in rng.sample(range(8), 8):
            spaces = judge.fitting_spaces(t, kind)
            eager = 0.9 if kind in LARGE and not judge.is_open(t) else 0.3
            if judge.supply[kind] and spaces and rng.random() < eager:
                judge.buildings[rng.choice(spaces)] = kind
                judge.supply[kind] -= 1
            elif judge.supply[kind] and kind not in LARGE and rng.random() < 0.03:
                judge.spaceless[t, kind] = judge.spaceless.get((t, kind), 0) + 1
                judge.supply[kind] -= 1
    if rng.random() < 0.1:
        for t in judge.territories():  # the supply of one type runs out
            while judge.supply[TOWER]:
                judge.spaceless[t, TOWER] = judge.spaceless.get((t, TOWER), 0) + 1
                judge.supply[TOWER] -= 1


def release(judge: Referee, rng: random.Random) -> None:
    """Creatures on the map, no Valkyrie with figures."""
    deck = judge.creature_pile + judge.creature_discard + [c for c, _ in judge.creatures]
    rng.shuffle(deck)
    judge.creatures = []
    for _ in range(rng.randint(0, 5)):
        t = rng.choice(judge.territories())
        if deck[0] < 7 or judge.neutral(t):
            judge.creatures.append([deck.pop(0), t])
    thrown = rng.randint(0, len(deck))
    judge.creature_discard, judge.creature_pile, judge.creature_top = deck[:thrown], deck[thrown:], 0


def deal(d: dict[str, Any], rng: random.Random) -> None:
    """Deal all development cards that no later year needs, upgrades and some Unrest to the seats."""
    n, years = d["num_players"], d["options"]["years"]
    longer = years == 10
    early = rng.sample(range(5, 21), (3 if longer else 2) * n)
    advanced = rng.sample(range(21, 57), (6 if longer else 4) * n)
    left = (years - 1 - d["year"]) * n
    achievements = rng.sample(range(57, 64), n)
    if d["year"] == years:
        d["dev_deck"], d["display"], d["achievements"] = [], sorted(achievements), []
    else:
        d["dev_deck"], advanced = advanced[:left], advanced[left:]
        d["display"], advanced = sorted(advanced[:n]), advanced[n:]
        d["achievements"] = sorted(achievements)
    loose = early + advanced
    rng.shuffle(loose)
    zones: dict[str, list[list[int]]] = {
        key: [[] for _ in range(n)] for key in ("hand", "draw_pile", "discard", "played", "idle", "upgrades")
    }
    weights = {"hand": 6, "draw_pile": 3, "discard": 3, "played": 2, "idle": 1}
    many = rng.random() < 0.1  # all Unrest cards are in the decks
    for p in range(n):
        clan = 64 + 3 * d["clan"][p]
        cards = [0, 1, 2, 3, 4, 4, clan, *loose[p::n]]
        unrest = rng.choice([0, 0, 0, 1])
        if many:
            unrest = 1 if p else 11 - n
        d["unrest"] -= unrest
        cards += [UNREST] * unrest
        for upgrade in (clan + 1, clan + 2):
            (cards if rng.random() < 0.6 else zones["upgrades"][p]).append(upgrade)
        rng.shuffle(cards)
        for card in cards:
            zone = rng.choices(list(weights), list(weights.values()))[0]
            zones["idle" if card == UNREST and zone == "played" else zone][p].append(card)
    for key in ("discard", "played", "idle", "upgrades"):
        d[key] = [sorted(cards) for cards in zones[key]]
    for key, known in (("hand", "hand_known"), ("draw_pile", "draw_known")):
        masks = [[rng.choice([0, 0, (1 << n) - 1, rng.randrange(1 << n)]) for _ in cards] for cards in zones[key]]
        if key == "hand":
            pairs = [sorted(zip(cards, [m | 1 << p for m in masks[p]])) for p, cards in enumerate(zones[key])]
        else:
            pairs = [list(zip(cards, masks[p])) for p, cards in enumerate(zones[key])]
        d[key], d[known] = [[c for c, _ in x] for x in pairs], [[m for _, m in x] for x in pairs]


def disturbed_game(start: Any, seed: int, cls: type[Referee], chance: Any) -> Referee:
    """Return a game at a disturbed MENU with a real choice; `start()` gives a new game, `chance()` a fresh oracle."""
    rng = random.Random(seed)
    while True:
        judge = start()
        while judge.phase in ("CLAN", "SETUP"):
            judge.apply(rng.choice(judge.legal_actions()))
        if judge.decision != "MENU":
            continue
        d = disturbed(judge, rng)
        game = cls.from_dict(d, judge.tables, chance())
        if game.decision == "MENU" and game.to_dict() == d:
            return game


def card_game(options: dict[str, Any], card: int, seed: int, cls: type[Referee], tables: dict, chance: Any) -> Referee:
    """Return a game at a disturbed MENU where this card can be played; `chance()` gives a fresh oracle."""
    rng = random.Random(seed)
    n = options["num_players"]
    plain = {key: value for key, value in options.items() if key not in ("num_players", "clan_selection")}
    while True:
        clans = rng.sample(range(7), n)
        if card >= 64 and (card - 64) // 3 not in clans:
            continue
        text = "0@(0,0)/0 1@(1,0)/0" if n == 5 else "0@(0,0)/0"
        left_out = n == 5 or not options.get("five_tile_in_stack", True)
        stack = rng.sample(range(2 if left_out else 1, 35), 33 if left_out else 34)
        d = position(text, {}, {0: [1]}, n, clans=clans, options=dict(plain), tile_stack=stack)
        d["options"]["clan_selection"] = options.get("clan_selection", "choose")
        d = disturbed(cls.from_dict(d, tables, chance()), rng)
        if card >= 64:
            d["turn"] = d["player"] = clans.index((card - 64) // 3)
        if not bring(d, card, rng):
            continue
        game = cls.from_dict(d, tables, chance())
        if game.decision == "MENU" and game.to_dict() == d and card in game.playable(d["turn"]):
            return game


def bring(d: dict[str, Any], card: int, rng: random.Random) -> bool:
    """Have the card in the hand of the turn player, a development card by changing its name with another's."""
    hand = d["hand"][d["turn"]]
    group = next((ids for ids in (range(5, 21), range(21, 57)) if card in ids), range(card, card + 1))
    found = [held for held in hand if held in group]
    if not found:
        return False
    other = rng.choice(found)
    names = {card: other, other: card}
    for key in ("upgrades", "discard", "played", "idle", "draw_pile"):
        d[key] = [[names.get(c, c) for c in cards] for cards in d[key]]
    for key in ("display", "removed", "dev_deck"):
        d[key] = [names.get(c, c) for c in d[key]]
    for p, cards in enumerate(d["hand"]):
        pairs = sorted((names.get(c, c), mask) for c, mask in zip(cards, d["hand_known"][p]))
        d["hand"][p], d["hand_known"][p] = [c for c, _ in pairs], [mask for _, mask in pairs]
    for key in ("upgrades", "discard", "played", "idle"):
        d[key] = [sorted(cards) for cards in d[key]]
    d["display"].sort()
    return True
