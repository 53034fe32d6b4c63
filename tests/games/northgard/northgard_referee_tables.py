"""The tables that the rulebook does not print (NORTH-TILE-14, NORTH-DATA-05, NORTH-CARD-03), copied from the ledger.

Part of the referee: it reads no data file of the package. The small tables of sections 1.3 to 1.5 are here as well.
"""

from __future__ import annotations

TILES_CSV = """\
id,n,N,E,S,W,f0,w0,l0,s0,x0,f1,w1,l1,s1,x1,f2,w2,l2,s2,x2,f3,w3,l3,s3,x3,b01,b02,b03,b12,b13,b23
0,4,0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,1,1,1,1
1,4,0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1,1,1,1,0,1
2,4,0,1,2,3,1,0,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0,1,1,0,1,2,1,1
3,2,0,1,1,1,0,0,0,1,0,1,0,0,1,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0
4,4,0,1,2,3,0,0,0,0,1,0,0,0,2,0,0,0,0,1,0,1,0,0,0,0,2,0,1,1,2,2
5,3,0,1,2,0,0,0,0,3,0,0,0,0,0,1,0,0,0,2,0,0,0,0,0,0,1,1,0,1,0,0
6,2,0,1,1,0,0,0,0,2,0,0,0,0,3,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0
7,4,0,1,2,3,0,0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,1,0,1,1,1,2
8,3,0,1,2,1,0,0,0,2,0,1,0,0,1,0,0,0,0,0,1,0,0,0,0,0,1,0,0,1,0,0
9,3,0,1,2,1,0,0,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0,0,2,0,0,1,0,0
10,3,0,1,2,0,1,0,0,1,0,0,0,0,2,0,0,0,0,1,0,0,0,0,0,0,1,1,0,1,0,0
11,3,0,1,2,0,1,0,0,1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0,0,1,1,0,1,0,0
12,2,0,1,1,1,0,1,0,1,0,0,0,0,3,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0
13,3,0,1,2,1,0,0,0,1,0,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,1,0,0,1,0,0
14,1,0,0,0,0,0,1,0,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
15,3,0,1,2,1,0,0,0,1,0,0,0,0,1,0,1,0,0,0,0,0,0,0,0,0,2,0,0,1,0,0
16,3,0,1,2,0,0,0,0,3,0,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0,1,1,0,1,0,0
17,3,0,1,2,0,1,0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0,1,2,0,1,0,0
18,2,0,1,1,1,0,0,0,0,1,0,0,0,3,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0
19,3,0,1,2,0,0,0,0,2,0,0,0,0,1,0,0,1,0,0,0,0,0,0,0,0,1,2,0,2,0,0
20,3,0,1,2,0,0,0,0,1,0,0,0,1,0,0,0,0,0,1,0,0,0,0,0,0,2,2,0,1,0,0
21,2,0,1,1,0,1,0,0,1,0,0,0,1,1,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0
22,2,0,1,1,0,1,0,0,1,0,0,0,0,3,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0
23,4,0,1,2,3,0,0,0,1,0,0,0,0,0,1,0,0,1,0,0,0,0,0,2,0,2,0,2,1,1,1
24,3,0,1,2,0,0,0,1,1,0,0,0,0,1,0,0,0,0,0,1,0,0,0,0,0,1,1,0,1,0,0
25,3,0,1,2,0,0,0,0,3,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0,0,1,1,0,1,0,0
26,3,0,1,2,0,0,0,0,3,0,0,0,0,0,1,0,0,0,1,0,0,0,0,0,0,1,1,0,2,0,0
27,3,0,1,2,0,1,0,0,0,0,0,0,0,1,0,0,1,0,1,0,0,0,0,0,0,1,2,0,1,0,0
28,3,0,1,2,0,0,0,0,3,0,0,1,0,1,0,0,0,0,0,1,0,0,0,0,0,1,1,0,1,0,0
29,2,0,1,1,0,0,0,0,3,0,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0
30,3,0,1,1,2,0,1,0,0,0,0,0,0,3,0,0,0,0,1,0,0,0,0,0,0,1,1,0,1,0,0
31,4,0,1,2,3,0,0,0,1,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,1,1,0,1,1,1,1
32,3,0,1,2,0,0,0,0,3,0,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0,2,2,0,1,0,0
33,3,0,1,2,0,0,0,0,1,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,1,0,2,0,0
34,3,0,1,2,1,0,0,0,2,0,0,0,0,3,0,0,0,0,0,1,0,0,0,0,0,2,0,0,1,0,0
"""

