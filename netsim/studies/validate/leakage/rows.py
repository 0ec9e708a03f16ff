"""Every bound of leakage beside what was observed."""

from collections.abc import Iterator

from netsim.studies.validate.leakage.cepam import cepam_rows
from netsim.studies.validate.leakage.eris_cases import eris_rows
from netsim.studies.validate.leakage.judged import LeakageRow
from netsim.studies.validate.leakage.shatter import shatter_rows


def leakage_rows() -> Iterator[LeakageRow]:
    """All rows, a paper after the other."""
    yield from eris_rows()
    yield from shatter_rows()
    yield from cepam_rows()
