"""Matrix factorisation."""

from typing import TYPE_CHECKING, Literal, final

from pydantic import Field

from netsim.learning.models.base import Model
from netsim.learning.signature import Signature

if TYPE_CHECKING:
    from torch import nn

_DEVIATION = 0.1


@final
class Factors(Model):
    """A rating is the product of a user's and a film's vector of ``rank`` numbers.

    (users + films) · rank parameters: 52,500 for MovieLens-100K at rank 20, and 206,680 for the
    ml-latest-small of Shatter's Table 1.  Source: Koren, Bell and Volinsky 2009, Equation 1.
    """

    kind: Literal["matrix_factorisation"] = "matrix_factorisation"
    rank: int = Field(default=20, ge=1, le=65536)

    def deviation(self, fan_in: int) -> float:
        """Small, so that first ratings are near zero."""
        return _DEVIATION

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are pairs of user and film with a rating each."""
        if len(signature.counts) != 2 or signature.answer != "rating":
            raise self.unfit("pairs of user and film with a rating each", signature)
        from netsim.learning.models.products import Products

        return Products(*signature.counts, self.rank)
