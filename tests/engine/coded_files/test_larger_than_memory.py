"""A mapped table is searched by a process that is not allowed the memory to hold it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.independence.arranging import make_test_data
from engine.table.coded_files import write_coded

ROWS, FEATURES = 400_000, 300

_PROGRAM = """
import resource, sys
from pathlib import Path

import numpy as np

import engine
from engine.table.coded_files import CodedTableWriter

path, rows, features = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def variables(count):
    roles = [engine.Role.FEATURE] * (count - 1) + [engine.Role.LABEL]
    return [engine.Variable(f"V{n}", engine.Kind.NOMINAL, role, ("a", "b")) for n, role in enumerate(roles)]


def write(path, rows, features):
    label = (np.random.default_rng(0).random(rows) < 0.5).astype(np.int8)
    with CodedTableWriter(path, variables(features + 1), rows) as writer:
        for place in range(features):
            random = np.random.default_rng([1, place])
            noise = random.random(rows, dtype=np.float32) < (0.4 if place < 3 else 0.5)
            writer.write(place, (label ^ noise)[None])
        writer.write(features, label[None])


settings = engine.DiscoverySettings(workers=1)
# What every search takes, however small its table: buffers of linear algebra, stacks of threads.
small = Path(path).with_name("small.coded")
write(small, 20_000, 20)
engine.discover(engine.read_dataset(small), settings)
used = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData"))
allowed = int(used.split()[1]) * 1024 + rows * features // 3
resource.setrlimit(resource.RLIMIT_DATA, (allowed, allowed))
write(path, rows, features)
dataset = engine.prepare(engine.read_dataset(path))
print(sorted(engine.discover(dataset, settings).label_sets))
try:
    np.array(dataset.columns)
except MemoryError:
    print("too large")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the private memory of a process")
def test_a_table_three_times_as_large_as_the_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _PROGRAM, str(tmp_path / "t.coded"), str(ROWS), str(FEATURES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["['V0', 'V1', 'V2']", "too large"]


def test_a_search_reads_the_file_itself(tmp_path: Path) -> None:
    simulated = engine.simulate(labels=4, features=40, rows=1500, seed=2).dataset
    write_coded(simulated, tmp_path / "t.coded")
    opened = engine.prepare(engine.read_dataset(tmp_path / "t.coded"))
    assert opened.coded is not None
    table = make_test_data(opened, "g2").at_level(0.05).table
    assert np.shares_memory(table.codes, opened.coded.codes)
    assert np.shares_memory(table.sets, opened.coded.sets)
    plain = make_test_data(simulated, "g2").at_level(0.05).table
    np.testing.assert_array_equal(table.codes, plain.codes)
    np.testing.assert_array_equal(table.sets, plain.sets)
    # One kind of array, or every kernel would be compiled a second time.
    for mapped, in_memory in ((table.codes, plain.codes), (table.sets, plain.sets)):
        assert type(mapped) is type(in_memory)
        assert (mapped.dtype, mapped.flags.writeable) == (in_memory.dtype, in_memory.flags.writeable)
