"""Schedulers and workers in processes of their own: certificates, other versions, what is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import which

import pytest

import engine
from engine.errors import ClusterUnavailable, WorkersLost
from tests.deadline import Deadline
from tests.engine.discovery.remote_runs import SETTINGS, Watcher, everything, table

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")

PROJECT = Path(__file__).resolve().parents[3]
# What the library itself leaves open or warns of while processes come and go.
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed by signal"),
]
# So long a run may wait for a scheduler that is gone, and a little.
MOST_SECONDS = 60.0


@contextmanager
def _process(program: str, words: Sequence[str], **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", "--no-dashboard", *words]
    process = subprocess.Popen(
        command,
        env=os.environ | {"PYTHONPATH": str(PROJECT)} | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class Cluster:
    """A scheduler with one worker."""

    def __init__(
        self, address: str, scheduler: subprocess.Popen[bytes], worker: subprocess.Popen[bytes]
    ) -> None:
        self.address, self.scheduler, self.worker = address, scheduler, worker


@contextmanager
def _cluster(
    folder: Path, *, security: Sequence[str] = (), worker_variables: Mapping[str, str] | None = None
) -> Iterator[Cluster]:
    scheduler_file = folder / "scheduler.json"
    protocol = ["--protocol", "tls"] if security else []
    here = ["--host", "127.0.0.1"]
    with ExitStack() as processes:
        words = [*here, "--port", "0", "--scheduler-file", str(scheduler_file), *protocol, *security]
        scheduler = processes.enter_context(_process("scheduler", words))
        address = _awaited(lambda: json.loads(scheduler_file.read_text())["address"])
        words = [address, *here, "--nthreads", "1", "--no-nanny", *protocol, *security]
        worker = processes.enter_context(_process("worker", words, **(worker_variables or {})))
        yield Cluster(address, scheduler, worker)


def _awaited(ask: Callable[[], str]) -> str:
    for _ in range(600):
        try:
            return ask()
        except (OSError, ValueError):
            time.sleep(0.1)
    raise TimeoutError


def _wait_for_worker(cluster: Cluster) -> None:
    with distributed.Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=60)


@pytest.fixture(scope="module")
def dataset() -> engine.Dataset:
    return table()


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority and what it signed, and another authority."""
    if which("openssl") is None:
        pytest.skip("openssl, which makes certificates, is not installed")
    folder = tmp_path_factory.mktemp("certificates")

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    for name in ("authority", "stranger"):
        named = ("-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "2", "-subj", f"/CN={name}")
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", *named)
    (folder / "names.txt").write_text("subjectAltName=IP:127.0.0.1")
    request_options = ("-keyout", "own.key", "-out", "own.csr", "-subj", "/CN=clcd")
    openssl("req", "-newkey", "rsa:2048", "-nodes", *request_options)
    signing = ("-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days", "2")
    openssl("x509", "-req", "-in", "own.csr", "-out", "own.pem", "-extfile", "names.txt", *signing)
    return folder


def test_a_cluster_behind_certificates_gives_the_same(
    dataset: engine.Dataset, certificates: Path, tmp_path: Path
) -> None:
    files = {"ca-file": "authority.pem", "cert": "own.pem", "key": "own.key"}
    words = [word for name, file in files.items() for word in (f"--tls-{name}", str(certificates / file))]
    with _cluster(tmp_path, security=words) as cluster:
        assert cluster.address.startswith("tls://")
        remote = replace(SETTINGS, cluster=cluster.address)
        with _known(certificates, "authority.pem"):
            _wait_for_worker(cluster)
            result = engine.discover(dataset, remote)
        assert everything(result) == everything(engine.discover(dataset, SETTINGS))
        with _known(certificates, "stranger.pem"), pytest.raises(ClusterUnavailable, match="certificate"):
            engine.discover(dataset, remote)
        with pytest.raises(ClusterUnavailable, match="certificate"):
            engine.discover(dataset, remote)


def _known(folder: Path, authority: str) -> AbstractContextManager[object]:
    """Configure dask as a person does who has a certificate and trusts an authority."""
    files = {"ca-file": authority, "client.cert": "own.pem", "client.key": "own.key"}
    return dask.config.set(
        {f"distributed.comm.tls.{name}": str(folder / file) for name, file in files.items()}
    )


def test_other_versions_are_told_before_anything_is_sent(dataset: engine.Dataset, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import engine.version\nengine.version.__version__ = '0.0.1'\n"
    )
    path = os.pathsep.join([str(tmp_path), str(PROJECT)])
    with _cluster(tmp_path, worker_variables={"PYTHONPATH": path}) as cluster:
        _wait_for_worker(cluster)
        watcher = Watcher()
        with pytest.raises(ClusterUnavailable, match=r"clcd 0\.0\.1 there"):
            engine.discover(dataset, replace(SETTINGS, cluster=cluster.address), watcher)
        assert not watcher.labels_found


class _Ender(Watcher):
    """Ends a process for good when some labels are found."""

    def __init__(self, process: subprocess.Popen[bytes], labels: int) -> None:
        super().__init__()
        self._process, self._labels = process, labels

    def should_stop(self) -> bool:
        if self.labels_found >= self._labels:
            self._process.kill()
        return False


@pytest.mark.parametrize("labels", [0, 1, 15])
@pytest.mark.parametrize("lost", ["scheduler", "worker"])
def test_what_is_lost_for_good_ends_the_run_with_a_word(
    dataset: engine.Dataset, tmp_path: Path, lost: str, labels: int
) -> None:
    with _cluster(tmp_path) as cluster:
        _wait_for_worker(cluster)
        process = cluster.scheduler if lost == "scheduler" else cluster.worker
        deadline = Deadline(MOST_SECONDS)
        with pytest.raises((WorkersLost, ClusterUnavailable)) as caught:
            engine.discover(dataset, replace(SETTINGS, cluster=cluster.address), _Ender(process, labels))
        assert not deadline.has_passed()
        assert caught.value.remedy


def test_a_table_that_is_mapped_from_a_file_is_sent_too(dataset: engine.Dataset, tmp_path: Path) -> None:
    file = tmp_path / "table.coded"
    engine.write_coded(dataset, file)
    mapped = engine.read_dataset(file)
    with _cluster(tmp_path) as cluster:
        _wait_for_worker(cluster)
        file_moved = file.rename(tmp_path / "elsewhere.coded")
        result = engine.discover(mapped, replace(SETTINGS, cluster=cluster.address))
    assert file_moved.exists()
    assert everything(result) == everything(engine.discover(dataset, SETTINGS))
