"""What models of images ask of their inputs."""

from netsim.learning.models.base import Model
from netsim.learning.signature import Signature


def image_side(model: Model, signature: Signature, smallest: int) -> int:
    """The side of the square images, in pixels.

    Raises Infeasible for inputs that are no such images, or whose side is under ``smallest``.
    """
    shape = signature.shape
    square = len(shape) == 3 and shape[1] == shape[2] >= smallest
    if not square or not signature.is_real or signature.answer != "class":
        raise model.unfit(f"square images of {smallest}×{smallest} or more", signature)
    return shape[1]
