"""A Hugging Face model from a folder of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, final

from pydantic import AfterValidator, ValidationInfo, field_validator

from netsim.learning.models.base import Model
from netsim.learning.models.saved import check_saved, sha256_of
from netsim.learning.models.tokens import check_tokens
from netsim.learning.signature import Signature

if TYPE_CHECKING:
    from torch import nn

    from netsim.learning.models.pretrained import SavedTokenizer


@final
class HuggingFace(Model):
    """Classifies texts with the network saved in ``folder``, from its weights on.

    The folder has config.json, weights and a tokenizer, as ``save_pretrained`` of the package
    transformers leaves them, and is looked for relative to the working directory; nothing is
    downloaded and no code of its own is run.  Parameters of the head start at random where the
    folder has none that fit.  ``sha256`` is that of its files: found where it is not given, so
    that a resolved scenario can be run with the same ones only.
    """

    kind: Literal["hugging_face"] = "hugging_face"
    foreign: ClassVar[bool] = True
    folder: Annotated[Path, AfterValidator(check_saved)]
    sha256: str | None = None

    @field_validator("sha256")
    @classmethod
    def _of_these_files(cls, given: str | None, info: ValidationInfo) -> str | None:
        folder: Path | None = info.data.get("folder")
        if folder is None:
            return given
        found = sha256_of(folder)
        if given is not None and given != found:
            raise ValueError(f"the files in {folder} are others, with sha256 {found}")
        return found

    def tokenizer(self) -> "SavedTokenizer":
        """As in the base class; Infeasible if transformers or the folder cannot be used."""
        from netsim.learning.models.pretrained import SavedTokenizer

        return SavedTokenizer(self.folder, str(self.sha256))

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are texts with a class each, by its own tokenizer."""
        check_tokens(self, signature, "class")
        from netsim.learning.models.pretrained import classifier

        return classifier(self.folder, self.tokenizer(), signature)
