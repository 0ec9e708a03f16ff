"""The header's layout, which other programs may rely on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.wire.header import HEADER_BYTES, Envelope, Header, WireError

WORD = st.integers(0, 2**32 - 1)
ENVELOPES = st.builds(Envelope, st.integers(0, 2**16 - 1), WORD, WORD, WORD, WORD)


def test_layout() -> None:
    """Each field at its place, big-endian."""
    header = Header(Envelope(0x0102, 3, 4, 5, 6), 0x11, 7, (8 << 32) + 9)
    words = ["4e53 01 11 0102 0008 00000009", "00000003 00000004 00000005 00000006 00000007"]
    assert header.pack() == bytes.fromhex(" ".join(words))
    assert HEADER_BYTES == 32


@given(ENVELOPES, st.integers(0, 255), WORD, st.integers(0, 999))
def test_round_trip(envelope: Envelope, codec_id: int, coordinates: int, body_bits: int) -> None:
    """Every field comes back."""
    header = Header(envelope, codec_id, coordinates, body_bits)
    assert Header.unpack(header.pack() + bytes((body_bits + 7) // 8)) == header


@pytest.mark.parametrize(
    "header",
    [
        Header(Envelope(), 0, 0, 1 << 48),
        Header(Envelope(), 0, 1 << 32, 0),
        Header(Envelope(kind=1 << 16), 0, 0, 0),
        Header(Envelope(round=-1), 0, 0, 0),
    ],
)
def test_fields_must_fit(header: Header) -> None:
    """A number too big for its field is an error, not another number."""
    with pytest.raises(WireError, match="does not fit"):
        header.pack()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"NS", "too short"),
        (bytes(32), "not a message"),
        (b"NS\x02" + bytes(29), "version 2"),
        (b"NS\x01" + bytes(30), "do not hold a body of 0 bits"),
        (b"NS\x01" + bytes(8) + b"\x09" + bytes(21), "do not hold a body of 9 bits"),
    ],
)
def test_foreign_bytes(data: bytes, why: str) -> None:
    """What is no whole message of this version is refused, with the reason."""
    with pytest.raises(WireError, match=why):
        Header.unpack(data)
