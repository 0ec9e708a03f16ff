"""Pictures of any size and format, made square and of one size."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from netsim.learning.base import Float32
from netsim.learning.errors import DatasetCorrupt

if TYPE_CHECKING:
    from PIL.Image import Image

ENDS = frozenset({".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".webp"})
_BRIGHTEST = np.float32(255)
_STEPS = 257
"""65,535 / 255."""


def is_picture(path: Path) -> bool:
    """Whether a file's name ends like a picture's."""
    return path.suffix.lower() in ENDS


def classes_in(folder: Path) -> list[list[Path]]:
    """The pictures of each folder in ``folder``, in the order of names; none is empty."""
    inner = [each for each in sorted(folder.iterdir()) if each.is_dir()]
    found = [sorted(filter(is_picture, each.iterdir())) for each in inner]
    return [pictures for pictures in found if pictures]


def read_pictures(paths: Sequence[Path], side: int, grey: bool, middle: float = 1.0) -> Float32:
    """Float32[S, 1 or 3, side, side] in [0, 1]: the square in the middle of each picture.

    Its side is ``middle`` times the picture's shorter one.  Raises DatasetCorrupt.
    """
    return np.stack([_picture(path, side, grey, middle) for path in paths])


def _of_bytes(opened: "Image") -> "Image":
    """A picture with 16 bits of grey in its upper 8; PIL's own conversion clips them."""
    if not opened.mode.startswith("I"):
        return opened
    from PIL import Image

    return Image.fromarray((np.asarray(opened) // _STEPS).astype(np.uint8))


def _picture(path: Path, side: int, grey: bool, middle: float) -> Float32:
    from PIL import Image

    if not path.is_file():
        # A pipe would be waited for.
        raise DatasetCorrupt(f"{path} is no picture that can be read: it is no file")
    try:
        with Image.open(path) as opened:
            picture = _of_bytes(opened).convert("L" if grey else "RGB")
    except Exception as error:
        # Damaged pictures make PIL raise almost anything.
        raise DatasetCorrupt(f"{path} is no picture that can be read: {error}") from error
    width, height = picture.size
    edge = round(min(width, height) * middle)
    left, top = (width - edge) // 2, (height - edge) // 2
    square = picture.crop((left, top, left + edge, top + edge))
    small = square.resize((side, side), Image.Resampling.BILINEAR)
    pixels = np.asarray(small, np.float32) / _BRIGHTEST
    return pixels[None] if grey else np.ascontiguousarray(pixels.transpose(2, 0, 1))
