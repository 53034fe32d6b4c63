"""Checks of what is hidden: leaks, and resampling for search.

They work on the `Game` and `State` of this package, and on anything with the few methods they call: a game with
`new_initial_state(seed)` and `num_players`; states with `current_player`, `is_terminal()`, `legal_actions()`,
`apply_action(a)`, `clone()`, `resample(player, seed)` and `to_dict()`. `check_same_sequences` takes PettingZoo
environments.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from scipy.stats import chi2_contingency, chisquare

from northmen_env.testing.traces import by_value, counted, difference, mask_of

Resample = Callable[[Any, int, int], Any]
Views = Callable[[Any, int], Mapping[str, Any]]
SIGNIFICANCE = 1e-6
"""A statistical check fails where its p-value, multiplied by the number of tests in it, is below this."""


def seat_views(state: Any, player: int) -> dict[str, Any]:
    """Return all that `player` may receive from a `State`: observation, mask, texts, picture, whether it is to act."""
    acting = state.current_player == player
    spec, rules, record = state.game.spec, state.game.rules[0], state.record
    return {
        "observation": state.observation(player),
        "action_mask": state.legal_action_mask() if acting else np.zeros(state.game.num_actions, np.int8),
        "to act": acting,
        "observation_text": state.observation_text(player),
        "render_text": spec.render_text(rules, record, player),
        "render_svg": spec.render_svg(rules, record, player),
    }


def check_same_views(first: Any, second: Any, player: int, *, views: Views = seat_views) -> None:
    """Two states that `player` cannot tell apart give it the same views."""
    found = difference(dict(views(first, player)), dict(views(second, player)))
    assert found is None, f"player {player} can tell two states apart that it should not: {found}"


def positions(game: Any, games: int, seed: int) -> Iterator[tuple[str, Any]]:
    """Yield each state of random games, the last ones included, and where it is. States must not be changed."""
    rng = np.random.default_rng(seed)
    for number in range(games):
        state, ply = game.new_initial_state(seed=seed + number), 0
        while True:
            yield f"at ply {ply} of the game with seed {seed + number}", state
            if state.is_terminal():
                break
            state, ply = state.clone(), ply + 1
            state.apply_action(int(rng.choice(state.legal_actions())))


def _check_is_game(game: Any) -> None:
    missing = [name for name in ("new_initial_state", "num_players") if not hasattr(game, name)]
    if missing:
        raise TypeError(f"give a game, as northmen_env.load makes it, not {game!r}: it has no {missing[0]}")


def _resampled(state: Any, player: int, seed: int) -> Any:
    return state.resample(player, seed)


def check_leak(
    game: Any,
    *,
    games: int = 3,
    seed: int = 0,
    samples: int = 2,
    resample: Resample = _resampled,
    views: Views = seat_views,
) -> None:
    """What a seat receives is the same in all states that it cannot tell apart, for every seat at every ply.

    Args:
        game: makes the states.
        games, seed: how much is played, from where.
        samples: number of other states each is compared with.
        resample: `resample(state, player, seed)` gives a state that differs from the first only in what `player` cannot
            know. It is trusted here: `check_resample` checks it.
        views: what a seat receives.
    """
    counted(games=games, samples=samples)
    _check_is_game(game)
    for where, state in positions(game, games, seed):
        for player in range(game.num_players):
            for k in range(samples):
                other = resample(state, player, 1000 * seed + k)
                found = difference(dict(views(state, player)), dict(views(other, player)))
                assert found is None, f"{where} what player {player} sees depends on what it cannot know: {found}"


def check_same_sequences(
    first: AECEnv, first_actions: Sequence[int], second: AECEnv, second_actions: Sequence[int], agent: Any
) -> None:
    """Two games that differ only in what `agent` cannot know give it the same sequence at its own decisions.

    Each environment stands where its script begins. Compared are observation, mask, reward, flags and info at each
    decision of `agent`, its own actions, and what it gets at the end. A game in which somebody is asked in secret and
    declines, and one in which it is never asked, make such a pair.
    """
    sequences = _own_sequence(first, first_actions, agent), _own_sequence(second, second_actions, agent)
    assert all(sequences), f"a script holds no decision of {agent}, so there is nothing to compare"
    found = difference(*sequences)
    assert found is None, f"{agent} can tell the two games apart at its own decisions: {found}"


def _own_sequence(env: AECEnv, actions: Sequence[int], agent: Any) -> list[Any]:
    sequence = []
    for action in [*actions, None]:
        if env.agent_selection == agent or (action is None and _all_over(env)):
            observation, reward, terminated, truncated, info = _last_of(env, agent)
            mask = mask_of(observation, info)
            sequence.append(by_value([observation, mask, float(reward), terminated, truncated, info, action]))
        if action is not None:
            env.step(action)
    return sequence


def _all_over(env: AECEnv) -> bool:
    return all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)


def _last_of(env: AECEnv, agent: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
    while env.agent_selection != agent:  # the game is over: those before it leave first
        env.step(None)
    last: tuple[Any, float, bool, bool, dict[str, Any]] = env.last()
    return last


# -- resampling ------------------------------------------------------------------------------------------------------


def check_resample(
    game: Any,
    *,
    games: int = 2,
    seed: int = 0,
    draws: int = 400,
    fixed_positions: int = 3,
    resample: Resample = _resampled,
    truths: Resample = _resampled,
    hidden: Callable[[Any, int], Iterable[str]] | None = None,
    views: Views = seat_views,
    invariant: Callable[[Any], Any] | None = None,
) -> None:
    """A resample keeps what its seat knows and can be played on, and its law depends on nothing else.

    For every seat at every ply: the seat's views are equal, the invariant holds, random play from the sample reaches an
    end, the state that was sampled from is unchanged, and the same seed gives the same sample. At some positions: the
    samples' law is the same from each of three possible true worlds (chi-square over every part of `to_dict()`, and
    over how often a sample equals the truth); the generator of future chance is a new one in each sample. Over all
    positions: every part that is named as hidden differs from the truth in some sample.

    A sampler that gives away a part of the truth can hide it from the comparison of worlds, if those were made by
    itself: that is what `truths` and `hidden` are for. On small cases `check_uniform` needs no trust at all.

    Args:
        game: makes the states.
        games, seed: how much is played, from where.
        draws: samples from each true world.
        fixed_positions: number of positions for the statistical part; 0 leaves it out.
        resample: the sampler to check.
        truths: makes the other true worlds.
        hidden: `hidden(state, player)` names parts of `to_dict()` that the seat does not know, as `"hands[1]"` or
            `"deck[0]"`; a name also stands for all parts below it. By default the whole state.
        views: what a seat receives.
        invariant: `invariant(state)` is falsy where no rule is broken; by default the game's own `check`, if any.
    """
    counted(games=games, draws=draws)
    _check_is_game(game)
    invariant = _own_invariant if invariant is None else invariant
    visited = list(positions(game, games, seed))
    rng = np.random.default_rng(seed)
    redrawn: dict[tuple[int, str], bool] = {}
    for number, (where, state) in enumerate(visited):
        before, own = _whole(state), 1_000_000 * (1 + seed) + number
        for player in range(game.num_players):
            other = resample(state, player, own)
            found = difference(dict(views(state, player)), dict(views(other, player)))
            assert found is None, f"{where} a resample shows player {player} something else: {found}"
            broken = invariant(other)
            assert not broken, f"{where} a resample for player {player} breaks an invariant of the game: {broken}"
            found = difference(_whole(other), _whole(resample(state, player, own)))
            assert found is None, f"{where} two resamples for player {player} with one seed differ: {found}"
            _check_playable(other, rng, f"{where} a resample for player {player}")
            parts = [""] if hidden is None else list(hidden(state, player))
            for each in (other, *(resample(state, player, own + 100_000 * k) for k in (1, 2, 3))):
                _note_redrawn(redrawn, state, each, player, parts)
        found = difference(before, _whole(state))
        assert found is None, f"{where} resampling, or playing in a sample, changed the state itself: {found}"
    going_on = [(where, state) for where, state in visited if not state.is_terminal()]
    for where, state in going_on[:: max(1, len(going_on) // max(1, fixed_positions))][:fixed_positions]:
        for player in range(game.num_players):
            worlds = [state, truths(state, player, 10_001), truths(state, player, 10_002)]
            _check_law(worlds, player, draws, resample, f"{where}, for player {player},")
    for (player, part), differs in redrawn.items():
        assert differs, (
            f"no resample for player {player} differs from the truth in {part or 'anything'}: the sampler gives it away"
        )


def _note_redrawn(
    redrawn: dict[tuple[int, str], bool], state: Any, other: Any, player: int, parts: Iterable[str]
) -> None:
    truth, sample = _leaves(state.to_dict()), _leaves(other.to_dict())
    for part in parts:
        below = [
            leaf for leaf in {*truth, *sample} if leaf == part or leaf.startswith((part + "[", part + ".")) or not part
        ]
        differs = any(truth.get(leaf) != sample.get(leaf) for leaf in below)
        redrawn[player, part] = redrawn.get((player, part), False) or differs


def _whole(state: Any) -> Any:
    """Return all of a state by value, its generator included where it has bytes."""
    return [state.to_dict(), bytes(state.array.tobytes()) if hasattr(state, "array") else b""]


def _own_invariant(state: Any) -> int:
    if not hasattr(state, "array"):
        return 0
    from northmen_env.engine import boundary

    return int(boundary.check(state.game.rules, state.array))


def _check_playable(state: Any, rng: np.random.Generator, what: str) -> None:
    state = state.clone()
    for _ in range(100_000):
        if state.is_terminal():
            return
        legal = state.legal_actions()
        assert legal, f"{what} reaches a position where nobody can act"
        state.apply_action(int(rng.choice(legal)))
    raise AssertionError(f"{what} does not come to an end")


def _check_law(truths: Sequence[Any], player: int, draws: int, resample: Resample, where: str) -> None:
    """Draw from several true worlds that `player` cannot tell apart; the samples must not say from which."""
    state = truths[0]
    drawn = [[resample(truth, player, 20_000 + 1000 * k + i) for i in range(draws)] for k, truth in enumerate(truths)]
    if hasattr(state, "array") and "seed" in (state.array.dtype.names or ()):
        keys = [int(other.array["seed"][0]) for world in drawn for other in world]
        assert len(set(keys)) == len(keys) and int(state.array["seed"][0]) not in keys, (
            f"{where} samples share a generator of future chance with each other or with the true state"
        )
    leaves = [[_leaves(other.to_dict()) for other in world] for world in drawn]
    paths = sorted({path for world in leaves for sample in world for path in sample})
    tables = [(path, [Counter(sample.get(path, "absent") for sample in world) for world in leaves]) for path in paths]
    truth = _canonical(state)
    hits = [Counter(repr(_canonical(other) == truth) for other in world) for world in drawn]
    tables.append(("whether it equals the first of them", hits))
    for path, counts in tables:
        p = _homogeneity(counts)
        assert p * len(tables) >= SIGNIFICANCE, (
            f"{where} the law of the samples depends on the true state: {path} has the frequencies "
            f"{[dict(c.most_common(4)) for c in counts]} from {len(truths)} true worlds (p = {p:.1e})"
        )


def _canonical(state: Any) -> str:
    return json.dumps(state.to_dict(), sort_keys=True, default=str)


def _leaves(value: Any, path: str = "") -> dict[str, str]:
    if isinstance(value, Mapping):
        parts = [(f"{path}.{key}" if path else str(key), part) for key, part in value.items()]
    elif isinstance(value, (list, tuple)):
        parts = [(f"{path}[{i}]", part) for i, part in enumerate(value)]
    else:
        return {path: repr(value)}
    return {leaf: text for where, part in parts for leaf, text in _leaves(part, where).items()}


def _homogeneity(counts: Sequence[Counter[Any]]) -> float:
    """Return the p-value that the rows come from one distribution; rare values are counted together."""
    values = [value for value, _ in sum(counts, Counter()).most_common()]
    table = np.array([[row[value] for value in values] for row in counts], float)
    common = table.sum(axis=0) >= 5 * len(counts)
    columns = [table[:, common], table[:, ~common].sum(axis=1, keepdims=True)]
    table = np.concatenate(columns, axis=1)
    table = table[:, table.sum(axis=0) > 0]
    return 1.0 if table.shape[1] < 2 else float(chi2_contingency(table, correction=False).pvalue)


def check_uniform(
    state: Any,
    player: int,
    worlds: Sequence[Mapping[str, Any]],
    *,
    draws: int = 4000,
    seed: int = 0,
    resample: Resample = _resampled,
) -> None:
    """Resamples are uniform over `worlds`, the `to_dict()` of all states that `player` cannot tell from this one."""
    counted(draws=draws)
    assert worlds, "name the worlds that the facts leave open: an empty list holds not even the true one"
    names = [json.dumps(world, sort_keys=True, default=str) for world in worlds]
    assert len(set(names)) == len(names), "a world is listed twice"
    counts = Counter(_canonical(resample(state, player, seed + k)) for k in range(draws))
    strange = set(counts) - set(names)
    assert not strange, f"a sample is not among the worlds that the facts leave open: {sorted(strange)[0]}"
    p = float(chisquare([counts[name] for name in names]).pvalue) if len(names) > 1 else 1.0
    assert p >= SIGNIFICANCE, f"samples are not uniform: {[counts[name] for name in names]} of {draws} (p = {p:.1e})"
