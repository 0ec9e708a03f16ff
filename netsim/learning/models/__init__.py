"""What is trained: one file a model."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator

from netsim.learning.models.base import Model
from netsim.learning.models.cepam import CepamCnn, CepamMlp
from netsim.learning.models.factors import Factors
from netsim.learning.models.hugging_face import HuggingFace
from netsim.learning.models.lenet5 import LeNet5
from netsim.learning.models.mlp import Mlp
from netsim.learning.models.module import Module
from netsim.learning.models.resnet9 import ResNet9
from netsim.learning.models.resnet18 import ResNet18
from netsim.learning.models.text_mean import TextMean
from netsim.learning.models.transformer import Gpt, TextTransformer
from netsim.scenario.kinds import one_of

MODELS: tuple[type[Model], ...] = (
    LeNet5,
    Mlp,
    CepamCnn,
    CepamMlp,
    ResNet9,
    ResNet18,
    TextMean,
    TextTransformer,
    Gpt,
    Factors,
    HuggingFace,
    Module,
)


def _own(given: object) -> object:
    """A mapping with ``module`` needs no kind."""
    if isinstance(given, Mapping) and "module" in given and "kind" not in given:
        return {"kind": "module", **given}
    return given


AnyModel = Annotated[Model, one_of(*MODELS, noun="model"), BeforeValidator(_own)]
"""A field: one of the models, or a module by import path."""

__all__ = [
    "MODELS",
    "AnyModel",
    "CepamCnn",
    "CepamMlp",
    "Factors",
    "Gpt",
    "HuggingFace",
    "LeNet5",
    "Mlp",
    "Model",
    "Module",
    "ResNet9",
    "ResNet18",
    "TextMean",
    "TextTransformer",
]
