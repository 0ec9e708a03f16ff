"""What a result depends on beside its scenario and the type of CPU."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import netsim

_LENGTH = 16


@cache
def versions() -> dict[str, str]:
    """Those of netsim, numpy and torch, which is not imported for it, and netsim's ``code``: who
    changes a protocol must not get what the one before came to."""
    found = {name: version(name) for name in ("numpy", "torch")}
    code = code_digest(Path(netsim.__file__).parent)
    return {"netsim": netsim.__version__, "code": code, **found}


def code_digest(package: Path) -> str:
    """The same for the same Python files under the same names."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()[:_LENGTH]
