"""The running operations: public, but for the cards and tiles that only their owner may see (NORTH-INFO-02, -08)."""

from __future__ import annotations

import numpy as np

from northmen_env.engine.bits import lowest
from northmen_env.engine.jit import kernel
from northmen_env.games.northgard.blocks import BITS, MANY, MOST_NUMBER, RECRUITED, ROWS
from northmen_env.games.northgard.cards.hands import SEEN
from northmen_env.games.northgard.observing.numbers import (
    PER_CARD,
    PER_SLOT,
    YES,
    put_choice,
    put_index,
    put_seat,
    put_terr,
    scale,
    starts,
)
from northmen_env.games.northgard.plots import PER_WORD, WORDS
from northmen_env.games.northgard.state import Frame
from northmen_env.games.northgard.tables import RESOURCES, SEATS

FRAMES, AT_ROWS, NUMBERS, AT_BITS, CARD, LEFT, LAST, CELL, POINTERS, NUM, AT_RECRUITED, CHOSEN, FLAGS = starts(
    "frames", "rows", "row_numbers", "row_bits", "card", "left", "last", "cell", "pointers", "num", "recruited",
    "chosen", "context_flags",
)  # fmt: skip
NAMED, GATHERED, BUILD, SWAP, SWAPS, PAID, CONTEXT_SEATS, FOE, FOOD, ROLL, FACE = starts(
    "named", "gathered", "build", "swap", "swaps", "paid_last", "context_seats", "foe", "food", "roll", "face"
)
MARK, NOW, AWAKE = starts("terr_mark", "creature_now", "creature_awake")
_PER_NUMBER, _PER_MARK, _PER_TYPE, _PER_CREATURE, _PER_FACE, _PER_CHOICE = map(
    scale, ("left", "terr_mark", "build", "foe", "roll", "face")
)
_COPY, _CHOOSE, _OPERATION, _COMBAT = (np.int64(i) for i in range(len(ROWS)))
_NAMED = 6  # column of context_flags


@kernel
def put_frames(rules, state, player, out, n):
    """Write which operations run, and what each of them keeps."""
    for depth in range(np.int64(state.depth)):
        kind, row = np.int64(state.frame_kind[depth]), np.int64(state.frame_row[depth])
        out[FRAMES + kind - 1] = YES
        if row >= 0:
            put_row(rules, out, kind, row)
        if kind == Frame.CARD or (kind == Frame.UPGRADE and state.turn == player):
            put_index(out, CARD, np.int64(state.card), PER_CARD)
        elif kind == Frame.RECRUIT:
            put_recruit(state, out)
        elif kind == Frame.MOVE:
            put_due(state, out)
        elif kind == Frame.HAND:
            put_hand_raid(rules, state, player, out, row)
        elif kind == Frame.COMBAT:
            put_combat(state, player, out, n)
        elif kind == Frame.CREATURES:
            put_awake(state, out)
    put_progress(state, player, out, n)


@kernel
def put_row(rules, out, kind, row):
    """Write the card whose row runs; its numbers stay unless a frame within it has a row of its own."""
    if kind == Frame.COMBAT:
        put_index(out, AT_ROWS + _COMBAT, row, PER_CARD)
        return
    which = _COPY if kind == Frame.COPY else (_CHOOSE if kind == Frame.CHOOSE else _OPERATION)
    put_index(out, AT_ROWS + which, row, PER_CARD)
    out[NUMBERS] = np.float32(min(np.int64(rules.card_a[row]), MOST_NUMBER)) * _PER_NUMBER
    out[NUMBERS + 1] = np.float32(min(np.int64(rules.card_b[row]), MOST_NUMBER)) * _PER_NUMBER
    out[NUMBERS + 2] = np.float32(min(np.int64(rules.card_c[row]), MOST_NUMBER)) * _PER_NUMBER
    out[NUMBERS + 3] = np.float32(min(np.int64(rules.card_d[row]), MOST_NUMBER)) * _PER_NUMBER
    for bit in range(BITS):
        out[AT_BITS + bit] = np.float32((np.int64(rules.card_fl[row]) >> bit) & 1)


@kernel
def put_recruit(state, out):
    """RECRUIT: where there is room, and which territories got a figure."""
    for t in range(np.int64(state.plots)):
        room = np.int64(state.room[t])
        if room != 0:
            out[MARK + np.int64(state.slot[t])] = np.float32(min(room, MANY)) * _PER_MARK
    found = 0
    for w in range(WORDS):
        rest = np.int64(state.recruited[w])
        while rest != 0 and found < RECRUITED:
            put_terr(state, out, AT_RECRUITED + found, PER_WORD * w + lowest(rest))
            rest &= rest - 1
            found += 1
    out[FLAGS] = np.float32(np.int64(state.recruit_kaija))


