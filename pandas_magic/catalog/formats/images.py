"""Images as one row of facts: their pixels are not read, only their headers."""

import re
import warnings
from pathlib import Path

import pandas as pd

from pandas_magic.catalog.readers import LoadedRows, ReadOptions

# A vector image says its size in its first tag.
_SVG_BYTES = 64 * 1024


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One row: file, format, width and height in pixels, mode, frames, bytes."""
    facts: dict[str, object] = {"file": path.name, **(_svg(path) if path.suffix.lower() == ".svg" else _pixels(path))}
    return LoadedRows(pd.DataFrame([facts | {"bytes": path.stat().st_size}]), ("facts about an image",))


def _pixels(path: Path) -> dict[str, object]:
    from PIL import Image, UnidentifiedImageError

    try:
        # What it only warns of is a file that is cut short or damaged.
        with warnings.catch_warnings(action="error"), Image.open(path) as image:
            frames = getattr(image, "n_frames", 1)
            return {
                "format": image.format, "width": image.width, "height": image.height, "mode": image.mode,
                "frames": frames,
            }  # fmt: skip
    except (UnidentifiedImageError, Image.DecompressionBombError, Warning) as error:
        raise ValueError(str(error)) from error


def _svg(path: Path) -> dict[str, object]:
    with path.open(encoding="utf-8", errors="replace") as file:
        tag = re.search(r"<svg\b[^>]*>", file.read(_SVG_BYTES))
    if tag is None:
        raise ValueError("it has no <svg> tag")
    size = {name: re.search(rf'\b{name}="([\d.]+)', tag[0]) for name in ("width", "height")}
    return {
        "format": "SVG",
        **{name: float(found[1]) if found else None for name, found in size.items()},
        "mode": "vector",
        "frames": 1,
    }
