"""``netsim list``."""

import json

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
