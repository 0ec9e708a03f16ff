"""What goes wrong with a transfer, by name."""


class TransferFailed(Exception):
    """A message did not arrive.  Raised at its sender and at the receiver that waits for it."""

    def __init__(self, sender: str, receiver: str, kind: str, reason: str) -> None:
        super().__init__(f"{kind} from {sender} to {receiver}: {reason}")
        self.sender = sender
        self.receiver = receiver
        self.kind = kind
        self.reason = reason


class LinkDown(TransferFailed):
    """The link between the two nodes failed."""


class NodeDown(TransferFailed):
    """One of the two nodes went away."""


class DeadlineMissed(TransferFailed):
    """The round's deadline passed while the message was on its way."""
