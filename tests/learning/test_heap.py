"""Freed memory is kept: measured by the pages that the system hands out."""

import subprocess
import sys

import pytest

PAGES = """
import platform, resource, sys
if platform.libc_ver()[0] != "glibc":
    sys.exit(3)
import torch
from netsim.learning.heap import keep_freed_memory

def pages():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        torch.zeros(2 << 20).add_(1)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

fresh = pages()
keep_freed_memory()
pages()
print(fresh, pages())
"""


def test_freed_memory_is_not_asked_for_again() -> None:
    """Twenty tensors of 8 MiB, one after the other: none of their pages is new."""
    done = subprocess.run([sys.executable, "-c", PAGES], capture_output=True, text=True)
    if done.returncode == 3:
        pytest.skip("not glibc")
    assert done.returncode == 0, done.stderr
    fresh, kept = map(int, done.stdout.split())
    assert kept < fresh / 10
