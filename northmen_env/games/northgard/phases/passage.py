"""Moving through the territory of a teammate (NORTH-TEAM-05)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.amounts import ONE, ZERO
from northmen_env.games.northgard.board import ally_word, enemy_word
from northmen_env.games.northgard.card_table import MoveBit
from northmen_env.games.northgard.phases.lairs import crowded_word
from northmen_env.games.northgard.plots import PER_WORD, WORDS

_SMOOTH = int(MoveBit.SMOOTH)


@kernel
def ending_word(rules, state, p, kaija, w):
    """Return a word of the set of territories where a group of the seat may end its way."""
    found = np.int64(state.land[w]) & ~ally_word(rules, state, p, w) & ~crowded_word(rules, state, w)
    if kaija != 0 and state.kaija_free[p] == 0:
        found &= ~enemy_word(rules, state, p, w)
    return found


@kernel
def ally_exits(rules, state, p, kaija, moves, fl, word):
    """Return a word of the set of the teammate's territories that a group can leave with so many moves.

    `moves` grows from 1 on: one leaves with m moves by a border of cost 1 to where one may end or leave with m - 1, or
    by a rough border to where one may end or leave with m - 2. None is left under a Brown Bear or a Fallen Valkyrie.
    """
    if moves < 1:
        return ZERO
    end0, end1 = ending_word(rules, state, p, kaija, ZERO), ending_word(rules, state, p, kaija, ONE)
    allied0, allied1 = ally_word(rules, state, p, ZERO), ally_word(rules, state, p, ONE)
    allied0 &= ~np.int64(state.bears[0]) & ~np.int64(state.valkyries[0])
    allied1 &= ~np.int64(state.bears[1]) & ~np.int64(state.valkyries[1])
    before0, before1 = ZERO, ZERO  # left with m - 2 moves
    last0, last1 = ZERO, ZERO  # with m - 1 moves
    for m in range(1, moves + 1):
        found0, found1 = last0, last1
        for w in range(WORDS):
            rest = allied0 if w == 0 else allied1
            while rest != 0:
                bit, u = rest & -rest, PER_WORD * w + lowest(rest)
                rest &= rest - 1
                if leaves(state, u, fl & _SMOOTH != 0, m, end0, end1, last0, last1, before0, before1):
                    if w == 0:
                        found0 |= bit
                    else:
                        found1 |= bit
        before0, before1 = last0, last1
        last0, last1 = found0, found1
    return last0 if word == 0 else last1


@kernel
def leaves(state, u, easy, m, end0, end1, last0, last1, before0, before1):
    """Return whether a group leaves `u` with m moves; `easy`: all borders cost 1."""
    near0, near1 = np.int64(state.near[u, 0]), np.int64(state.near[u, 1])
    smooth0 = near0 if easy else np.int64(state.smooth[u, 0])
    smooth1 = near1 if easy else np.int64(state.smooth[u, 1])
    if smooth0 & (end0 | last0) != 0 or smooth1 & (end1 | last1) != 0:
        return True
    return m >= 2 and (near0 & (end0 | before0) != 0 or near1 & (end1 | before1) != 0)
