"""Northgard: Uncharted Lands."""

from __future__ import annotations

from northmen_env.engine.spec import GameSpec
from northmen_env.games.northgard import codec, describe, reading, render, scoring, svg, tables
from northmen_env.games.northgard.actions import (
    ACTIONS,
    EVENTS,
    FEATURE_COLUMNS,
    action_features,
    action_text,
    event_text,
)
from northmen_env.games.northgard.blocks import OBSERVATION
from northmen_env.games.northgard.bounds import MAX_LEGAL, max_decisions, teams
from northmen_env.games.northgard.heuristic import evaluate, suggest
from northmen_env.games.northgard.invariants import check
from northmen_env.games.northgard.observe import observe
from northmen_env.games.northgard.options import Options
from northmen_env.games.northgard.resample import resample
from northmen_env.games.northgard.rules import legal_ids, step
from northmen_env.games.northgard.setup import setup
from northmen_env.games.northgard.state import STATE
from northmen_env.games.northgard.targets import hidden_targets

GAME = GameSpec(
    name="northgard",
    title="Northgard: Uncharted Lands",
    version=0,
    player_counts=(2, 3, 4, 5),
    options=Options,
    state_dtype=STATE,
    rules_dtype=tables.RULES,
    kernels={
        "setup": setup,
        "step": step,
        "legal_ids": legal_ids,
        "observe": observe,
        "resample": resample,
        "returns": scoring.returns,
        "scores": scoring.scores,
        "suggest": suggest,
        "evaluate": evaluate,
        "check": check,
    },
    actions=ACTIONS,
    observation=OBSERVATION,
    max_legal=MAX_LEGAL,
    events=EVENTS,
    feature_columns=FEATURE_COLUMNS,
    build_rules=tables.build_rules,
    max_decisions=max_decisions,
    teams=teams,
    options_dict=codec.options_dict,
    ranks=scoring.ranks,
    action_text=action_text,
    action_features=action_features,
    event_text=event_text,
    to_dict=codec.to_dict,
    from_dict=reading.from_dict,
    observation_text=describe.observation_text,
    render_text=render.render_text,
    render_svg=svg.render_svg,
    hidden_targets=hidden_targets,
    check_data=tables.check_data,
    module=__name__,
    choice_text=describe.choice_text,
)