CREATURES_CSV = """\
creature,name,colour,value,fame,prio1,prio2,prio3
0,Wolf,beige,4,1,R,B,U
1,Wolf,brown,4,1,R,B,U
2,Wolf,dark brown,4,1,R,B,U
3,Brown Bear,beige,6,3,B,R,U
4,Brown Bear,brown,6,3,B,R,U
5,Draugr,beige,5,2,U,B,R
6,Draugr,brown,5,2,U,B,R
7,Fallen Valkyrie,beige,7,4,R,B,U
8,Fallen Valkyrie,brown,7,4,R,B,U
"""

CARDS_CSV = """\
id,name,group,flash,fame,op,a,b,c,d,fl
0,Recruit,S,0,0,1,1,0,0,0,0
1,Move,S,0,0,2,1,0,0,0,0
2,Explore,S,0,0,3,1,1,0,0,0
3,Build,S,0,0,4,1,0,0,0,0
4,Feast,S,0,0,7,1,15,0,0,0
5,Negotiation,E,0,2,12,0,0,0,0,0
6,Scouts,E,1,2,3,1,1,0,0,0
7,Town Hall,E,1,1,1,1,0,0,0,0
8,Merchant,E,0,1,5,3,1,2,0,0
9,Militia,E,1,0,2,2,0,0,0,0
10,Improved Villager Tools,E,1,2,4,1,0,0,0,0
11,Recruitment,E,0,1,1,2,0,1,0,0
12,Market Place,E,0,0,5,2,2,0,0,0
13,Mercenary,E,0,1,1,1,1,0,0,0
14,Intimidate,E,0,0,2,2,0,0,0,4
15,Feast (development),E,0,0,7,1,15,0,0,0
16,Scout Camp,E,0,1,3,1,1,0,0,1
17,Shieldbearers,E,0,0,2,2,0,1,0,0
18,Bodyguard,E,1,0,2,1,1,0,0,0
19,Simple Living,E,0,1,4,1,1,0,0,0
20,Future Sight,E,0,0,13,0,0,0,0,0
21,Spy,A,0,2,10,1,1,1,1,0
22,Fishing,A,1,2,6,3,0,0,0,0
23,Axe Throwers,A,0,0,2,2,0,0,0,8
24,Lore Mastery,A,1,2,6,0,0,2,0,0
25,Industrious Villagers,A,0,3,4,1,0,0,0,4
26,Defensive Strategy,A,0,3,15,0,0,0,0,0
27,Enemy Secrets,A,0,0,9,2,0,0,0,0
28,Hunters,A,0,1,1,14,0,3,0,0
29,Outpost,A,0,1,1,2,1,1,0,0
30,Hidden Ways,A,0,0,2,1,0,0,0,64
31,Carpentry Mastery,A,0,2,4,2,0,0,0,0
32,Conqueror,A,1,2,14,0,0,0,0,0
33,Huginn and Muninn,A,0,3,3,1,1,0,0,2
34,Upgraded Market Place,A,1,1,5,2,2,0,0,0
35,Grizzled Warriors,A,0,0,2,2,2,0,0,0
36,Upgraded Trading Post,A,0,0,5,3,2,1,0,0
37,Ancestral Curse,A,0,2,10,2,2,1,1,0
38,Rangers,A,0,1,3,1,2,0,0,0
39,Upgraded Scout Camp,A,0,0,3,2,1,0,0,0
40,Greater Trade Routes,A,0,0,5,3,2,0,1,0
41,Woodcutters,A,0,1,1,14,0,3,1,0
42,Infiltration,A,0,0,2,3,0,0,0,2
43,Upgraded Town Hall,A,1,1,1,2,0,0,0,0
44,Amenities,A,0,2,4,1,0,0,0,2
45,Wood Monopoly,A,1,2,6,0,3,0,0,0
46,Bribery,A,1,3,11,2,0,0,0,0
47,Incursion,A,0,0,2,4,0,0,0,0
48,Heroic Charge,A,0,0,2,3,1,0,0,0
49,Trading Post,A,0,1,5,3,1,1,1,0
50,Legendary Heroes,A,1,2,9,1,0,0,0,0
51,Allies from the Wild,A,0,1,1,3,2,0,0,0
52,Loremasters,A,0,1,1,14,0,3,2,0
53,Warriors,A,0,0,2,2,1,0,0,0
54,Cunning Merchant,A,0,1,5,3,1,0,2,0
55,Capture,A,1,3,8,1,3,0,0,0
56,Veiled Threats,A,0,1,10,1,2,2,1,0
57,Builder,H,0,0,0,0,0,0,0,0
58,Explorer,H,0,0,0,0,0,0,0,0
59,Food Trader,H,0,0,0,0,0,0,0,0
60,Wood Trader,H,0,0,0,0,0,0,0,0
61,Scholar,H,0,0,0,0,0,0,0,0
62,Trapper,H,0,0,0,0,0,0,0,0
63,Warlord,H,0,0,0,0,0,0,0,0
64,Bear Clan,C0,1,0,2,1,0,0,0,16
65,The Bear Awakens,C0,1,0,1,2,0,0,0,4
66,Protector of the Land,C0,0,0,5,0,0,0,0,2
67,Boar Clan,C1,1,0,4,1,1,0,0,0
68,Osmosis,C1,0,0,1,3,0,2,1,0
69,Lay of the Land,C1,0,0,3,3,1,0,0,4
70,Goat Clan,C2,1,0,4,1,0,0,0,1
71,Teamwork,C2,0,0,7,2,15,0,0,0
72,Resourceful People,C2,0,0,5,2,2,0,0,1
73,Raven Clan,C3,1,0,3,2,1,0,0,0
74,Raiding Party,C3,1,0,8,2,2,0,0,0
75,Raven Mercenaries,C3,0,0,1,2,2,1,0,1
76,Snake Clan,C4,1,0,2,1,0,0,0,32
77,Rapacious Exploitation,C4,0,0,10,1,1,1,0,1
78,Stolen Lore,C4,1,0,9,3,0,0,0,0
79,Stag Clan,C5,1,0,1,1,0,0,0,2
80,Glory of the Clan,C5,0,0,4,1,0,0,0,8
81,Annexation,C5,1,0,7,2,6,0,0,0
82,Wolf Clan,C6,1,0,2,1,0,0,0,1
83,Plunder,C6,1,0,8,1,1,0,0,0
84,Call to War,C6,0,0,1,14,0,2,2,0
85,Unrest,U,0,0,0,0,0,0,0,0
"""

