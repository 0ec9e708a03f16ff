"""What models of texts ask of their inputs."""

from netsim.learning.models.base import Model
from netsim.learning.signature import Answer, Signature

_WANTED = {"class": "texts with a class each", "tokens": "texts to go on with"}


def check_tokens(model: Model, signature: Signature, answer: Answer) -> None:
    """Raises Infeasible for inputs that are no texts, or another ``answer``."""
    if len(signature.counts) != 1 or signature.answer != answer:
        raise model.unfit(_WANTED[answer], signature)
