"""Threads: one inside each operation of torch or numpy, whose sums depend on their number, and as
many as torch has for computations side by side."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache, lru_cache

import torch
from threadpoolctl import ThreadpoolController

_outside: list[int] = []
"""The threads torch has outside of ``one_thread``, while inside."""


class _Own(threading.local):
    """What each thread is at."""

    shares = False


_own = _Own()


@contextmanager
def one_thread() -> Iterator[None]:
    """Makes torch, and numpy's products, compute on one thread meanwhile."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    _outside.append(threads)
    try:
        with _blas().limit(limits=1):
            yield
    finally:
        _outside.pop()
        torch.set_num_threads(threads)


def side_by_side(work: Sequence[Callable[[], None]]) -> None:
    """Do all of ``work``, on as many threads as torch has outside of ``one_thread``.

    Called inside of it.  Raises what the first one raises that does.  Work that is itself done
    side by side with other work is done on one thread.
    """
    threads = min(_outside[0] if _outside else 1, len(work))
    if threads <= 1 or _own.shares:
        for each in work:
            each()
        return
    todo = iter(enumerate(work))
    failed: dict[int, BaseException] = {}

    def share() -> None:
        """Do what is next, until nothing is left or something fails."""
        _own.shares = True
        for at, each in todo:
            try:
                each()
            except BaseException as error:
                failed[at] = error
                break
        _own.shares = False

    helpers = [_helpers(threads - 1).submit(share) for _ in range(threads - 1)]
    share()
    wait(helpers)
    if failed:
        raise failed[min(failed)]


@cache
def _blas() -> ThreadpoolController:
    """The libraries that multiply numpy's matrices."""
    return ThreadpoolController().select(user_api="blas")


@lru_cache(maxsize=1)
def _helpers(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "lanes", initializer=torch.set_num_threads, initargs=(1,))
