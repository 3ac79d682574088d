"""Helper processes: what arrives, what is refused, and whose end ends what."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from engine.errors import Cancelled
from engine.execution.helper_process import HelperEnded, HelperKind, HelperProcess, Parts, Rows
from engine.progress import SharedProgress

READER = HelperKind(reads_files=True)
_CAN_BE_SIGNALLED = pytest.mark.skipif(os.name != "posix", reason="elsewhere processes end in other ways")


def given(value: object) -> object:
    return value


def several_arrays() -> tuple[object, ...]:
    numbers = np.arange(6.0)
    frozen = np.arange(4, dtype=np.int8)
    frozen.flags.writeable = False
    rows = Rows([np.arange(3), np.arange(3, 6)])
    return numbers, frozen, numbers, rows, np.asfortranarray(np.arange(6).reshape(2, 3)), np.empty(0)


def an_object_of_a_library() -> Fraction:
    return Fraction(1, 3)


def a_function_to_be_called() -> object:
    class Calls:
        def __reduce__(self) -> tuple[object, ...]:
            return os.system, ("exit 1",)

    return Calls()


def end_by(name: str) -> None:
    os.kill(os.getpid(), getattr(signal, name))


def print_much() -> str:
    sys.stdout.write("x" * 10_000)
    sys.stdout.flush()
    os.write(1, b"y" * 10_000)
    return "done"


def test_arrays_arrive_as_they_were() -> None:
    with HelperProcess() as helper:
        numbers, frozen, again, rows, columns, nothing = helper.ask(several_arrays)
    assert numbers.tolist() == [0, 1, 2, 3, 4, 5] and numbers.flags.writeable and again is numbers
    assert frozen.dtype == np.int8 and not frozen.flags.writeable
    assert rows.tolist() == [[0, 1, 2], [3, 4, 5]] and not rows.flags.writeable
    assert columns.flags.f_contiguous and columns.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert nothing.shape == (0,)


def many_in_parts() -> object:
    return Parts([(number, str(number), np.full(3, number)) for number in range(1000)]), np.arange(2)


def test_parts_arrive_in_their_order() -> None:
    with HelperProcess(READER) as helper:
        items, behind = helper.ask(many_in_parts)
    assert [(number, text, array.tolist()) for number, text, array in items] == [
        (number, str(number), [number] * 3) for number in range(1000)
    ]
    assert behind.tolist() == [0, 1]


def test_what_prints_does_not_disturb() -> None:
    with HelperProcess() as helper:
        assert helper.ask(print_much) == "done"


@pytest.mark.parametrize("work", [an_object_of_a_library, a_function_to_be_called])
def test_a_process_that_reads_files_hands_over_no_foreign_object(work: object) -> None:
    with HelperProcess() as helper:
        assert helper.ask(work) is not None
    with HelperProcess(READER) as helper, pytest.raises(HelperEnded):
        helper.ask(work)


@_CAN_BE_SIGNALLED
def test_one_that_crashes_ends_no_others_work(tmp_path: Path) -> None:
    answers: list[object] = []
    with HelperProcess() as beside, HelperProcess() as crashing:
        thread = threading.Thread(target=lambda: answers.append(beside.ask(given, 7)))
        thread.start()
        with pytest.raises(HelperEnded) as raised:
            crashing.ask(end_by, "SIGSEGV")
        assert raised.value.crashed and not raised.value.lacked_memory
        assert crashing.ask(given, 1) == 1
        thread.join()
    assert answers == [7]


@_CAN_BE_SIGNALLED
def test_one_that_the_system_ends_lacked_memory() -> None:
    with HelperProcess(READER) as helper, pytest.raises(HelperEnded) as raised:
        helper.ask(end_by, "SIGKILL")
    assert raised.value.lacked_memory and not raised.value.crashed


def test_a_stop_ends_it_in_a_moment() -> None:
    progress = SharedProgress()
    with HelperProcess() as helper:
        helper.ask(given, 0)
        threading.Timer(0.1, progress.ask_to_stop).start()
        with pytest.raises(Cancelled):
            helper.ask(wait_long, progress=progress)
        assert helper.ask(given, 2) == 2


def wait_long() -> None:
    threading.Event().wait(600)


@_CAN_BE_SIGNALLED
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_to_the_terminals_programs_is_for_the_one_that_waits(name: str) -> None:
    code = (
        "import os, signal, sys, threading\n"
        "from engine.execution.helper_process import HelperProcess\n"
        "from tests.engine.test_helper_process import given\n"
        "os.setpgid(0, 0)\n"
        "seen = []\n"
        "number = getattr(signal, sys.argv[1])\n"
        "signal.signal(number, lambda *_: seen.append(1))\n"
        "helper = HelperProcess()\n"
        "first = helper.ask(os.getpid)\n"
        "os.killpg(0, number)\n"
        "assert helper.ask(os.getpid) == first and seen == [1]\n"
        "helper.end()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code, name], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
