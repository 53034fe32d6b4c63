"""What each seat of the referee knows (section 5)."""

from __future__ import annotations

from collections import Counter

HIDDEN = (
    "hand hand_known draw_pile draw_known dev_deck tile_stack tile_known tile_hands creature_pile frames "
    "player decision"
).split()


class Information:
    """Views and possible worlds, by the State JSON."""

    def view(self, player: int) -> dict:
        """What this seat may know (NORTH-INFO-01 to -08)."""
        return view(self.to_dict(), player, self.tables)

    def possible(self, candidate: dict, player: int) -> bool:
        """May the candidate (State JSON) be the true state, for all that this seat knows here? (NORTH-INFO-10)"""
        return not differences(self.to_dict(), candidate, player, self.tables)


def view(d: dict, player: int, tables: dict) -> dict:
    """The State JSON without what is hidden from this seat.

    `public_decks` holds per seat the multiset of hand, draw pile and cards of a running DRAW, `known_hand` per seat the
    cards there that the viewer knows, `known_pile` per seat the known cards by place, `known_stack` the tiles by place.
    Which places of piles a seat knows follows from public events: the masks of places are shown.
    """
    bit = 1 << player
    v = {key: value for key, value in d.items() if key not in HIDDEN}
    v["viewer"] = player
    asked = d["player"] if d["decision"] != "REACT" or d["player"] == player else None  # NORTH-INFO-08
    v["player"], v["decision"] = asked, d["decision"] if asked is not None or d["player"] is None else "NONE"
    v["frames"] = [_frame(frame, d, player, tables) for frame in d["frames"]]
    v["hand_sizes"], v["draw_sizes"] = ([len(cards) for cards in d[key]] for key in ("hand", "draw_pile"))
    v["public_decks"] = [sorted(d["hand"][p] + d["draw_pile"][p] + _running(d, p)) for p in range(d["num_players"])]
    v["known_hand"] = [
        sorted(card for card, mask in zip(d["hand"][p], d["hand_known"][p]) if mask & bit or p == player)
        for p in range(d["num_players"])
    ]
    v["known_pile"] = [
        [card if mask & bit else None for card, mask in zip(*pair)] for pair in zip(d["draw_pile"], d["draw_known"])
    ]
    v["own_known"], v["pile_masks"], v["stack_masks"] = d["hand_known"][player], d["draw_known"], d["tile_known"]
    v["known_stack"] = [t if mask & bit else None for t, mask in zip(d["tile_stack"], d["tile_known"])]
    v["tile_hand"] = d["tile_hands"][player]
    v["tile_hand_sizes"] = [len(tiles) for tiles in d["tile_hands"]]
    v["dev_deck_size"], v["creature_pile_size"] = len(d["dev_deck"]), len(d["creature_pile"])
    v["creature_pile_set"] = sorted(d["creature_pile"])
    v["tile_set"] = sorted(d["tile_stack"] + [t for tiles in d["tile_hands"] for t in tiles] + _drawn_tiles(d))
    return v


def _running(d: dict, p: int) -> list[int]:
    """Cards of a running DRAW of this seat; the actor of every operation is `turn`."""
    return [card for f in d["frames"] if f["frame"] == "DRAW" and d["turn"] == p for card in f["drawn"]]


def _drawn_tiles(d: dict) -> list[int]:
    """Tiles drawn and not yet placed; the tile of SETUP is still in the hand of tiles."""
    tiles = []
    for f in d["frames"]:
        if f["frame"] == "EXPLORE":
            tiles += f["drawn"]
        if f["frame"] in ("EXPLORE", "SECOND") and f["tile"] is not None:
            tiles.append(f["tile"])
    return tiles


def _frame(frame: dict, d: dict, player: int, tables: dict) -> dict:
    """A running operation as this seat sees it, without the cards and tiles that only others may see."""
    shown = dict(frame)
    if frame["frame"] == "HAND":  # the actor knows the card if the actor chose it
        chose = player == d["turn"] and tables["cards"][frame["row"]]["b"] == 1
        return shown if chose or player == frame["victim"] else shown | {"card": frame["card"] is not None}
    if player == d["turn"]:
        return shown
    if frame["frame"] == "DRAW":
        shown |= {"drawn": len(frame["drawn"]), "drawn_known": None, "last": None}
    elif frame["frame"] == "EXPLORE":
        shown |= {"drawn": len(frame["drawn"]), "tile": frame["tile"] is not None}
    elif frame["frame"] in ("SETUP", "SECOND"):
        shown |= {"tile": frame["tile"] is not None}
    elif frame["frame"] == "UPGRADE":
        shown |= {"card": frame["card"] is not None}
    return shown


def differences(d: dict, candidate: dict, player: int, tables: dict) -> list[str]:
    """Where the candidate contradicts what the seat knows in d, or the game itself; [] if it is possible."""
    mine, other = view(d, player, tables), view(candidate, player, tables)
    found = [key for key in sorted({*mine, *other}) if mine.get(key) != other.get(key)]
    asked = [(state["player"], state["decision"]) for state in (d, candidate)]
    if asked[0] != asked[1]:
        found.append("offered decision")
    values = [creature["value"] for creature in tables["creatures"]]
    top = candidate["creature_pile"][: candidate["creature_top"]]
    if any(values[c] > 6 for c in top):  # NORTH-INFO-07
        found.append("upper creature pile")
    for kind in ("early", "advanced"):
        if _deck_shape(d, kind) != _deck_shape(candidate, kind):
            found.append(f"{kind} cards")
    places = _cards_by_place(candidate)
    if any(k > 1 for card, k in places.items() if 5 <= card <= 84):
        found.append("a card twice")
    return found


def _deck_shape(d: dict, kind: str) -> list[bool]:
    """Early cards lie above Advanced ones."""
    low, high = (5, 20) if kind == "early" else (21, 56)
    return [low <= card <= high for card in d["dev_deck"]]


def _cards_by_place(d: dict) -> Counter:
    cards = d["removed"] + d["display"] + d["achievements"] + d["dev_deck"]
    for key in ("upgrades", "hand", "draw_pile", "discard", "played", "idle"):
        cards = cards + [c for seat in d[key] for c in seat]
    return Counter(cards + [c for f in d["frames"] if f["frame"] == "DRAW" for c in f["drawn"]])
