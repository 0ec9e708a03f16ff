"""Every codec: sizes without encoding, and the bits that come out at the other end."""

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.wire.deferred import Deferred
from netsim.wire.dense import Dense
from netsim.wire.floats import FLOAT_FORMATS
from netsim.wire.header import HEADER_BITS, Envelope, Header, WireError
from netsim.wire.indexed import IndexedSparse
from netsim.wire.payload import Codec, Encoded, FixedSizeCodec, Payload
from netsim.wire.shared_seed import SharedSeedSparse
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK

ENVELOPE = Envelope(kind=3, round=5, sender=1, receiver=2, part=9)
FORMATS = list(FLOAT_FORMATS.values())
CODECS: list[Codec[Any]] = [
    *[Dense(form) for form in FORMATS],
    *[SharedSeedSparse(RandK(0.07), form) for form in FORMATS],
    SharedSeedSparse(RandK(1.0)),
    *[IndexedSparse(form) for form in FORMATS],
]
Draw = tuple[int, np.random.Generator]
DRAWS = st.tuples(
    st.sampled_from([0, 1, 2, 7, 8, 9, 100, 3000]) | st.integers(0, 200),
    st.integers(0, 2**32).map(np.random.default_rng),
)
each_codec = pytest.mark.parametrize("codec", CODECS, ids=str)


def any_floats(count: int, rng: np.random.Generator) -> np.ndarray:
    """Every bit pattern may come: infinities, denormals and all kinds of NaN too."""
    return rng.integers(0, 2**32, count, dtype=np.uint32).view(np.float32)


