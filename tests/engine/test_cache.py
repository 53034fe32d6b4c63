"""The disk cache of kernels: never stale, safe when many processes start at once, optional where nothing is writable.

Each test runs a copy of the engine in processes of its own, with a package around it that imports nothing else.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import northmen_env

PACKAGE = Path(northmen_env.__file__).parent

KERNEL = """
from northmen_env.engine.jit import kernel
from northmen_env.games import values

@kernel
def pay(x):
    return x * values.RATE + values.fee(x)
"""
VALUES = """
from northmen_env.engine.jit import kernel

RATE = 4

@kernel
def fee(x):
    return 1
"""
REPORT = """
from northmen_env.games.till import pay
print(pay(3), sum(pay.stats.cache_misses.values()), sum(pay.stats.cache_hits.values()))
"""
INNER = """
from northmen_env.games.till import pay
from northmen_env.games.values import fee
print(pay(3), fee(3), sum(pay.stats.cache_hits.values()), sum(fee.stats.cache_hits.values()))
"""
CALLER = """
from northmen_env.engine.jit import kernel
from northmen_env.games.till import pay

@kernel
def twice(x):
    return 2 * pay(x)

print(twice(3), sum(pay.linked.stats.cache_hits.values()), sum(pay.linked.stats.cache_misses.values()))
"""

FOREIGN_GAME = """
import numpy as np
from pathlib import Path
from northmen_env.engine import playout, verbs
from northmen_env.engine.jit import kernel
from northmen_env.engine.layout import record_dtype

LENGTH = 3
STATE = record_dtype("walk", [("seed", np.uint64), ("player", np.int16), ("at", np.int16)], sources=Path(__file__))

@kernel
def setup(rules, state, seed):
    state.at = 0

@kernel
def step(rules, state, action):
    state.at += 1
    if state.at == LENGTH:
        state.player = -1

@kernel
def legal_ids(rules, state, ids):
    ids[0] = 0
    ids[1] = 1
    return 2

@kernel
def nothing_3(rules, state, a):
    return 0

@kernel
def nothing_4(rules, state, a, b):
    return 0

@kernel
def check(rules, state):
    return 0

verbs.register(STATE.names[0], dict(setup=setup, step=step, legal_ids=legal_ids, observe=nothing_4, resample=nothing_4,
    returns=nothing_3, scores=nothing_3, suggest=nothing_4, evaluate=nothing_3, check=check))

if __name__ == "__main__":
    from northmen_env.engine.jit import kernel

    @kernel
    def play(rules, states, ids):
        return playout.play_to_end(rules[0], states[0], np.uint64(1), ids)

    rules = np.zeros(1, np.dtype((np.record, np.dtype([("num_players", np.int32)]))))
    print(play(rules, np.zeros(1, STATE), np.zeros(2, np.int16)))
"""


@pytest.fixture
def project(tmp_path):
    """A copy of the engine with two kernels that stand for a game's, and an empty cache folder."""
    root = tmp_path / "northmen_env"
    shutil.copytree(PACKAGE / "engine", root / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "version.py", root)
    (root / "__init__.py").write_text("")
    (root / "games").mkdir()
    (root / "games" / "__init__.py").write_text("")
    (root / "games" / "till.py").write_text(KERNEL)
    (root / "games" / "values.py").write_text(VALUES)
    (tmp_path / "report.py").write_text(REPORT)
    return tmp_path