@kernel
def put_due(state, out):
    """MOVE: unresolved combats; no territory has two (NORTH-CORN-12)."""
    for i in range(np.int64(state.due_size)):
        slot = np.int64(state.slot[np.int64(state.due_place[i])])
        out[MARK + slot] = np.float32(np.int64(state.due_creature[i]) + 2) * _PER_MARK


@kernel
def put_hand_raid(rules, state, player, out, row):
    """HAND: the card named is for its victim, and for an actor who sees the hand (NORTH-INFO-08)."""
    put_seat(out, CONTEXT_SEATS + SEATS, player, np.int64(state.victim), np.int64(rules.num_players))
    if state.named >= 0:
        out[FLAGS + _NAMED] = YES
        if player == state.victim or (player == state.turn and rules.card_b[row] == SEEN):
            put_index(out, NAMED, np.int64(state.named), PER_CARD)


@kernel
def put_awake(state, out):
    """CREATURES: who on the map has been activated."""
    for i in range(np.int64(state.line_size)):
        creature = np.int64(state.line[i])
        out[AWAKE + creature] = np.float32((np.int64(state.awake) >> creature) & 1)


@kernel
def put_combat(state, player, out, n):
    put_terr(state, out, POINTERS + 3, np.int64(state.fight_at))
    put_terr(state, out, POINTERS + 4, np.int64(state.retreat_to))
    put_seat(out, CONTEXT_SEATS + 4 * SEATS, player, np.int64(state.attacker), n)
    put_seat(out, CONTEXT_SEATS + 5 * SEATS, player, np.int64(state.defender), n)
    put_seat(out, CONTEXT_SEATS + 6 * SEATS, player, np.int64(state.loser), n)
    put_index(out, FOE, np.int64(state.foe), _PER_CREATURE)
    put_index(out, FOOD, np.int64(state.food_a), _PER_NUMBER)
    put_index(out, FOOD + 1, np.int64(state.food_d), _PER_NUMBER)
    put_index(out, ROLL, np.int64(state.roll_a), _PER_FACE)
    put_index(out, ROLL + 1, np.int64(state.roll_d), _PER_FACE)
    put_index(out, FACE, np.int64(state.face_a), _PER_CHOICE)
    put_index(out, FACE + 1, np.int64(state.face_d), _PER_CHOICE)
    put_index(out, FACE + 2, np.int64(state.either), _PER_CHOICE)


@kernel
def put_progress(state, player, out, n):
    """Write the fields of the other frames, which are neutral where their frame does not run."""
    out[LEFT] = np.float32(min(np.int64(state.left), MOST_NUMBER)) * _PER_NUMBER
    out[LEFT + 1] = np.float32(min(np.int64(state.keep), MOST_NUMBER)) * _PER_NUMBER
    out[LEFT + 2] = np.float32(min(np.int64(state.top), MOST_NUMBER)) * _PER_NUMBER
    out[LEFT + 3] = np.float32(min(np.int64(state.owed), MOST_NUMBER)) * _PER_NUMBER
    if state.turn == player:
        put_index(out, LAST, np.int64(state.last), PER_CARD)
    put_index(out, CELL, np.int64(state.cell), PER_SLOT)
    put_terr(state, out, POINTERS, np.int64(state.place))
    put_terr(state, out, POINTERS + 1, np.int64(state.src))
    put_terr(state, out, POINTERS + 2, np.int64(state.dst))
    put_index(out, NUM, np.int64(state.num), _PER_NUMBER)
    for act in range(4):
        out[CHOSEN + act] = np.float32((np.int64(state.chosen) >> act) & 1)
    out[FLAGS + 1] = np.float32(np.int64(state.second_placed))
    out[FLAGS + 2] = np.float32(np.int64(state.swaps_over))
    out[FLAGS + 3] = np.float32(np.int64(state.redrawn))
    out[FLAGS + 4] = np.float32(np.int64(state.large_built))
    out[FLAGS + 5] = np.float32(np.int64(state.struck))
    out[FLAGS + 7] = np.float32(np.int64(state.attacked))
    put_choice(out, GATHERED, np.int64(state.gathered))
    put_index(out, BUILD, np.int64(state.build_type), _PER_TYPE)
    put_index(out, BUILD + 1, np.int64(state.build_old), _PER_TYPE)
    put_choice(out, SWAP, np.int64(state.swap_give))
    put_choice(out, SWAP + RESOURCES, np.int64(state.swap_take))
    out[SWAPS] = np.float32(min(np.int64(state.swaps), MOST_NUMBER)) * _PER_NUMBER
    put_choice(out, PAID, np.int64(state.paid_last))
    put_seat(out, CONTEXT_SEATS, player, np.int64(state.copy_who), n)
    put_seat(out, CONTEXT_SEATS + 2 * SEATS, player, np.int64(state.payer), n)
    put_seat(out, CONTEXT_SEATS + 3 * SEATS, player, np.int64(state.paid_to), n)
    put_choice(out, NOW, np.int64(state.creature))