def value_for(codec: Codec[Any], draw: Draw) -> Any:
    """A value that ``codec`` carries, of a vector of as many coordinates as drawn."""
    n, rng = draw
    if isinstance(codec, Dense):
        return any_floats(n, rng)
    if isinstance(codec, SharedSeedSparse):
        seed = int(rng.integers(0, 2**64, dtype=np.uint64))
        count = codec.rand_k.kept(n)
        return Sparse(n, codec.rand_k.seeded_mask(n, seed), any_floats(count, rng), seed)
    indices = np.flatnonzero(rng.random(n) < rng.choice([0, 0.003, 0.05, 0.4, 1]))
    return Sparse(n, indices, any_floats(len(indices), rng))


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal to the bit."""
    if isinstance(left, Sparse):
        assert (left.n, left.seed) == (right.n, right.seed)
        assert left.indices_k.dtype == right.indices_k.dtype == np.int64
        assert left.indices_k.tolist() == right.indices_k.tolist()
        return same(left.values_k, right.values_k)
    assert left.dtype == right.dtype == np.float32
    return bool(left.tobytes() == right.tobytes())


@each_codec
@given(draw=DRAWS)
def test_round_trip(codec: Codec[Any], draw: Draw) -> None:
    """The encoding has the announced size and decodes to what the receiver would have got."""
    value = value_for(codec, draw)
    encoded = codec.encode(value, ENVELOPE)
    sizes = codec.sizes(value)
    assert encoded.bits == sizes.wire_bits
    assert len(encoded.data) == (encoded.bits + 7) // 8
    assert sizes.payload_bits <= sizes.wire_bits - HEADER_BITS
    given_bits = codec.delivered(value)
    assert same(codec.decode(encoded.data), given_bits)
    assert same(codec.delivered(given_bits), given_bits)
    assert codec.encode(given_bits, ENVELOPE) == encoded


@each_codec
@given(draw=DRAWS)
def test_payload_through_the_wire(codec: Codec[Any], draw: Draw) -> None:
    """What ``wire: encode`` does to a message changes neither size nor value."""
    value = value_for(codec, draw)
    payload = codec.payload(Deferred.of(value), draw[0])
    sent = payload.through_wire(ENVELOPE)
    assert (payload.payload_bits, payload.wire_bits) == codec.sizes(value)
    assert (sent.payload_bits, sent.wire_bits) == codec.sizes(value)
    assert payload.value is not None
    assert sent.value is not None
    assert same(sent.value.value(), payload.value.value())
    assert same(payload.value.value(), codec.delivered(value))


@each_codec
@given(draw=DRAWS, data=st.data())
def test_damaged_messages(codec: Codec[Any], draw: Draw, data: st.DataObject) -> None:
    """Foreign bytes are another message or a ``WireError``, nothing else."""
    damaged = bytearray(codec.encode(value_for(codec, draw), ENVELOPE).data)
    place = data.draw(st.integers(0, len(damaged) - 1))
    damaged[place] ^= data.draw(st.integers(1, 255))
    with contextlib.suppress(WireError):
        codec.decode(bytes(damaged))
    for end in (0, place):
        with pytest.raises(WireError):
            codec.decode(bytes(damaged[:end]))


@pytest.mark.parametrize(
    ("codec", "coordinates", "body"),
    [
        (Dense(), 2, bytes(4)),
        (Dense(), 1, bytes(5)),
        (SharedSeedSparse(RandK(0.5)), 0, b""),
        (SharedSeedSparse(RandK(0.5)), 2, bytes(11)),
        (IndexedSparse(), 3, bytes(4)),
        (IndexedSparse(), 3, bytes(3)),
        (IndexedSparse(), 3, bytes(6)),
        (IndexedSparse(), 3, b"\xff\xff\xff\xff" + bytes(20)),
        (IndexedSparse(), 1, b"\x02\0\0\0" + bytes(8) + b"\x60"),
    ],
    ids=str,
)
def test_bodies_that_do_not_fit(codec: Codec[Any], coordinates: int, body: bytes) -> None:
    """A whole message with a body too short, too long or of something else."""
    header = Header(ENVELOPE, codec.codec_id, coordinates, 8 * len(body))
    with pytest.raises(WireError, match=r"cannot read|does not send"):
        codec.decode(header.pack() + body)


def test_explicit_indices_send_no_seed() -> None:
    """A vector drawn by seed loses the seed when it is sent by its indices."""
    sparse = SharedSeedSparse(RandK(0.5)).compress(np.ones(8, np.float32), 1)
    payload = IndexedSparse().payload(Deferred.of(sparse), 8)
    assert payload.value is not None
    assert payload.value.value().seed is None
    assert same(payload.through_wire(ENVELOPE).value.value(), payload.value.value())


@each_codec
def test_codecs_tell_each_other_apart(codec: Codec[Any]) -> None:
    """A message names its codec; decoding it by another one is an error."""
    data = codec.encode(value_for(codec, (50, np.random.default_rng(1))), ENVELOPE).data
    for other in CODECS:
        if other.codec_id != codec.codec_id:
            with pytest.raises(WireError, match="a message of codec"):
                other.decode(data)


def test_hand_counted_sizes() -> None:
    """Bits beside the values: a header of 256, a seed of 64, a count of 32 and positions."""
    assert HEADER_BITS == 256
    assert Dense().payload_bits(62_006) == 62_006 * 32
    assert Dense().wire_bits(62_006) == 256 + 62_006 * 32
    assert Dense(FLOAT_FORMATS["bfloat16"]).wire_bits(10) == 256 + 160
    seeded = SharedSeedSparse(RandK(0.05))
    assert (seeded.payload_bits(1001), seeded.wire_bits(1001)) == (51 * 32, 256 + 64 + 51 * 32)
    # 3 of 8 coordinates: Rice parameter 1, gaps 0, 1, 3 take 1+1, 1+1, 2+1 bits, the bitmap 8.
    assert IndexedSparse().sizes_at(8, np.array([0, 2, 6])) == (96, 256 + 32 + 96 + 1 + 7)
    # 4 of 8 coordinates: Rice parameter 0, gaps 0, 0, 0, 4 take 4 + 4 bits, as the bitmap.
    assert IndexedSparse().sizes_at(8, np.array([0, 1, 2, 7])) == (128, 256 + 32 + 128 + 1 + 8)
    assert IndexedSparse().sizes_at(8, np.array([], np.int64)) == (0, 256 + 32 + 1)


@pytest.mark.parametrize("codec", [Dense(), SharedSeedSparse(RandK(0.5))], ids=str)
def test_values_are_computed_when_needed(codec: Any) -> None:
    """A payload of a size known beforehand does not compute its value, then does so once."""
    calls = []

    def compute() -> Any:
        calls.append(1)
        return value_for(codec, (20, np.random.default_rng(0)))

    payload = codec.payload(Deferred(compute), 20)
    assert payload.wire_bits == codec.wire_bits(20)
    assert not calls
    payload.value.value()
    payload.value.value()
    assert calls == [1]


def test_volume_payloads() -> None:
    """A model too big to hold has sizes, no value, and passes the wire as it is."""
    n = 1_300_000_000
    payload = Dense().volume(n)
    assert (payload.value, payload.payload_bits) == (None, 32 * n)
    assert payload.through_wire(ENVELOPE) is payload
    assert SharedSeedSparse(RandK(0.01)).volume(n).payload_bits == 32 * n // 100
    sparse = IndexedSparse().volume(n, np.array([5, n - 1]))
    assert (sparse.value, sparse.payload_bits) == (None, 64)


def test_wrong_announcement() -> None:
    """A payload whose size is not that of its encoding is refused on the wire."""
    payload = Payload(Deferred.of(np.ones(3, np.float32)), 96, 353, Dense())
    with pytest.raises(WireError, match="announced 353 bits, encoded 352"):
        payload.through_wire(ENVELOPE)


def test_peers_must_agree_on_keep() -> None:
    """A receiver that keeps another share notices."""
    sender, receiver = SharedSeedSparse(RandK(0.5)), SharedSeedSparse(RandK(0.25))
    data = sender.encode(sender.compress(np.ones(8, np.float32), 1), ENVELOPE).data
    with pytest.raises(WireError, match="keeps another number"):
        receiver.decode(data)


@pytest.mark.parametrize("seed", [None, -1, 2**64])
def test_seeds_must_fit(seed: int | None) -> None:
    """A vector without a seed of 64 bits cannot be sent by shared seed."""
    value = Sparse(1, np.array([0]), np.ones(1, np.float32), seed)
    with pytest.raises(WireError, match="no seed of 64 bits"):
        SharedSeedSparse(RandK(1.0)).encode(value, ENVELOPE)


def test_shared_seed_sends_the_compressed_vector() -> None:
    """Half of eight ones: four twos, at the same places on both sides."""
    codec = SharedSeedSparse(RandK(0.5))
    sent = codec.compress(np.ones(8, np.float32), 123)
    got = codec.decode(codec.encode(sent, ENVELOPE).data)
    assert np.count_nonzero(got.dense() == 2) == 4
    assert got.dense().tobytes() == sent.dense().tobytes()
    assert got.dense().tolist() != codec.compress(np.ones(8, np.float32), 7).dense().tolist()


@pytest.mark.parametrize("stride", [1, 3])
def test_shards_by_slice_are_sent_as_they_are(stride: int) -> None:
    """A strided view, as an interleaved shard is, encodes like its copy."""
    view = np.arange(30, dtype=np.float32)[::stride]
    for form in FORMATS:
        codec = Dense(form)
        assert codec.encode(view, ENVELOPE) == codec.encode(view.copy(), ENVELOPE)


class Forgetful(FixedSizeCodec[np.ndarray]):
    """A faulty codec: right sizes, but every vector arrives as zeros."""

    codec_id = 0xFF

    def coordinates(self, value: np.ndarray) -> int:
        return len(value)

    def payload_bits(self, n: int) -> int:
        return 8 * n

    body_bits = payload_bits

    def delivered(self, value: np.ndarray) -> np.ndarray:
        return value

    def _pack(self, value: np.ndarray) -> Encoded:
        return Encoded(value.tobytes(), 8 * len(value))

    def _unpack(self, body: memoryview, coordinates: int) -> np.ndarray:
        return np.zeros(coordinates, np.uint8)


def test_a_codec_that_loses_values_is_noticed() -> None:
    """A decoded value that is not the sent one stops the run."""
    payload = Forgetful().payload(Deferred.of(np.ones(3, np.uint8)), 3)
    with pytest.raises(WireError, match="does not decode what it encoded"):
        payload.through_wire(ENVELOPE)
