"""What `render` gives in the PettingZoo and Gymnasium forms."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from gymnasium import logger

from northmen_env.engine.game import Game
from northmen_env.envs.episodes import checked_choice
from northmen_env.envs.picture import NEEDS_EXTRA, svg_to_rgb

RENDER_MODES = ("human", "ansi", "rgb_array")


def render_modes() -> list[str]:
    """Return the modes that work here: `"rgb_array"` needs the extra `render`."""
    pixels = find_spec("resvg_py") is not None and find_spec("PIL") is not None
    return [mode for mode in RENDER_MODES if pixels or mode != "rgb_array"]


def checked_render_mode(mode: Any) -> Any:
    """Return `mode`, which must be one of the modes or None.

    Raises:
        ValueError: there is no such mode.
        ImportError: it needs the extra `render`, which is not installed.
    """
    if checked_choice("render_mode", mode, (None, *RENDER_MODES)) is not None and mode not in render_modes():
        raise ImportError(NEEDS_EXTRA)
    return mode


def rendered(game: Game, record: Any, mode: str | None, seat: int | None) -> Any:
    """Return the text or the pixels of a state, or print the text; warn where no mode was chosen."""
    if mode is None:
        logger.warn("render() has nothing to do: choose a render_mode when you make the environment")
        return None
    if mode == "rgb_array":
        return svg_to_rgb(game.spec.render_svg(game.rules[0], record, seat))
    text = game.spec.render_text(game.rules[0], record, seat)
    if mode == "ansi":
        return text
    print(text, end="\n\n")
    return None
