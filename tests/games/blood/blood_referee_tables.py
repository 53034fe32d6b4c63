"""The two tables that the rulebook does not print (BLOOD-TILE-03, BLOOD-CARD-03), copied from the rules ledger.

Part of the referee: it reads no data file of the package.
"""

from __future__ import annotations

import hashlib
import re

TILES_CSV = """\
id,village,sides
1,-,MM----
2,-,L--M--
3,Mead,LLMR--
4,-,FL-R-R
5,-,FM---L
6,Silver,F--R--
7,-,FLMR--
8,-,FLLR--
9,Furs,FFLLL-
10,-,FLLLM-
11,-,F-M-MM
12,Tusk,F-RLLL
13,-,FFR-R-
14,-,LL---M
15,Mead,FF-L-M
16,-,F-F-L-
17,-,LLM-R-
18,Silver,FM--LL
19,-,FL--R-
20,-,FM--FR
21,Furs,F--RMR
22,-,MR-R--
23,-,F--L-R
24,Tusk,F-LL--
25,-,LR-R--
26,-,M-R-R-
27,Mead,L-R---
28,-,LMM---
29,-,M-RM--
30,Silver,FRFRL-
31,-,LLL-M-
32,-,FF-LLL
33,Furs,LLMR-R
34,-,F-RMLL
35,-,F--LLM
36,Tusk,FR-F--
37,-,MRM--R
38,-,FF--FM
39,Mead,FM--ML
40,-,R-R-R-
41,-,LL-MR-
42,Silver,LLLRM-
43,-,FR-FR-
44,-,FLLFM-
45,Furs,LR-RMM
46,-,F-LM-M
47,-,LL----
48,Tusk,MR-R-R
49,-,MMMR--
50,-,FR-RF-
51,Mead,LLR-R-
52,-,FLLF--
53,-,FR-L-M
54,Silver,LL-R--
55,-,FLLL--
56,-,FM-LL-
57,Furs,F---M-
58,-,FF-LL-
59,-,FMML-R
60,Tusk,LL-MMR
61,-,FR-LMR
62,-,FLRFR-
63,Mead,FLL--R
64,-,F-MMMR
65,-,FR-RMR
66,Silver,R-R---
67,-,FMM---
68,-,FRM-LR
69,Furs,F-LLR-
70,-,LL-R--
71,-,F-M-ML
72,Tusk,LLM---
73,-,FR-M-R
74,-,FM---M
75,Mead,LLLR--
76,-,LMMR--
77,-,FFFRL-
78,Silver,LRMR-R
79,-,FRMRM-
80,-,LLLM--
81,Furs,LL-MR-
82,-,F-R---
83,-,FRML--
84,Tusk,F--R-R
85,-,LL---R
86,-,FR-R-R
87,Mead,FR-RMR
88,-,LLM-M-
89,-,F-LLLM
90,Silver,F--LL-
91,-,LM-M--
92,-,MMR---
93,Furs,FR-RLR
94,-,FF-M--
95,-,L--R-R
96,Tusk,F-RLR-
97,-,LL-R-R
98,-,F-LM--
99,Mead,FRMR--
100,-,FLL---
101,-,FRLLM-
102,Silver,FM-RLM
103,-,F---M-
104,-,FM-RM-
105,Furs,F-R---
106,-,FM-LLL
107,-,LM-R-R
108,Tusk,L---RM
109,-,LL-RMR
110,-,LR---R
111,Mead,F-R--R
112,-,F-F--M
113,-,LLLR--
114,Silver,FR-RM-
115,-,FM-F-L
116,-,F-MF-M
117,Furs,L---R-
118,-,F-R-R-
119,-,F--RL-
120,Tusk,F-LRMR
"""

