"""Running games on a Ray cluster: the same chunks of jobs as `execute`, as tasks that any node may take.

Every node needs this version of northmen-env and the packages of the agents. Each makes its kernels ready once, in its
own cache folder, before it plays. Ray hands the tasks of a lost node to others; what comes back twice is the same.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Any

from northmen_agents.arena.execute import ONE_THREAD, Chunk, Chunks, ExecutorError, play_chunk
from northmen_agents.arena.play import AgentError, GameResult, warm
from northmen_agents.arena.schedule import Job
from northmen_agents.kinds import AgentFactory
from northmen_env.version import __version__

if TYPE_CHECKING:
    from northmen_env.engine.game import Game

OBJECT_STORE = 128 * 2**20
"""Bytes of shared memory of a Ray that is started here; chunks are small."""

SECONDS_BETWEEN_LOOKS = 10.0
"""Nodes may join or leave a cluster while it plays."""

SECONDS_TO_CONNECT = 10.0

RETRIES = 5
"""How often a chunk may be lost with its node or worker."""


def check_ray() -> None:
    """Raise ExecutorError, with the command that helps, if Ray is not installed."""
    if find_spec("ray") is None:
        raise ExecutorError("executor=ray needs Ray: pip install 'northmen-env[ray]'")


def run_on_ray(
    game: Game,
    factories: Mapping[str, AgentFactory],
    jobs: Iterable[Job],
    address: str | None = None,
    workers: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Iterator[list[GameResult]]:
    """Play the games on a Ray cluster and yield results as they come in.

    Args:
        address: `"auto"` for the cluster that this machine belongs to, `"host:6379"` for another; None starts Ray on
            this machine for this run.
        workers: how many chunks are on their way at once; None for two per CPU of the cluster.
        tell: gets a line for the user when something takes long.

    Raises:
        AgentError: an agent failed.
        ExecutorError: there is no such cluster, its nodes have another version, or workers were lost.
    """
    check_ray()
    import ray
    from ray.exceptions import RayError, RayTaskError

    own = not ray.is_initialized()  # inside a task or a notebook that is connected already, that connection is used
    if own:
        _connect(address, workers)
    try:
        setup = ray.put((game, dict(factories)))
        _warm_nodes(setup, tell)
        play = ray.remote(num_cpus=1, max_retries=RETRIES)(_play)
        chunks = Chunks(jobs)
        pending: list[Any] = []
        most, looked = 0, -SECONDS_BETWEEN_LOOKS
        while True:
            if monotonic() - looked >= SECONDS_BETWEEN_LOOKS:
                most, looked = workers or 2 * int(ray.cluster_resources().get("CPU", 1)), monotonic()
            while len(pending) < most and (batch := chunks.next()):
                pending.append(play.remote(setup, batch))
            if not pending:
                return
            done, pending = ray.wait(pending, num_returns=1)
            for reference in done:
                results, seconds = ray.get(reference)
                chunks.took(len(results), seconds)
                yield results
    except RayTaskError as error:
        if isinstance(error.cause, (AgentError, ExecutorError)):
            raise error.cause from None
        raise ExecutorError(f"a Ray worker failed: {_last_line(error)}") from error
    except RayError as error:
        raise ExecutorError(
            f"the Ray cluster lost work {RETRIES} times in a row or cannot be reached ({_last_line(error)}); the games "
            "that were written are safe, run the same command again"
        ) from error
    finally:
        if own:
            ray.shutdown()


def _connect(address: str | None, workers: int | None) -> None:
    import ray

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a Ray that is started here reports to nobody
    options: dict[str, Any] = {"runtime_env": {"env_vars": ONE_THREAD}, "logging_level": logging.ERROR}
    if address not in (None, "auto"):
        _check_reachable(address)
    if address is None:
        options |= {"num_cpus": workers, "include_dashboard": False, "object_store_memory": OBJECT_STORE}
        address = "local"
    try:
        ray.init(address=address, **options)
    except (RuntimeError, ValueError, OSError) as error:
        raise _no_cluster(address, error) from error


def _check_reachable(address: str) -> None:
    """Raise ExecutorError at once where Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ExecutorError(f"executor.address is auto, HOST:PORT or null, not {address!r}")
    try:
        socket.create_connection((host.rpartition("/")[2].strip("[]"), int(port)), SECONDS_TO_CONNECT).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, error) from error


def _no_cluster(address: str, error: Exception) -> ExecutorError:
    return ExecutorError(
        f"no Ray cluster can be used at {address!r} ({_last_line(error)}); start one with `ray start --head`, or let "
        "executor.address=null start Ray on this machine"
    )


def _warm_nodes(setup: Any, tell: Callable[[str], None]) -> None:
    """Make the kernels ready on every node at once, one process a node, and say how far that is."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    warmed = ray.remote(num_cpus=1, max_retries=RETRIES)(_warm)
    pending = [
        warmed.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)).remote(setup, __version__)
        for node in nodes
    ]
    cpus = int(ray.cluster_resources().get("CPU", 0))
    tell(f"Ray: {len(nodes)} node{'s' if len(nodes) != 1 else ''}, {cpus} CPUs; making the kernels ready on each")
    while pending:
        done, pending = ray.wait(pending, num_returns=1)
        ray.get(done)
        tell(f"Ray: kernels are ready on {len(nodes) - len(pending)} of {len(nodes)}")


# -- in the workers ----------------------------------------------------------------------------------------------------


def _warm(setup: tuple[Game, dict[str, AgentFactory]], version: str) -> None:
    if version != __version__:
        raise ExecutorError(f"a node of the cluster has northmen-env {__version__}, this machine has {version}")
    game, factories = setup
    warm(game, factories.values())


def _play(setup: tuple[Game, dict[str, AgentFactory]], jobs: list[Job]) -> Chunk:
    return play_chunk(*setup, jobs)


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
