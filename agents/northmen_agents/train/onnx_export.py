"""Export of a checkpoint to ONNX (needs onnx): the mask is an input, so illegal actions cannot come out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from northmen_agents.checkpoint import read_checkpoint, write_atomically
from northmen_agents.network import policy_of

OPSET, IR = 17, 8
"""Versions that runtimes of the last years read."""


def export_onnx(checkpoint: Path | str, path: Path | str) -> Path:
    """Write a policy as an ONNX graph.

    Inputs: `observation` float32 (B, D), `action_mask` int8 (B, A). Outputs: `logits` float32 (B, A), -inf where an
    action is illegal, and `value` float32 (B,). B is free. A residual policy has a third input, `suggestion` int64
    (B,): what the game's heuristic would do, -1 where nothing is known of it.

    Args:
        checkpoint: of the kind "policy".
        path: of the file to write, in place of what is there.

    Raises:
        CheckpointError: see `northmen_agents.network.load_policy`.
    """
    read = read_checkpoint(checkpoint)
    network = policy_of(read)
    nodes: list[Any] = []
    hidden = _layers(nodes, "trunk", "observation", read.arrays, relu_last=True)
    free = _layers(nodes, "policy", hidden, read.arrays, relu_last=False)
    value = _layers(nodes, "value", hidden, read.arrays, relu_last=False)
    constants = {**read.arrays, "never": np.array(-np.inf, np.float32), "last": np.array([1], np.int64)}
    inputs = [
        helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", network.observation_size]),
        helper.make_tensor_value_info("action_mask", TensorProto.INT8, ["batch", network.num_actions]),
    ]
    if network.needs_suggestion:
        trust = _layers(nodes, "trust", hidden, read.arrays, relu_last=False)
        inputs.append(helper.make_tensor_value_info("suggestion", TensorProto.INT64, ["batch"]))
        constants["actions"] = np.arange(network.num_actions, dtype=np.int64)
        nodes += [
            helper.make_node("Unsqueeze", ["suggestion", "last"], ["column"]),
            helper.make_node("Equal", ["column", "actions"], ["is_suggested"]),
            helper.make_node("Cast", ["is_suggested"], ["suggested"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["suggested", trust], ["trusted"]),
            helper.make_node("Add", [free, "trusted"], ["with_trust"]),
        ]
        free = "with_trust"
    nodes += [
        helper.make_node("Cast", ["action_mask"], ["legal"], to=TensorProto.BOOL),
        helper.make_node("Where", ["legal", free, "never"], ["logits"]),
        helper.make_node("Squeeze", [value, "last"], ["value"]),
    ]
    graph = helper.make_graph(
        nodes,
        f"northmen_{read.about['game']}",
        inputs,
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", network.num_actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
        ],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    model.producer_name = "northmen-env"
    helper.set_model_props(model, {name: str(read.about[name]) for name in ("game", "version", "observation_schema")})
    checker.check_model(model)
    write_atomically(Path(path), model.SerializeToString())
    return Path(path)


def _layers(nodes: list[Any], part: str, entry: str, arrays: Mapping[str, np.ndarray], relu_last: bool) -> str:
    """Append the layers of a part of the network; return the name of what comes out."""
    count = sum(name.startswith(f"{part}.") for name in arrays) // 2
    for i in range(count):
        out = f"{part}.{i}"
        nodes.append(helper.make_node("Gemm", [entry, f"{out}.weight", f"{out}.bias"], [out], transB=1))
        entry = out
        if relu_last or i < count - 1:
            entry = f"{out}.relu"
            nodes.append(helper.make_node("Relu", [out], [entry]))
    return entry


__all__ = ["export_onnx"]
