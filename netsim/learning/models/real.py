"""What models of real numbers ask of their inputs."""

from netsim.learning.models.base import Model
from netsim.learning.signature import Signature


def check_real(model: Model, signature: Signature) -> None:
    """Raises Infeasible for inputs that are no real numbers, or answers that are no class."""
    if not signature.is_real or signature.answer != "class":
        raise model.unfit("inputs of real numbers with a class each", signature)
