"""What an achievement is worth to its holder at the end (NORTH-DATA-04): weights times what the holder controls."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.board import has_kaija
from northmen_env.games.northgard.plots import PER_WORD, WORDS, has
from northmen_env.games.northgard.tables import BUILDINGS, FIRST_ACHIEVEMENT, RESOURCES, Space, Weight

_SMALL, _CARVED, _LARGE = (int(space) - 1 for space in (Space.SMALL, Space.CARVED, Space.LARGE))
_SMALL_BUILDING, _LARGE_BUILDING, _SMALL_SPACE, _LARGE_SPACE, _FOOD, _LAIR, _FIGURE = (
    int(weight)
    for weight in (
        Weight.SMALL_BUILDING,
        Weight.LARGE_BUILDING,
        Weight.SMALL_SPACE,
        Weight.LARGE_SPACE,
        Weight.FOOD,
        Weight.LAIR,
        Weight.FIGURE,
    )
)


@kernel
def lairs_held(rules, state, p):
    """Return the number of lairs in the territories of a seat; a territory may have several."""
    found = 0
    for i in range(np.int64(state.tiles)):
        area = np.int64(rules.tile_lair[np.int64(state.tile_id[i])])
        if area >= 0 and has(state.owned[p], np.int64(state.root[np.int64(state.plot_base[i]) + area])):
            found += 1
    return found


@kernel
def achievement_fame(rules, state, p, card):
    """Return the value of an achievement card for a seat, with the map as it is."""
    weight = rules.achievement[card - FIRST_ACHIEVEMENT]
    small, large, small_spaces, large_spaces = 0, 0, 0, 0
    fame = np.int64(weight[_LAIR]) * lairs_held(rules, state, p)
    for w in range(WORDS):
        rest = np.int64(state.owned[p, w])
        while rest != 0:
            t = PER_WORD * w + lowest(rest)
            rest &= rest - 1
            for b in range(BUILDINGS):
                if rules.build_large[b] != 0:
                    large += np.int64(state.buildings[t, b])
                else:
                    small += np.int64(state.buildings[t, b])
            small_spaces += np.int64(state.spaces[t, _SMALL]) + np.int64(state.spaces[t, _CARVED])
            large_spaces += np.int64(state.spaces[t, _LARGE])
            for r in range(RESOURCES):
                fame += np.int64(weight[_FOOD + r]) * np.int64(state.yields[t, r])
    fame += np.int64(weight[_SMALL_BUILDING]) * small + np.int64(weight[_LARGE_BUILDING]) * large
    fame += np.int64(weight[_SMALL_SPACE]) * small_spaces + np.int64(weight[_LARGE_SPACE]) * large_spaces
    figures = np.int64(state.on_map[p]) + has_kaija(state, np.int64(state.kaija), p)
    return fame + np.int64(weight[_FIGURE]) * figures