# NORTH-DIE-01; face 2 is one axe or one skull
DIE_CSV = "face,axes,skulls,or\n0,2,0,0\n1,3,0,0\n2,1,1,1\n3,2,1,0\n4,0,2,0\n5,1,1,0\n"
START_CSV = "place,food,wood,lore\n1,2,2,0\n2,2,2,0\n3,2,2,0\n4,3,2,0\n5,3,2,0\n"  # NORTH-DATA-01
WINTER_CSV = "units,food,wood\n0,0,0\n4,1,0\n7,2,0\n10,3,1\n13,4,2\n"  # NORTH-DATA-02
HARVEST_CSV = "size,fame\n2,1\n3,2\n"  # NORTH-DATA-03
ACHIEVEMENTS_CSV = """\
card,small building,large building,small space,large space,food,wood,lore,lair,figure
57,1,3,0,0,0,0,0,0,0
58,0,0,1,3,0,0,0,0,0
59,0,0,0,0,2,0,0,0,0
60,0,0,0,0,0,2,0,0,0
61,0,0,0,0,0,0,2,0,0
62,0,0,0,0,0,0,0,3,0
63,0,0,0,0,0,0,0,0,1
"""  # NORTH-DATA-04

# NORTH-BLD-01, in the order of BLDG
SILO, LODGE, TOWER, CAMP, CARVED, FORTRESS, FORGE, ALTAR = range(8)
LARGE = (FORTRESS, FORGE, ALTAR)
NO_SPACE, PLAIN_SPACE, CARVED_SPACE, LARGE_SPACE = range(4)
BUILDING_KIND = {SILO: 0, LODGE: 1, CARVED: 2}  # what a building adds to prod(t, r)


