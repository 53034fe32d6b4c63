"""`northmen train` and `northmen evaluate`: Hydra composes the configuration, `northmen_agents.train` does the work."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from northmen_env.cli.common import compile_notice
from northmen_env.cli.tournament import remove_if_empty, run_with_hydra

NEEDED = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "filelock")
HYDRA = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command(add_help_option=False, context_settings=HYDRA)
@click.argument("overrides", nargs=-1, type=click.UNPROCESSED)
def train(overrides: tuple[str, ...]) -> None:
    """Train an agent by self-play: northmen train game=saga train=smoke (--help shows everything)."""
    run_with_hydra("train", _train, list(overrides))


@click.command(add_help_option=False, context_settings=HYDRA)
@click.argument("overrides", nargs=-1, type=click.UNPROCESSED)
def evaluate(overrides: tuple[str, ...]) -> None:
    """Measure an agent seat by seat, or train a learner against it: northmen evaluate exploit='{kind: heuristic}'."""
    run_with_hydra("evaluate", _evaluate, list(overrides))


def _train(composed: Any, folder: Path) -> None:
    from northmen_agents.train.config import validated_training

    with _sentences(folder):
        config = validated_training(composed)
        _refuse_without_extra()
        from northmen_agents.train.run import run_training

        run_training(config, folder, compiling=compile_notice)


def _evaluate(composed: Any, folder: Path) -> None:
    from northmen_agents.arena.run import output_console
    from northmen_agents.checkpoint import write_atomically
    from northmen_agents.config import ConfigError
    from northmen_agents.train.config import STATE, factories, validated_evaluation
    from northmen_agents.train.evaluate import as_json, batched_policy, measure, show

    with _sentences(folder):
        config = validated_evaluation(composed)
        if config.exploit is not None:
            _refuse_without_extra()
            from northmen_agents.train.exploit import run_exploit

            run_exploit(config, folder, compiling=compile_notice)
            return
        games = config.load_games()
        factory = factories({"agent": config.agent or {}}, "")["agent"]
        if (folder / STATE).exists():
            raise ConfigError(
                f"{folder} is the folder of a training, with measurements of its own: choose another name="
            )
        policy = batched_policy(factory, games[0])
        if policy is None:
            raise click.UsageError(
                f"an agent of the kind {factory.kind!r} has no policy that plays many games at once: let it play in "
                "northmen tournament"
            )
        with compile_notice():
            rows = measure(policy, games, config.measure, config.seed)
        told = {"agent": factory.described(config.game.name), "game": config.game.model_dump(), "seed": config.seed}
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "evaluation.json", json.dumps(as_json(rows, told), indent=1).encode())
        console = output_console()
        show(rows, console, f"{games[0].spec.title}: {json.dumps(config.agent)}")
        console.print(f"Results: {folder / 'evaluation.json'}", soft_wrap=True)


def _refuse_without_extra() -> None:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise click.ClickException(
            f"training needs {', '.join(missing)}, which {'are' if len(missing) > 1 else 'is'} not installed: "
            "pip install 'northmen-env[train]'"
        )


@contextmanager
def _sentences(folder: Path) -> Iterator[None]:
    """Turn what a user can get wrong into a sentence; what ends before it began leaves nothing behind."""
    from northmen_agents.checkpoint import CheckpointError
    from northmen_agents.config import ConfigError
    from northmen_agents.train.errors import BusyRunError, ChangedRunError, DivergedTraining, InterruptedTraining

    try:
        yield
    except (ConfigError, CheckpointError, ChangedRunError) as error:
        raise click.UsageError(str(error)) from None
    except (BusyRunError, DivergedTraining) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(
            f"{error.filename or folder} cannot be written or read ({error.strerror or error}); choose another results="
        ) from None
    except InterruptedTraining as error:
        click.echo(str(error), err=True)
        raise SystemExit(130) from None
    finally:
        remove_if_empty(folder)