BANDITS_CSV = """\
card,redirect,tag,effects
001,-,R,PLACE(2,EMPTY);LAKE(1)
002,-,R,PLACE(3,VILLAGE);LAKE(1)
003,-,R,EACH(LAKE);LAKE(1)
004,-,R,PLACE(4,ANY);LAKE(1)
005,-,R,PLACE(2,MOUNTAIN);ROAD(1)
006,-,R,PLACE(3,VILLAGE);ROAD(1)
007,-,R,EACH(ROAD);ROAD(1)
008,-,R,PLACE(4,ANY);ROAD(1)
009,-,R,PLACE(2,WARBAND);ATTACK(1)
010,-,R,PLACE(3,VILLAGE);ATTACK(1)
011,-,R,EACH(WARBAND);ATTACK(1,SMALLEST)
012,-,R,PLACE(4,ANY);ATTACK(1,LARGEST)
013,-,R,PLACE(3,JUSTPLACED);SCORE(2)
014,-,D,PLACE(3,VILLAGE);SCORE(1)
015,-,D,EACH(VILLAGE);SCORE(1)
016,-,D,PLACE(4,ANY);SCORE(1)
017,-,D,PLACE(2,WARBAND);BRIBE(1)
018,-,D,PLACE(3,VILLAGE);BRIBE(1)
019,-,D,EACH(WARBAND);BRIBE(2)
020,-,D,PLACE(4,ANY);BRIBE(1)
021,-,D,PLACE(2,FOREST);PREPARE(1)
022,-,D,PLACE(3,VILLAGE);PREPARE(1)
023,-,D,EACH(FOREST);PREPARE(1)
024,-,D,PLACE(4,ANY);PREPARE(2)
025,-,D,PLACE(2,EMPTY);PLAY
026,-,D,PLACE(3,VILLAGE);PLAY
027,-,D,EACH(MOUNTAIN);DISCARD(5)
028,-,D,PLACE(4,ANY);DISCARD(5)
029,-,D,PLACE(3,JUSTPLACED);LAKE(1);ROAD(1)
030,-,D,PLACE(3,JUSTPLACED);ATTACK(1)
031,001,R,LAKE(2);ROAD(1)
032,002,R,LAKE(1);ROAD(1)
033,003,R,LAKE(1);ROAD(1);ATTACK(1)
034,004,R,LAKE(1);ROAD(1);PLAY
035,005,R,LAKE(2);ATTACK(1)
036,006,R,LAKE(1);ATTACK(2)
037,007,R,LAKE(1);ATTACK(1,SMALLEST)
038,008,R,LAKE(1);ATTACK(1,LARGEST)
039,009,R,LAKE(2);SCORE(1)
040,010,R,LAKE(1);SCORE(2)
041,011,R,LAKE(1);SCORE(ARMIES)
042,012,R,LAKE(1);PLAY
043,013,D,LAKE(1);BRIBE(1)
044,014,D,LAKE(1);BRIBE(2)
045,015,D,LAKE(1);PREPARE(1)
046,016,D,LAKE(1);PREPARE(2)
047,017,D,LAKE(2);BRIBE(1)
048,018,D,LAKE(2);PREPARE(1)
049,019,D,LAKE(3)
050,020,D,LAKE(ARMIES)
051,021,D,LAKE(2);ROAD(2)
052,022,D,LAKE(1);ROAD(2)
053,023,D,LAKE(2);ROAD(1);ATTACK(1)
054,024,D,LAKE(1);BRIBE(1);ATTACK(1)
055,025,D,LAKE(1);PREPARE(1);ATTACK(1)
056,026,D,LAKE(1);SCORE(1);ATTACK(1)
057,027,D,LAKE(1);SCORE(1);PREPARE(1)
058,028,D,LAKE(1);ROAD(1);DISCARD(5)
059,029,D,LAKE(2);DISCARD(5)
060,030,D,LAKE(2);PLAY
061,001,R,PREPARE(1);ATTACK(1)
062,002,R,ATTACK(1);PREPARE(2)
063,003,R,ATTACK(2);PREPARE(1)
064,004,R,ATTACK(1);IFWON(PREPARE(4))
065,005,R,SCORE(2);ATTACK(1)
066,006,R,SCORE(1);ATTACK(2)
067,007,R,ATTACK(2);SCORE(WON)
068,008,R,ATTACK(1);IFWON(WIN)
069,009,R,BRIBE(2);ATTACK(1)
070,010,R,BRIBE(1);ATTACK(2)
071,011,R,ATTACK(1);BRIBE(3)
072,012,R,ATTACK(2);BRIBE(2)
073,013,R,ATTACK(3);DISCARD(5)
074,014,D,ATTACK(1,SMALLEST);PREPARE(1)
075,015,D,ATTACK(1,LARGEST);PREPARE(1)
076,016,D,ATTACK(1,SMALLEST);SCORE(1)
077,017,D,ATTACK(1,LARGEST);SCORE(1)
078,018,D,ATTACK(1);IFWON(SCORE(2))
079,019,D,ATTACK(1);IFWON(BRIBE(3))
080,020,D,ATTACK(1);LAKE(1)
081,021,D,ATTACK(1);ROAD(1)
082,022,D,PREPARE(2);ATTACK(1)
083,023,D,PREPARE(1);ATTACK(2)
084,024,D,BRIBE(1);ATTACK(1,SMALLEST)
085,025,D,BRIBE(1);ATTACK(1,LARGEST)
086,026,D,ATTACK(1);SCORE(1);PREPARE(1)
087,027,D,ATTACK(1);BRIBE(1);PREPARE(1)
088,028,D,ATTACK(2);DISCARD(5)
089,029,D,ATTACK(1);PLAY
090,030,D,ATTACK(2);PLAY
091,001,R,ROAD(3);DISCARD(5)
092,002,R,ROAD(ARMIES);DISCARD(5)
093,003,R,ROAD(VILLAGES);DISCARD(5)
094,004,R,ROAD(WARBANDS);DISCARD(5)
095,005,R,ROADONE(4);DISCARD(5)
096,006,R,ROADATTACK(2);DISCARD(5)
097,007,R,SCORE(2);BRIBE(1)
098,008,R,SCORE(1);BRIBE(2)
099,009,R,BRIBE(2);SCORE(BRIBED)
100,010,R,BRIBEVILLAGES
101,011,R,SCORE(2);PREPARE(1)
102,012,R,SCORE(1);PREPARE(2)
103,013,D,PREPARE(3)
104,014,D,PREPARE(2);BRIBE(1)
105,015,D,PREPARE(1);BRIBE(2)
106,016,D,BRIBE(3)
107,017,D,SCORE(1);BRIBE(1);PREPARE(1)
108,018,D,PREPARE(ARMIES)
109,019,D,SCORE(2);DISCARD(5)
110,020,D,BRIBE(2);DISCARD(5)
111,021,D,PREPARE(2);DISCARD(5)
112,022,D,ROAD(2);BRIBE(1)
113,023,D,ROAD(1);BRIBE(2)
114,024,D,ROAD(1);PREPARE(2)
115,025,D,ROAD(2);PREPARE(1)
116,026,D,ROAD(1);SCORE(1)
117,027,D,ROAD(1);ATTACK(1);DISCARD(5)
118,028,D,BRIBE(1);PLAY
119,029,D,PREPARE(1);PLAY
120,030,D,SCORE(1);PLAY
"""