def start(project, script="report.py", **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "NORTHMEN_", "XDG_"))}
    clean.update(PYTHONPATH=str(project), PYTHONDONTWRITEBYTECODE="1", NORTHMEN_CACHE_DIR=str(project / "cache"))
    clean.update(environment)
    clean = {k: v for k, v in clean.items() if v is not None}
    return subprocess.Popen(
        [sys.executable, "-W", "error::RuntimeWarning", str(project / script)],
        env=clean, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(process):
    out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    return out.split()


def run(project, script="report.py", **environment):
    return finish(start(project, script, **environment))


def test_a_second_process_compiles_nothing_and_writes_nothing(project):
    assert run(project) == ["13", "1", "0"]
    files = sorted(p.name for p in (project / "cache").rglob("*.nb?"))
    for _ in range(2):
        assert run(project) == ["13", "0", "1"]
    assert sorted(p.name for p in (project / "cache").rglob("*.nb?")) == files


def test_a_kernel_that_kernels_called_is_compiled_once_for_python_and_kept(project):
    (project / "inner.py").write_text(INNER)
    assert run(project)[0] == "13"
    assert run(project, "inner.py") == ["13", "1", "1", "0"]
    assert run(project, "inner.py") == ["13", "1", "1", "1"]


def test_a_new_kernel_finds_the_kernels_it_calls_in_the_cache(project):
    """What Python calls and what kernels link are two entries of one kernel."""
    for name, factor in (("first.py", "2 *"), ("second.py", "3 *")):
        (project / name).write_text(CALLER.replace("2 *", factor))
    assert run(project)[0] == "13"
    assert run(project, "first.py") == ["26", "0", "1"]
    assert run(project, "second.py") == ["39", "1", "0"]
    assert run(project) == ["13", "0", "1"]


def test_kernels_are_compiled_whole_where_numba_has_not_what_linking_needs(project):
    (project / "northmen_env" / "engine" / "linking.py").write_text("from numba.core.codegen import Elsewhere")
    assert run(project) == ["13", "1", "0"]
    assert run(project) == ["13", "0", "1"]


@pytest.mark.parametrize(
    ("old", "new", "expected"), [("return 1", "return 100", "112"), ("RATE = 4", "RATE = 5", "16")]
)
def test_an_edit_in_an_imported_module_takes_effect(project, old, new, expected):
    assert run(project)[0] == "13"
    values = project / "northmen_env" / "games" / "values.py"
    stamp = values.stat()
    values.write_text(values.read_text().replace(old, new))
    os.utime(values, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # an edit that time stamps do not show
    assert run(project)[0] == expected


def test_an_edit_in_a_foreign_game_reaches_the_generic_kernels(project):
    (project / "walk.py").write_text(FOREIGN_GAME)
    assert run(project, "walk.py") == ["3"]
    (project / "walk.py").write_text(FOREIGN_GAME.replace("LENGTH = 3", "LENGTH = 5"))
    assert run(project, "walk.py") == ["5"]


def test_two_signatures_compiled_at_once_keep_their_own_code(project):
    """numba numbers its data files, so that two processes could overwrite each other's code."""
    (project / "integer.py").write_text(REPORT)
    (project / "real.py").write_text(REPORT.replace("pay(3)", "pay(3.5)"))
    for _ in range(2):
        shutil.rmtree(project / "cache", ignore_errors=True)
        together = [start(project, name) for name in ("integer.py", "real.py") * 2]
        assert [finish(p)[0] for p in together] == ["13", "15.0", "13", "15.0"]
        assert run(project, "integer.py")[0] == "13"
        assert run(project, "real.py")[0] == "15.0"


def test_bounds_checked_runs_have_a_folder_of_their_own(project):
    run(project)
    run(project, NUMBA_BOUNDSCHECK="1")
    assert len(list((project / "cache").iterdir())) == 2


def test_without_home_a_private_folder_below_the_temporary_one_is_used(project):
    scratch = project / "scratch"
    scratch.mkdir()
    assert run(project, NORTHMEN_CACHE_DIR=None, HOME=None, TMPDIR=str(scratch))[0] == "13"
    assert list(scratch.rglob("*.nbi"))


def test_where_nothing_is_writable_kernels_run_with_one_warning(project):
    blocked = project / "blocked"
    blocked.write_text("a file where a folder is wanted")
    process = subprocess.run(
        [sys.executable, str(project / "report.py")],
        env={"PYTHONPATH": str(project), "NORTHMEN_CACHE_DIR": str(blocked), "PATH": os.environ["PATH"]},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert process.stdout.split()[0] == "13"
    assert process.stderr.count("RuntimeWarning") == 1
    assert "NORTHMEN_CACHE_DIR" in process.stderr


def cold_start_together(project, processes, rounds):
    for _ in range(rounds):
        shutil.rmtree(project / "cache", ignore_errors=True)
        together = [start(project) for _ in range(processes)]
        assert [finish(p)[0] for p in together] == ["13"] * processes
        assert run(project) == ["13", "0", "1"]


def test_eight_processes_may_start_cold_at_once(project):
    cold_start_together(project, processes=8, rounds=1)


@pytest.mark.long
def test_thirty_two_processes_may_start_cold_at_once(project):
    cold_start_together(project, processes=32, rounds=20)
