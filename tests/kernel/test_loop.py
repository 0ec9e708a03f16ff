"""The loop itself: what it refuses, how it stops, what its handles are."""

import asyncio
import threading

import pytest
import simpy

from netsim.kernel import VirtualLoop, run, running_loop, sleep


def test_threads_and_sockets_are_refused() -> None:
    """They would live in real time."""

    async def main() -> None:
        loop = running_loop()
        with pytest.raises(RuntimeError, match="virtual time"):
            await asyncio.to_thread(print)
        with pytest.raises(RuntimeError, match="virtual time"):
            await loop.run_in_executor(None, print, "x")
        with pytest.raises(RuntimeError, match="virtual time"):
            await asyncio.open_connection("localhost", 1)
        with pytest.raises(RuntimeError, match="virtual time"):
            await asyncio.start_server(lambda r, w: None, "localhost", 1)

    run(main())


def test_only_the_loops_own_thread_may_call_soon_threadsafe() -> None:
    """Another thread would make the order of events a matter of luck."""
    answers: list[str] = []

    async def main() -> None:
        loop = running_loop()
        loop.call_soon_threadsafe(answers.append, "own")

        def other() -> None:
            with pytest.raises(RuntimeError, match="another thread"):
                loop.call_soon_threadsafe(answers.append, "other")
            answers.append("refused")

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        await asyncio.sleep(0)

    run(main())
    assert answers == ["refused", "own"]


def test_an_exception_in_a_callback_ends_the_run() -> None:
    """asyncio would log it and go on."""

    async def main() -> None:
        running_loop().call_later(1, lambda: 1 / 0)
        await sleep(5)

    env = simpy.Environment()
    with pytest.raises(ZeroDivisionError):
        run(main(), env)
    assert env.now == 1


def test_a_loop_can_be_stopped_and_run_again() -> None:
    """What is ready when ``stop`` is called still runs; the rest waits for the next run."""
    log: list[str] = []
    loop = VirtualLoop()

    def stop_twice() -> None:
        loop.stop()
        loop.stop()
        loop.call_soon(log.append, "next run")

    loop.call_soon(stop_twice)
    loop.call_soon(log.append, "this run")
    loop.run_forever()
    assert log == ["this run"]
    loop.call_soon(loop.stop)
    loop.run_forever()
    assert log == ["this run", "next run"]
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_soon(print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_later(1, print)


def test_a_loop_that_failed_can_run_again() -> None:
    """A stop that an exception overtook does not end the next run."""
    loop = VirtualLoop()
    loop.call_soon(loop.stop)
    loop.call_soon(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        loop.run_forever()
    assert loop.run_until_complete(asyncio.sleep(3, "done")) == "done"
    loop.close()


def test_handles_say_what_they_are() -> None:
    """They are asyncio's, know their time and show their callback."""

    async def main() -> None:
        loop = running_loop()
        timer, ready = loop.call_at(3, print), loop.call_soon(len, "x")
        assert isinstance(timer, asyncio.TimerHandle)
        assert isinstance(ready, asyncio.Handle)
        assert timer.when() == 3
        assert "print" in repr(timer)
        assert "len" in repr(ready)

    run(main())
