"""Sending every message through its real encoding."""

from typing import Any

from netsim.network.messages import Place
from netsim.wire.deferred import Deferred
from netsim.wire.header import Envelope
from netsim.wire.payload import Payload


def through_wire(payload: Payload[Any], place: Place) -> Payload[Any]:
    """What the receiver gets after encoding and decoding; computed when it looks."""
    envelope = Envelope(place.kind, place.round, place.sender, place.receiver, place.index)
    if payload.value is None:
        return payload
    decoded = Deferred(lambda: _value(payload.through_wire(envelope)))
    return payload._replace(value=decoded)


def _value(payload: Payload[Any]) -> Any:
    assert payload.value is not None
    return payload.value.value()