def cost_of(building: int) -> int:
    return 3 if building in LARGE else 1


def step_of(rows: list[dict[str, int]], key: str, value: int) -> dict[str, int] | None:
    """The last row of a rising table that begins at or below the value."""
    return next((row for row in reversed(rows) if row[key] <= value), None)


def parse_tiles(text: str) -> dict[int, dict]:
    """By id: `sides` (area on the printed sides N, E, S, W), `areas` (food, wood, lore, space, lair), `borders`."""
    tiles = {}
    for row in _rows(text):
        number = {key: int(value) for key, value in row.items()}
        n = number["n"]
        areas = [{key: number[f"{key}{a}"] for key in "fwlsx"} for a in range(n)]
        borders = {}
        for a in range(n):
            for b in range(a + 1, n):
                if number[f"b{a}{b}"]:
                    borders[a, b] = number[f"b{a}{b}"]  # 1 regular, 2 rough
        tiles[number["id"]] = {"sides": [number[s] for s in "NESW"], "areas": areas, "borders": borders}
    return tiles


def parse_cards(text: str) -> list[dict]:
    """One dict per card type: name, group, and the numbers flash, fame, op, a, b, c, d, fl."""
    words = ("name", "group")
    return [{key: value if key in words else int(value) for key, value in row.items()} for row in _rows(text)]


def parse_creatures(text: str) -> list[dict]:
    """One dict per creature: name, value, fame, `order` (its three priorities)."""
    return [
        {
            "name": r["name"],
            "value": int(r["value"]),
            "fame": int(r["fame"]),
            "order": r["prio1"] + r["prio2"] + r["prio3"],
        }
        for r in _rows(text)
    ]


BUILT_IN = {
    "tiles": TILES_CSV,
    "cards": CARDS_CSV,
    "creatures": CREATURES_CSV,
    "die": DIE_CSV,
    "start": START_CSV,
    "winter": WINTER_CSV,
    "harvest": HARVEST_CSV,
    "achievements": ACHIEVEMENTS_CSV,
}


def tables(texts: dict[str, str] = BUILT_IN) -> dict:
    parse = {"tiles": parse_tiles, "cards": parse_cards, "creatures": parse_creatures}
    found = {name: parse.get(name, _numbers)(text) for name, text in texts.items()}
    found["achievements"] = {row["card"]: list(row.values())[1:] for row in found["achievements"]}
    return found


def _numbers(text: str) -> list[dict[str, int]]:
    return [{key: int(value) for key, value in row.items()} for row in _rows(text)]


def _rows(text: str) -> list[dict[str, str]]:
    lines = [line.split(",") for line in text.strip().splitlines()]
    return [dict(zip(lines[0], line)) for line in lines[1:]]
