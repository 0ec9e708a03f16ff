"""Lattice points and iteration counts of a rejection-sampled quantiser, in prefix codes."""

from dataclasses import dataclass
from typing import Final, final

import numpy as np
import numpy.typing as npt

from netsim.wire.bits import Int64, read_unary, read_variable_width, unary, variable_width
from netsim.wire.floats import FLOAT32
from netsim.wire.hashed import Float64
from netsim.wire.header import HEADER_BITS, WireError
from netsim.wire.payload import Codec, Encoded, Sizes

_JOINT: Final = 62
_HEAD_BITS: Final = 2 * FLOAT32.bits


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """What a quantiser sends of ``n`` coordinates in B blocks of d.

    ``points_Bd`` are the lattice points M and ``counts_B`` the iterations H; the input had norm
    ``norm`` and, scaled, no coordinate larger than ``peak`` (both values of a float32).
    """

    n: int
    points_Bd: Int64
    counts_B: Int64
    norm: float
    peak: float


def point_width(reach: int, dim: int) -> int:
    """Bits for a point of {−reach … reach}^dim: ⌈log₂⌉ of their number.

    Where that is above 62, ⌈log₂ (2 · reach + 1)⌉ a coordinate.
    """
    joint = int((2 * reach + 1) ** dim - 1).bit_length()
    return joint if joint <= _JOINT else dim * int(2 * reach).bit_length()


@final
@dataclass(frozen=True, slots=True, eq=False)
class PointCodec(Codec[Points]):
    """Both ends know the cell β of each block, ``cells_B``, from the seed they share.

    Within the cell's scale no point lies beyond ⌊peak/β⌋ + 1, so a point takes
    ``point_width`` bits (CEPAM, Section IV-B, with inputs in [−peak, peak]^d).  A count, where
    ``counted``, is unary, which is optimal for the geometric law as long as a try is accepted
    with probability above 0.382.  Norm and peak, 64 bit, are wire only.
    """

    dim: int
    counted: bool
    cells_B: Float64

    @property
    def codec_id(self) -> int:
        """0x53."""
        return 0x53

    def coordinates(self, value: Points) -> int:
        """n."""
        return value.n

    def sizes(self, value: Points) -> Sizes:
        """The exact sizes of the message that carries ``value``."""
        payload = int(self._widths(self._reaches(value.peak)).sum())
        if self.counted:
            payload += int(value.counts_B.sum())
        return Sizes(payload, HEADER_BITS + _HEAD_BITS + payload)

    def delivered(self, value: Points) -> Points:
        """The same value: nothing is rounded."""
        return value

    def _pack(self, value: Points) -> Encoded:
        head = FLOAT32.pack(np.array([value.norm, value.peak], np.float32))
        reach_B = self._reaches(value.peak)
        parts = [np.unpackbits(np.frombuffer(head, np.uint8))]
        if self.counted:
            parts.append(unary(value.counts_B - 1))
        widths_Bd = self._widths(reach_B)
        numbers_Bd = self._numbers(value.points_Bd, reach_B, widths_Bd)
        parts.append(variable_width(numbers_Bd.ravel(), widths_Bd.ravel()))
        bits = np.concatenate(parts)
        return Encoded(np.packbits(bits).tobytes(), len(bits))

    def _unpack(self, body: memoryview, coordinates: int) -> Points:
        blocks = -(-coordinates // self.dim)
        if 8 * len(body) < _HEAD_BITS or blocks != len(self.cells_B):
            raise WireError(f"no points for {coordinates} coordinates in the message")
        norm, peak = (float(each) for each in FLOAT32.unpack(body, 2))
        if not (0 <= norm < np.inf and 0 <= peak < np.inf):
            raise WireError(f"norm {norm} and peak {peak} are those of no vector")
        bits = np.unpackbits(np.frombuffer(body[_HEAD_BITS // 8 :], np.uint8))
        counts_B = np.ones(blocks, np.int64)
        if self.counted:
            counts_B = read_unary(bits, blocks) + 1
            bits = bits[int(counts_B.sum()) :]
        reach_B = self._reaches(peak)
        widths_Bd = self._widths(reach_B)
        if len(counts_B) < blocks or len(bits) < widths_Bd.sum():
            raise WireError("the message ends before its points")
        numbers_Bd = read_variable_width(bits, widths_Bd.ravel()).reshape(blocks, self.dim)
        points_Bd = self._points(numbers_Bd, reach_B, widths_Bd)
        return Points(coordinates, points_Bd, counts_B, norm, peak)

    def _reaches(self, peak: float) -> Int64:
        # A whisker more, for the rounding of the quantiser's own division.
        most_B = np.minimum(peak / self.cells_B * (1 + 1e-12) + 1 + 1e-9, 2.0**60)
        return np.floor(most_B).astype(np.int64)

    def _widths(self, reach_B: Int64) -> Int64:
        """Bits of each of a block's d numbers, Int64[B, d]: the whole point is the last one's,
        or each coordinate its own."""
        kinds, which = np.unique(reach_B, return_inverse=True)
        table_Rd = np.zeros((len(kinds), self.dim), np.int64)
        for row, reach in zip(table_Rd, kinds.tolist(), strict=True):
            if _is_joint(reach, self.dim):
                row[-1] = point_width(reach, self.dim)
            else:
                row[:] = (2 * reach).bit_length()
        return table_Rd[which]

    def _numbers(self, points_Bd: Int64, reach_B: Int64, widths_Bd: Int64) -> Int64:
        numbers_Bd = points_Bd + reach_B[:, None]
        joint = _joint_rows(widths_Bd)
        whole = np.zeros(int(joint.sum()), np.int64)
        for d in range(self.dim):
            whole = whole * (2 * reach_B[joint] + 1) + numbers_Bd[joint, d]
        numbers_Bd[joint, -1] = whole
        return numbers_Bd

    def _points(self, numbers_Bd: Int64, reach_B: Int64, widths_Bd: Int64) -> Int64:
        joint = _joint_rows(widths_Bd)
        whole = numbers_Bd[joint, -1].copy()
        for d in reversed(range(self.dim)):
            whole, numbers_Bd[joint, d] = np.divmod(whole, 2 * reach_B[joint] + 1)
        points_Bd = numbers_Bd - reach_B[:, None]
        if (np.abs(points_Bd) > reach_B[:, None]).any() or whole.any():
            raise WireError("a point beyond what the peak allows")
        return points_Bd


def _is_joint(reach: int, dim: int) -> bool:
    return bool(((2 * reach + 1) ** dim - 1).bit_length() <= _JOINT)


def _joint_rows(widths_Bd: Int64) -> npt.NDArray[np.bool_]:
    """Blocks whose last number stands for the whole point."""
    rows: npt.NDArray[np.bool_] = (widths_Bd[:, :-1] == 0).all(axis=1)
    return rows
