"""One damaged file: it follows from the reader, a seed and a number, and can be made again."""

from __future__ import annotations

import random
import traceback
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.errors import EngineError
from tests.fuzzing.mutations import damaged
from tests.fuzzing.targets import TARGETS

LEAST_READ = 0.1
"""Share of cases that has to be read: of what is refused at once, nothing behind that is tried."""

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Failure:
    """What a reader must not do.

    Attributes
    ----------
    kind : str
        The error, and the line of the program that is nearest to it.
    text : str
        The whole of it.
    """

    kind: str
    text: str


@cache
def _seeds(name: str) -> tuple[bytes, ...]:
    return tuple(TARGETS[name].seeds())


def has_seeds(name: str) -> bool:
    """Tell whether there is a whole file to start from; of one kind only where ``../shared`` is."""
    return bool(_seeds(name))


def file_of(name: str, seed: int, number: int) -> bytes:
    """Return the damaged file of a case."""
    chance = random.Random(f"{name}/{seed}/{number}")
    seeds = _seeds(name)
    return damaged(chance, chance.choice(seeds), seeds)


def try_case(name: str, content: bytes, number: int, folder: Path) -> Failure | EngineError | None:
    """Read a file; None where it was read, the error where it was refused as it should be."""
    target = TARGETS[name]
    path = folder / f"case{target.ending}"
    path.write_bytes(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            target.read(path, number)
    except EngineError as error:
        if not error.place or not error.problem:
            return Failure(
                f"{type(error).__name__} without a place at {_line(error)}", traceback.format_exc()
            )
        return error
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return Failure(f"{type(error).__name__} at {_line(error)}", traceback.format_exc())
    return None


def _line(error: BaseException) -> str:
    """Return the innermost line of the program itself."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT)] or frames
    return f"{Path(ours[-1].filename).relative_to(_ROOT)}:{ours[-1].lineno}"
