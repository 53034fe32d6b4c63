"""The short run of each game notices mutations of its kernels, so that what it does not find is worth something."""

import re
from pathlib import Path

import pytest

import ledger
import mutants
import northmen_env as nm

LEDGERS = Path(__file__).resolve().parents[1] / "docs" / "rules"
MUTATIONS = {game: mutants.listed(game) for game in mutants.games()}
KINDS = {
    "blood": "setup laying board reach citadels villages actions moves battles bandits placing runs counting ending "
    "scoring observe resample resampling",
    "northgard": "setup founding laying board listing decks goods turns recruit build move explore draw combat lairs "
    "roaming passage second year cards scoring observe observing resample resampling",
    "saga": "setup rally moves march routes planning pieces round_change scoring observe resample resampling",
}
"""Modules of a game's kernels that its list has to break."""
CAUGHT_BY_THE_FIRST_PART = {
    "blood": ("state.drew_earlier = 0", "np.float32(q) * _PER_FRAME"),
    "northgard": ("state.seed = state.seed", "hand_known[p, i]) >> p) & 1"),
    "saga": ("known_hand[seat] &= -1", "state.not_held[0]"),
}
"""Texts of two mutations that the first part of the short run catches."""

every_game = pytest.mark.parametrize("game", MUTATIONS)
every_mutation = pytest.mark.parametrize(
    "mutation", [m for each in MUTATIONS.values() for m in each], ids=lambda m: f"{m.game}-{m.number}-{m.file}"
)


def test_every_game_has_a_list():
    assert set(MUTATIONS) >= set(nm.games())
    assert set(KINDS) == set(CAUGHT_BY_THE_FIRST_PART) == set(MUTATIONS)


@every_mutation
def test_each_mutation_changes_one_line_of_its_file(mutation):
    """Where the text is gone, the kernel was rewritten: list another mutation of the same rule."""
    source = mutation.source()
    assert source.count(mutation.before) == 1
    before, after = mutation.before.splitlines(), mutation.after.splitlines()
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after)) == 1
    compile(source.replace(mutation.before, mutation.after), mutation.file, "exec")


@every_game
def test_the_list_is_long_and_touches_every_kind_of_kernel(game):
    mutations = MUTATIONS[game]
    assert len(mutations) >= 40
    assert len({(m.file, m.before, m.after) for m in mutations}) == len(mutations)
    text = (LEDGERS / f"{game}.md").read_text(encoding="utf-8")
    assert {m.rule for m in mutations} <= set(ledger.defined_rules(text))
    assert {re.sub(r"^phases/|/.*|\.py$", "", m.file) for m in mutations} >= set(KINDS[game].split())


@every_game
def test_the_first_part_of_the_short_run_passes_as_it_is_and_catches_two_mutants(game):
    assert not mutants.judge(game, None, 0).caught, "the short run must find nothing where nothing is broken"
    for text in CAUGHT_BY_THE_FIRST_PART[game]:
        (mutation,) = [m for m in MUTATIONS[game] if text in m.after]
        result = mutants.judge(game, mutation, 0)
        assert result.caught and "Mismatch" in result.words


@pytest.mark.long
@every_game
def test_at_most_two_in_forty_mutants_survive_the_short_run(game, capsys):
    results = list(mutants.judged(game, MUTATIONS[game]))
    with capsys.disabled():
        print("\n" + "\n".join(mutants.row(mutation, result) for mutation, result in results))
    survivors = [mutants.row(mutation, result) for mutation, result in results if not result.caught]
    assert len(survivors) <= (1 - mutants.SHARE_CAUGHT) * len(results), "\n".join(survivors)
