"""The short run notices mutations of Saga's kernels, so that what it does not find is worth something."""

import re
from pathlib import Path

import mutants
import pytest

import ledger

MUTATIONS = mutants.listed()
LEDGER = Path(__file__).resolve().parents[3] / "docs" / "rules" / "saga.md"


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.number}-{mutation.file}")
def test_each_mutation_changes_one_line_of_its_file(mutation):
    """Where the text is gone, the kernel was rewritten: list another mutation of the same rule."""
    source = mutation.source()
    assert source.count(mutation.before) == 1
    before, after = mutation.before.splitlines(), mutation.after.splitlines()
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after)) == 1
    compile(source.replace(mutation.before, mutation.after), mutation.file, "exec")


def test_the_list_is_long_and_touches_every_kind_of_kernel():
    assert len(MUTATIONS) >= 40
    assert len({(m.file, m.before, m.after) for m in MUTATIONS}) == len(MUTATIONS)
    assert {m.rule for m in MUTATIONS} <= set(ledger.defined_rules(LEDGER.read_text(encoding="utf-8")))
    parts = {re.sub(r"^phases/|/.*|\.py$", "", m.file) for m in MUTATIONS}
    assert parts >= {
        "rally", "moves", "march", "routes", "planning", "round_change", "setup", "scoring", "pieces", "observe",
        "resample",
    }  # fmt: skip


def test_the_first_game_of_the_short_run_passes_as_it_is_and_catches_two_mutants():
    assert not mutants.judge(None, 0).caught, "the short run must find nothing where nothing is broken"
    for text in ("known_hand[seat] &= -1", "state.not_held[0]"):
        (mutation,) = [m for m in MUTATIONS if text in m.after]
        result = mutants.judge(mutation, 0)
        assert result.caught and "Mismatch" in result.words


@pytest.mark.long
def test_at_most_two_in_forty_mutants_survive_the_short_run(capsys):
    results = list(mutants.judged(MUTATIONS))
    with capsys.disabled():
        print("\n" + "\n".join(mutants.row(mutation, result) for mutation, result in results))
    survivors = [mutants.row(mutation, result) for mutation, result in results if not result.caught]
    assert len(survivors) <= (1 - mutants.SHARE_CAUGHT) * len(results), "\n".join(survivors)
