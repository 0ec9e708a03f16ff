"""How coarse a quantiser is, or how strong a noise."""

from typing import Annotated

from pydantic import Field

Scale = Annotated[float, Field(ge=1e-9, le=1e6)]
"""In units of the update's root mean square, or of its norm over γ.

With these bounds points of a lattice are whole numbers that floats tell apart.
"""
