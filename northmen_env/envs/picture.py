"""From an SVG document to pixels: `render_mode="rgb_array"` needs no display and no font of the system."""

from __future__ import annotations

import io
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

NEEDS_EXTRA = "render_mode='rgb_array' needs two more packages: pip install 'northmen-env[render]'"


def svg_to_rgb(svg: str) -> np.ndarray:
    """Return the picture of an SVG document as uint8 (height, width, 3), white where it is transparent.

    Texts are set in the font that Pillow carries, so the same document gives the same pixels on every machine. Fonts of
    the system are looked at only for signs outside ASCII.

    Raises:
        ImportError: the extra `render` is not installed.
        ValueError: `svg` is not an SVG document.
    """
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError(NEEDS_EXTRA) from error
    options: dict[str, Any] = {"svg_string": svg, "background": "#ffffff"}
    with tempfile.TemporaryDirectory() as folder:  # resvg reads fonts from files only
        family, font = _font()
        if font:
            file = Path(folder) / "font.ttf"
            file.write_bytes(font)
            options |= {"font_files": [str(file)], "font_family": family, "sans_serif_family": family}
            options["skip_system_fonts"] = svg.isascii()
        png = resvg_py.svg_to_bytes(**options)
    with Image.open(io.BytesIO(bytes(png))) as image:
        return np.array(image.convert("RGB"))


@cache
def _font() -> tuple[str, bytes]:
    """Return the name and the bytes of the font that Pillow carries; no bytes where it was built without fonts."""
    from PIL import ImageFont

    font = ImageFont.load_default(size=16)
    if not isinstance(font, ImageFont.FreeTypeFont) or not isinstance(font.path, io.BytesIO):
        return "sans-serif", b""
    return str(font.getname()[0]), font.path.getvalue()