VILLAGES = ("Mead", "Silver", "Furs", "Tusk")
KINDS = "FLMR-"
TILES = 120

Effect = tuple  # (name, first argument, second argument), arguments None where there is none


def _rows(text: str) -> list[dict]:
    """Read a table; the last column keeps its commas (the effects of a card have some)."""
    header, *lines = text.splitlines()
    names = header.split(",")
    return [dict(zip(names, line.split(",", len(names) - 1))) for line in lines]


def digest(text: str) -> str:
    """Return the SHA-256 of a block (header and 120 lines, each ended by one line feed)."""
    return hashlib.sha256(text.encode()).hexdigest()


def canon(sides: str) -> str:
    """Return one representative of all rotations of six letters."""
    return min(sides[k:] + sides[:k] for k in range(6))


def parse_tiles(text: str) -> tuple[dict, dict]:
    """Return village type (or None) and the six letters by tile id, after the checks of COMP-01 and TILE-03."""
    villages, sides = {}, {}
    for row in _rows(text):
        t = int(row["id"])
        villages[t] = None if row["village"] == "-" else row["village"]
        sides[t] = row["sides"]
    need(sorted(sides) == list(range(1, TILES + 1)), "ids 1 to 120")
    need(all(len(s) == 6 and set(s) <= set(KINDS) for s in sides.values()), "six letters of FLMR-")
    for village in VILLAGES:
        need(list(villages.values()).count(village) == 10, f"ten {village} villages")
    terrain = [canon(sides[t]) for t in sides if villages[t] is None]
    need(len(terrain) == 80 == len(set(terrain)), "80 different terrain tiles")
    return villages, sides


def parse_effect(text: str) -> Effect:
    """Read one effect of the vocabulary of 4.15; the argument of IFWON is an effect again."""
    found = re.fullmatch(r"([A-Z]+)(?:\((.*)\))?", text)
    need(found is not None, f"effect {text}")
    name, inner = found.group(1), found.group(2)
    if inner is None:
        return (name, None, None)
    if name == "IFWON":
        return (name, parse_effect(inner), None)
    arguments = [int(word) if word.isdigit() else word for word in inner.split(",")]
    return (name, arguments[0], arguments[1] if len(arguments) > 1 else None)


def parse_bandits(text: str) -> tuple[dict, dict]:
    """Return the redirect (or None) and the list of effects by card number, checked as CARD-01 and PLAY."""
    redirect, effects = {}, {}
    for row in _rows(text):
        card = int(row["card"])
        redirect[card] = None if row["redirect"] == "-" else int(row["redirect"])
        effects[card] = [parse_effect(word) for word in row["effects"].split(";")]
        need(redirect[card] is None if card <= 30 else redirect[card] in range(1, 31), f"redirect of card {card}")
        need(all(effect[0] != "PLAY" for effect in effects[card][:-1]), f"PLAY is the last effect of card {card}")
    need(sorted(effects) == list(range(1, TILES + 1)), "cards 1 to 120")
    return redirect, effects


def need(condition: bool, text: str) -> None:
    """Refuse a table."""
    if not condition:
        raise ValueError(text)


def default_tables() -> dict:
    """Return both default tables, parsed, with the digests that the State JSON names."""
    return tables(TILES_CSV, BANDITS_CSV)


def tables(tiles_csv: str, bandits_csv: str) -> dict:
    """Return both tables as one dict."""
    villages, sides = parse_tiles(tiles_csv)
    redirect, effects = parse_bandits(bandits_csv)
    return {
        "villages": villages,
        "sides": sides,
        "redirect": redirect,
        "effects": effects,
        "tile_table": digest(tiles_csv),
        "bandit_table": digest(bandits_csv),
    }
