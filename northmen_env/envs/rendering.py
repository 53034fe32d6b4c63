"""What `render` gives in the PettingZoo and Gymnasium forms."""

from __future__ import annotations

from typing import Any

from gymnasium import logger

from northmen_env.engine.game import Game

RENDER_MODES = ("human", "ansi", "rgb_array")


def rendered(game: Game, record: Any, mode: str | None, seat: int | None) -> Any:
    """Return the text or the pixels of a state, or print the text; warn where no mode was chosen."""
    if mode is None:
        logger.warn("render() has nothing to do: choose a render_mode when you make the environment")
        return None
    if mode == "rgb_array":
        from northmen_env.envs.picture import svg_to_rgb

        return svg_to_rgb(game.spec.render_svg(game.rules[0], record, seat))
    text = game.spec.render_text(game.rules[0], record, seat)
    if mode == "ansi":
        return text
    print(text, end="\n\n")
    return None
