"""Other data sets for engine and referee (NORTH-DATA-06): random cards, icons, borders, die, costs."""

from __future__ import annotations

import random
from pathlib import Path

from northgard_referee_tables import BUILT_IN, parse_tiles

OPS = ("NONE RECRUIT MOVE EXPLORE BUILD DRAW GAIN CHOOSE STRIKE COPY HAND BRIBE FETCH FORESEE CONQUER REACT").split()


def bits(rng: random.Random, *allowed: int) -> int:
    return sum(bit for bit in allowed if rng.random() < 0.25)


def operation(rng: random.Random, op: str) -> tuple[int, int, int, int, int]:
    """Numbers a, b, c, d, fl of a row of this operation."""
    pick = rng.choice
    if op == "RECRUIT":
        a, c = pick([1, 2, 3, 14]), pick([0, 1, 2, 3])
        alone = a == 1 or c == 1
        d = {2: pick([1, 2]), 3: pick([0, 1, 2])}.get(c, 0)
        return a, pick([0, 1, 2]), c, d, bits(rng, 4, *([1, 2] if alone else []))
    if op == "MOVE":
        a = pick([1, 1, 2, 3, 4])
        return a, pick([0, 1, 3]), pick([0, 1, 2]), 0, bits(rng, 1, 2, 4, 8, 16, 32, *([64] if a == 1 else []))
    if op == "EXPLORE":
        a = pick([1, 1, 2, 3])
        return a, pick([1, 1, 2, 3]), 0, 0, bits(rng, 2, 4, *([1] if a == 1 else []))
    if op == "BUILD":
        return pick([1, 2]), pick([0, 1, 3]), 0, 0, bits(rng, 1, 2, 4, 8)
    if op == "DRAW":
        if rng.random() < 0.15:
            return 0, 0, 0, 0, 2 + bits(rng, 1)
        b, c, d = pick([0, 1, 2]), pick([0, 1, 2]), pick([0, 1, 2])
        b = b or int(not c and not d)
        return b + c + d, b, c, d, bits(rng, 1)
    if op == "CHOOSE":
        b = rng.randint(1, 15)
        return rng.randint(1, bin(b).count("1")), b, 0, 0, 0
    if op == "HAND":
        b = pick([1, 2])
        return pick([1, 2]), b, 1 if b == 1 else pick([1, 2, 3]), pick([0, 1, 3]), bits(rng, 1)
    few = {
        "GAIN": (pick([1, 2, 9]), pick([0, 1]), pick([0, 2]), 0, 0),
        "STRIKE": (pick([1, 2]), pick([1, 2, 3]), 0, 0, 0),
        "COPY": (pick([1, 2]), 0, 0, 0, 0),
        "BRIBE": (pick([1, 2]), 0, 0, 0, 0),
    }
    return few.get(op, (0, 0, 0, 0, 0))


def random_cards(rng: random.Random) -> str:
    """Every row another operation; the reaction on one Advanced card."""
    header, *lines = BUILT_IN["cards"].strip().splitlines()
    reaction, found = rng.randrange(21, 57), [header]
    for line in lines:
        number, name, group, flash, fame, *_ = line.split(",")
        card = int(number)
        if 57 <= card <= 63 or card == 85:
            found.append(line)
            continue
        kind = OPS[card + 1] if card < 4 else "REACT" if card == reaction else rng.choice(OPS[1:15])
        flash = "0" if kind == "REACT" else str(int(rng.random() < 0.4))
        fame = str(rng.randint(0, 3)) if 5 <= card <= 56 else fame
        numbers = [str(x) for x in operation(rng, kind)]
        if kind == "COPY" and 76 <= card <= 78 and rng.random() < 0.7:  # from the token, on the Snake's cards
            numbers[0] = "3"
        found.append(",".join([number, name, group, flash, fame, str(OPS.index(kind)), *numbers]))
    return "\n".join(found) + "\n"


def random_tiles(rng: random.Random) -> str:
    """Icons go to other areas, regular and rough borders change places; the five-player tile keeps its areas."""
    header, *lines = BUILT_IN["tiles"].strip().splitlines()
    rows = [[int(x) for x in line.split(",")] for line in lines]
    sizes = {t: len(tile["areas"]) for t, tile in parse_tiles(BUILT_IN["tiles"]).items()}
    places = [(t, 6 + 5 * a) for t in range(2, 35) for a in range(sizes[t])]
    icons = [rows[t][i : i + 5] for t, i in places]
    while True:
        rng.shuffle(icons)
        for (t, i), area in zip(places, icons):
            rows[t][i : i + 5] = area
        if all(sum(rows[t][10 + 5 * a] for a in range(4)) <= 1 for t in range(35)):
            break
        lairs = [area[4] for area in icons]
        spots = rng.sample(range(2, 35), sum(lairs))  # lairs apart from the other icons, one per tile
        for t in range(2, 35):
            for a in range(4):
                rows[t][10 + 5 * a] = 0
            if t in spots:
                rows[t][10 + 5 * rng.randrange(sizes[t])] = 1
        break
    lines_of = [(t, i) for t in range(35) for i in range(26, 32) if rows[t][i]]
    codes = [rows[t][i] for t, i in lines_of]
    rng.shuffle(codes)
    for (t, i), code in zip(lines_of, codes):
        rows[t][i] = code
    return "\n".join([header, *[",".join(map(str, row)) for row in rows]]) + "\n"


def random_small(rng: random.Random) -> dict[str, str]:
    die = [(rng.randint(0, 3), rng.randint(0, 2), 0) for _ in range(5)] + [(rng.randint(1, 2), rng.randint(1, 2), 1)]
    rng.shuffle(die)
    achievements = [[rng.choice([0, 0, 0, 1, 2]) for _ in range(9)] for _ in range(7)]
    return {
        "die": "face,axes,skulls,or\n" + "".join(f"{i},{a},{s},{o}\n" for i, (a, s, o) in enumerate(die)),
        "start": "place,food,wood,lore\n" + "".join(f"{i},{rng.randint(0, 4)},2,{i % 3}\n" for i in range(1, 6)),
        "winter": f"units,food,wood\n0,0,0\n{rng.randint(1, 5)},1,0\n{rng.randint(6, 9)},2,1\n12,3,3\n",
        "harvest": f"size,fame\n2,{rng.randint(0, 1)}\n{rng.randint(3, 4)},3\n",
        "achievements": BUILT_IN["achievements"].splitlines()[0]
        + "\n"
        + "".join(f"{57 + i},{','.join(map(str, row))}\n" for i, row in enumerate(achievements)),
    }


def write(folder: Path, seed: int) -> dict[str, str]:
    """Write a random data set into the folder; return its texts by name."""
    rng = random.Random(seed)
    texts = {**BUILT_IN, "cards": random_cards(rng), "tiles": random_tiles(rng), **random_small(rng)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8", newline="\n")
    return texts
