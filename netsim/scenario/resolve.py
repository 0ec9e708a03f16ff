"""A model as a scenario file with every default written out."""

import yaml

from netsim.scenario.config import Config
from netsim.scenario.scalars import PLAIN, STR


class _Dumper(yaml.SafeDumper):
    """Quotes what any reader of YAML, 1.1 or 1.2, could take for something else than text."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar(STR, text, style=style)


_Dumper.add_representer(str, _text)
for _tag, _form in PLAIN.items():
    _Dumper.add_implicit_resolver(_tag, _form, None)


def dump(model: Config) -> str:
    """YAML text in the order of the fields, units included.

    ``Document.of(dump(model), name).parse(type(model)) == model``, and the text is always the
    same for the same model.
    """
    plain = model.model_dump(mode="json", by_alias=True)
    return yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
