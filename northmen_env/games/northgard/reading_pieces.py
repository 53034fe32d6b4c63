"""Whether a State JSON object has every piece of the game once (NORTH-COMP-01 … -05), and the cards of its year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from northmen_env.games.northgard.state import Decision, Frame, Phase
from northmen_env.games.northgard.tables import (
    CREATURES,
    STARTING,
    TILES,
    UNREST,
    UNREST_CARDS,
    Group,
    clan_cards,
)


def check_pieces(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    """Refuse an object, read before, in which a piece is missing, or there twice, or where it can never be.

    Raises:
        ValueError: with a sentence that names the pieces.
    """
    _check_tiles(rules, d)
    _check_creatures(rules, d, state)
    _check_cards(rules, d, state)
    _check_year(rules, d, state)


def _once(what: str, found: list[int], due: list[int]) -> None:
    if sorted(found) == due:
        return
    missing = sorted((Counter(due) - Counter(found)).elements())
    more = sorted((Counter(found) - Counter(due)).elements())
    raise ValueError(f"this State JSON must have each {what} of the game once; missing: {missing}, too many: {more}")


def _check_tiles(rules: Any, d: Mapping[str, Any]) -> None:
    tiles = [entry[0] for entry in d["tiles"]] + list(d["tile_stack"])
    tiles += [tile for hand in d["tile_hands"] for tile in hand]
    for frame in d["frames"]:
        if frame["frame"] == "EXPLORE":
            tiles += frame["drawn"]
        if frame["frame"] in ("EXPLORE", "SECOND") and frame["tile"] is not None:
            tiles.append(frame["tile"])
    _once("tile", tiles, [tile for tile in range(TILES) if tile != 1 or rules.num_tiles == TILES])


def _check_creatures(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    on_map = [creature for creature, _ in d["creatures"]]
    found = on_map + list(d["creature_pile"]) + list(d["creature_discard"])
    revealed = [frame["creature"] for frame in d["frames"] if frame["frame"] == "PASS"]
    found += [creature for creature in revealed if creature is not None and creature not in on_map]  # not yet placed
    _once("creature card", found, list(range(CREATURES)) if rules.creatures and state.phase != Phase.CLAN else [])


def _check_cards(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    n = int(rules.num_players)
    decks = [Counter[int]() for _ in range(n)]
    for key in ("hand", "draw_pile", "discard", "played", "idle"):
        for p in range(n):
            decks[p].update(d[key][p])
    for frame in d["frames"]:
        if frame["frame"] == "DRAW":
            decks[int(state.turn)].update(frame["drawn"])
    middle = Counter([*d["display"], *d["achievements"], *d["dev_deck"]])
    everywhere = Counter(d["removed"]) + middle
    for p in range(n):
        _check_deck(decks[p], state, p)
        everywhere += decks[p] + Counter(d["upgrades"][p])
    everywhere[UNREST] += int(state.unrest)
    foreign = sorted(c for c in middle if rules.card_group[c] not in (Group.EARLY, Group.ADVANCED, Group.ACHIEVEMENT))
    if foreign:
        raise ValueError(f"`display`, `achievements` and `dev_deck` cannot hold the cards {foreign}")
    _check_numbers(rules, everywhere, state)


def _check_deck(deck: Counter[int], state: Any, p: int) -> None:
    """A seat never has another one's starting and clan cards."""
    clan = int(state.clan[p])
    own = Counter(STARTING) + Counter(clan_cards(clan) if clan >= 0 else ())
    for card, number in deck.items():
        starting_or_clan = card < 5 or 64 <= card < UNREST
        if starting_or_clan and number > own[card]:
            raise ValueError(f"seat {p} has card {card} {number} times; it is dealt that card {own[card]} times")


def _check_numbers(rules: Any, found: Counter[int], state: Any) -> None:
    """Every starting, clan and Unrest card is somewhere, and as many of each other group as are dealt."""
    n = int(rules.num_players)
    due: Counter[int] = Counter({UNREST: UNREST_CARDS})
    if state.phase != Phase.CLAN:
        due += Counter({card: n * number for card, number in Counter(STARTING).items()})
        for p in range(n):
            due += Counter(clan_cards(int(state.clan[p])))
    dealt = {Group.EARLY: int(rules.deck_early), Group.ADVANCED: int(rules.deck_advanced), Group.ACHIEVEMENT: n}
    total: Counter[Group] = Counter()
    for card, group in enumerate(map(Group, rules.card_group.tolist())):
        total[group] += found[card]
        most = 1 if group in dealt else due[card]
        if found[card] > most or (group not in dealt and found[card] < most):
            raise ValueError(f"this State JSON has card {card} {found[card]} times; the game has it {most} times")
    for group, number in dealt.items():
        if total[group] != number:
            name = group.name.lower()
            raise ValueError(f"this State JSON has {total[group]} {name} cards; {n} players are dealt {number}")


def _check_year(rules: Any, d: Mapping[str, Any], state: Any) -> None:
    """The middle holds what later years deal, and of this year what nobody took (NORTH-YEAR, NORTH-TURN-13)."""
    n, year, last = int(rules.num_players), int(state.year), int(rules.years)
    begun = 0 if state.phase in (Phase.CLAN, Phase.SETUP) else year
    left = max(0, last - 1 - begun) * n
    early = max(0, int(rules.deck_early) - begun * n)
    groups = {
        "dev_deck": [Group.EARLY] * early + [Group.ADVANCED] * (left - early),
        "achievements": [Group.ACHIEVEMENT] * (0 if begun == last else n),
        "display": [_shown(rules, year)] * (_on_display(state, n) if begun else 0),
    }
    for key, due in groups.items():
        found = [Group(int(rules.card_group[card])) for card in d[key]]
        if found != due:
            counts = [f"{due.count(group)} {group.name.lower()}" for group in dict.fromkeys(due)]
            wanted = f"{' above '.join(counts)} cards" if due else "no card"
            when = f"year {year}, phase {Phase(int(state.phase)).name}" + (
                ", `taken` as it is" if key == "display" else ""
            )
            raise ValueError(f"`{key}` must hold {wanted} ({when}; NORTH-YEAR-02, -03), not {list(d[key])}")


def _shown(rules: Any, year: int) -> Group:
    """Return the group of the cards that a year displays."""
    if year == rules.years:
        return Group.ACHIEVEMENT
    return Group.EARLY if year * rules.num_players <= rules.deck_early else Group.ADVANCED


def _on_display(state: Any, n: int) -> int:
    """Return how many cards of the year are left: each seat takes one, when it passes at the latest."""
    passed, taken = (list(map(bool, state[key][:n])) for key in ("passed", "taken"))
    if state.phase != Phase.ACTIONS and not (all(passed) and all(taken)):
        raise ValueError("`passed` and `taken` must be true of every seat after the phase ACTIONS (NORTH-PH-06)")
    turn = int(state.turn)
    picks = state.decision == Decision.PASS_PICK
    passing = picks or state.decision == Decision.PASS_CRE or Frame.PASS in state.frame_kind[: int(state.depth)]
    for p in range(n):
        if state.phase == Phase.ACTIONS and p == turn and passed[p] != passing:
            raise ValueError(f"`passed[{p}]` must be {str(passing).lower()}: seat {p} has the turn (NORTH-TURN-01)")
        if passed[p] and taken[p] == (picks and p == turn):
            due = "false: it is asked PASS_PICK" if taken[p] else "true: it has passed"
            raise ValueError(f"`taken[{p}]` must be {due} (NORTH-TURN-13)")
    return n - sum(taken)
