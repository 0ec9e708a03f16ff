"""Payloads, and the codecs that say how many bits they take."""

from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, TypeVar

from netsim.network.ledger import UNKNOWN
from netsim.wire.deferred import Deferred
from netsim.wire.header import HEADER_BITS, HEADER_BYTES, Envelope, Header, WireError
from netsim.wire.register import Absent

V = TypeVar("V")


class Sizes(NamedTuple):
    """The two sizes of a message, in bits."""

    payload_bits: int
    wire_bits: int


class Encoded(NamedTuple):
    """A message as bytes, zero-padded at the end; ``bits`` is its length without padding."""

    data: bytes
    bits: int


class Payload(NamedTuple, Generic[V]):
    """What one message carries.

    ``value`` is what the receiver gets, computed when first asked for, or None for a volume
    payload, which has a size only.  ``payload_bits`` counts the values as papers do;
    ``wire_bits`` everything: values, indices, seeds and the message header.  ``measured``: they
    depend on the value, and are ``UNKNOWN`` where that is absent.
    """

    value: Deferred[V] | None
    payload_bits: int
    wire_bits: int
    codec: "Codec[V]"
    measured: bool = False

    def through_wire(self, envelope: Envelope) -> "Payload[V]":
        """The payload after really encoding and decoding it; a volume payload as it is.

        Raises ``WireError`` unless size and value come out the same to the bit.
        """
        if self.value is None:
            return self
        encoded = self.codec.encode(self.value.value(), envelope)
        if encoded.bits != self.wire_bits:
            raise WireError(f"announced {self.wire_bits} bits, encoded {encoded.bits}")
        decoded = self.codec.decode(encoded.data)
        # Encoding is injective on delivered values, so equal bytes mean equal values.
        if self.codec.encode(decoded, envelope) != encoded:
            raise WireError(f"{self.codec} does not decode what it encoded")
        return self._replace(value=Deferred.of(decoded))


class Codec(ABC, Generic[V]):
    """How a kind of value is laid out in bits; known to sender and receiver alike.

    A message is the header of ``netsim.wire.header`` and a body.  Sizes are exact and come
    without encoding.  ``decode(encode(v).data)`` has the bits of ``delivered(v)``, and
    ``delivered`` applied twice changes nothing more.
    """

    @property
    @abstractmethod
    def codec_id(self) -> int:
        """The codec's number in the header, 8 bit."""

    @abstractmethod
    def coordinates(self, value: V) -> int:
        """The length of the vector that ``value`` stands for."""

    @abstractmethod
    def sizes(self, value: V) -> Sizes:
        """The exact sizes of the message that carries ``value``."""

    @abstractmethod
    def delivered(self, value: V) -> V:
        """What a receiver gets of ``value``: rounded as the codec rounds it."""

    @abstractmethod
    def _pack(self, value: V) -> Encoded:
        """The body alone."""

    @abstractmethod
    def _unpack(self, body: memoryview, coordinates: int) -> V:
        """The value that stands in the body."""

    def payload(self, value: Deferred[V], n: int) -> Payload[V]:
        """The payload that delivers ``value``, a vector of ``n`` coordinates.

        Computes the value now, because its size depends on it.
        """
        try:
            ready = self.delivered(value.value())
        except Absent:
            later = Deferred(lambda: self.delivered(value.value()))
            return Payload(later, UNKNOWN, UNKNOWN, self, measured=True)
        assert self.coordinates(ready) == n
        return Payload(Deferred.of(ready), *self.sizes(ready), self, measured=True)

    def encode(self, value: V, envelope: Envelope) -> Encoded:
        """The whole message; ``bits`` equals ``sizes(value).wire_bits``."""
        body, body_bits = self._pack(value)
        header = Header(envelope, self.codec_id, self.coordinates(value), body_bits)
        return Encoded(header.pack() + body, HEADER_BITS + body_bits)

    def decode(self, data: bytes) -> V:
        """The value of a whole message; ``WireError`` if it is not one of this codec."""
        header = Header.unpack(data)
        if header.codec_id != self.codec_id:
            raise WireError(f"a message of codec {header.codec_id}, expected {self.codec_id}")
        try:
            value = self._unpack(memoryview(data)[HEADER_BYTES:], header.coordinates)
        except ValueError as error:
            raise WireError(f"{self} cannot read the message: {error}") from error
        expected = (header.coordinates, HEADER_BITS + header.body_bits)
        if (self.coordinates(value), self.sizes(value).wire_bits) != expected:
            raise WireError(f"{self} does not send {header.coordinates} coordinates like this")
        return value


class FixedSizeCodec(Codec[V]):
    """A codec whose sizes depend on the number of coordinates only."""

    @abstractmethod
    def payload_bits(self, n: int) -> int:
        """Bits of the values of a vector of ``n`` coordinates."""

    @abstractmethod
    def body_bits(self, n: int) -> int:
        """Bits of the body: the values and what is needed to read them."""

    def wire_bits(self, n: int) -> int:
        """Bits of the whole message, header included."""
        return HEADER_BITS + self.body_bits(n)

    def sizes(self, value: V) -> Sizes:
        """The exact sizes of the message that carries ``value``."""
        n = self.coordinates(value)
        return Sizes(self.payload_bits(n), self.wire_bits(n))

    def payload(self, value: Deferred[V], n: int) -> Payload[V]:
        """The payload that delivers ``value``, computed when its receiver first needs it."""
        lazy = Deferred(lambda: self.delivered(value.value()))
        return Payload(lazy, self.payload_bits(n), self.wire_bits(n), self)

    def volume(self, n: int) -> Payload[V]:
        """A payload of ``n`` coordinates without a value."""
        return Payload(None, self.payload_bits(n), self.wire_bits(n), self)
