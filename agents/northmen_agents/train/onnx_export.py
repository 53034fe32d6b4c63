"""Export of a checkpoint to ONNX (needs torch and onnx): the mask is an input, so illegal actions cannot come out."""

from __future__ import annotations

import io
from pathlib import Path

import torch

from northmen_agents.checkpoint import read_checkpoint, write_atomically
from northmen_agents.network import policy_of
from northmen_agents.train.model import module_of

OPSET = 17


def export_onnx(checkpoint: Path | str, path: Path | str) -> Path:
    """Write a policy as an ONNX graph.

    Inputs: `observation` float32 (B, D), `action_mask` int8 (B, A). Outputs: `logits` float32 (B, A), -inf where an
    action is illegal, and `value` float32 (B,). B is free.

    Args:
        checkpoint: of the kind "policy".
        path: of the file to write, in place of what is there.

    Raises:
        CheckpointError: see `northmen_agents.network.load_policy`.
    """
    read = read_checkpoint(checkpoint)
    network = policy_of(read)
    module = module_of({name: array.copy() for name, array in read.arrays.items()}).eval()
    example = (torch.zeros(2, network.observation_size), torch.ones(2, network.num_actions, dtype=torch.int8))
    buffer = io.BytesIO()
    torch.onnx.export(
        module, example, buffer, dynamo=False, opset_version=OPSET, input_names=["observation", "action_mask"],
        output_names=["logits", "value"],
        dynamic_axes={name: {0: "batch"} for name in ("observation", "action_mask", "logits", "value")},
    )  # fmt: skip
    write_atomically(Path(path), buffer.getvalue())
    return Path(path)
