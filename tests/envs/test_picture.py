"""From SVG to pixels, without a display and without a font of the system."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import northmen_env as nm
from northmen_env.envs.picture import svg_to_rgb

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40" width="60" height="40">'


def picture_of(body: str) -> np.ndarray:
    return svg_to_rgb(f"{HEAD}{body}</svg>")


def test_the_array_has_the_size_of_the_document() -> None:
    pixels = picture_of('<rect width="30" height="40" fill="#ff0000"/>')
    assert pixels.shape == (40, 60, 3)
    assert pixels.dtype == np.uint8
    assert pixels[20, 10].tolist() == [255, 0, 0]
    assert pixels[20, 50].tolist() == [255, 255, 255]  # transparent is white


@pytest.mark.parametrize("sign", [chr(code) for code in range(33, 127) if chr(code) not in "<&"])
def test_every_ascii_sign_is_drawn_without_fonts_of_the_system(sign: str) -> None:
    """Fonts of the system are not even looked at for ASCII, so ink means the font came with the package."""
    blank = picture_of("")
    pixels = picture_of(f'<text x="10" y="30" font-size="24" font-family="sans-serif">{sign}</text>')
    assert (pixels != blank).any()


def test_letters_differ() -> None:
    """A font without the glyph would draw the same box for all of them."""
    signs = "AB09ag,.()+-"
    pixels = {s: picture_of(f'<text x="9" y="30" font-size="24" font-family="sans-serif">{s}</text>') for s in signs}
    assert len({array.tobytes() for array in pixels.values()}) == len(signs)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_board_as_pixels(num_players: int) -> None:
    game = nm.load("saga", num_players=num_players)
    state = game.new_initial_state(seed=1)
    before = svg_to_rgb(state._repr_svg_())
    assert before.shape == (900, 1200, 3)
    assert before.dtype == np.uint8
    assert len(np.unique(before)) > 50
    assert np.array_equal(svg_to_rgb(state._repr_svg_()), before)
    state.apply_action(state.legal_actions()[0])
    assert not np.array_equal(svg_to_rgb(state._repr_svg_()), before)


def test_no_display_and_no_home_are_needed() -> None:
    code = f"from northmen_env.envs.picture import svg_to_rgb; print(svg_to_rgb('''{HEAD}</svg>''').shape)"
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "HOME", "SDL_VIDEODRIVER")}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=bare, check=False
    )
    assert (run.stdout, run.stderr) == ("(40, 60, 3)\n", "")


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_a_missing_extra_is_named(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"pip install 'northmen-env\[render\]'"):
        picture_of("")


def test_what_is_no_svg_is_refused() -> None:
    with pytest.raises(ValueError, match="token"):
        svg_to_rgb("no picture")
