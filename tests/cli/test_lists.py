"""``netsim list``."""

import json
import re
from pathlib import Path

from netsim.protocols import PROTOCOLS


def test_protocols_as_json(netsim):
    """Kind, title and paper of each; those of the first issue among them."""
    rows = json.loads(netsim("list", "protocols", "--json").stdout)
    assert all(set(row) >= {"kind", "title", "paper"} for row in rows)
    assert all(isinstance(value, str) and value for row in rows for value in row.values())
    kinds = [row["kind"] for row in rows]
    assert len(set(kinds)) == len(kinds) == len(PROTOCOLS)
    assert set(kinds) >= {"fedavg", "dpsgd", "epidemic", "eris", "shatter"}


def test_protocols_as_text(netsim):
    """A line each that begins with the kind."""
    done = netsim("list", "protocols")
    kinds = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == kinds


PAGE = Path(__file__).parents[2] / "docs" / "scenario.md"


def test_keys_are_the_page_of_the_documentation(netsim):
    """Who changes a section writes the page anew: netsim list keys > docs/scenario.md."""
    assert netsim("list", "keys").stdout == PAGE.read_text(encoding="utf-8")


def test_keys_of_every_section_are_told():
    """Each with its kinds, keys and defaults, and links that lead to a heading."""
    page = PAGE.read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= anchors
    assert len(anchors) == len(headings)
    for each in PROTOCOLS:
        kind = each.Config.model_fields["kind"].default
        section = page.split(f"## runs: {kind}\n")[1].split("\n## ")[0]
        assert each.title in section
        rows = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
        assert rows == set(each.Config.model_fields) - {"kind"}
    for told in (
        "| `nodes` | a whole number, at least 1, at most 1000000 | required |",
        "| `barrier` | `phase` or `round` or `none` | `round` |",
        "| `patience` | a duration such as '20 ms', more than 0 s | `24 h` |",
        "| `interval` | a duration such as '20 ms', at least 1 us |  |",
        "| `zip` | a mapping (from text to a list (each any value)) | `{}` |",
    ):
        assert told in page
