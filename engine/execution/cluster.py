"""A cluster of dask.distributed, reached by the address of its scheduler.

Whoever can reach a scheduler can run anything on its workers, and its answers are unpickled here: connect
only to a cluster that you trust, by ``tls://`` where others share the network. Certificates are those of
dask's own configuration (``distributed.comm.tls``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from engine.errors import ClusterUnavailable
from engine.translation import N_, _
from engine.wording.setting_names import the_setting

_CHECK = N_("Check the address, the firewalls, and that the scheduler runs a version of dask near {version}.")
_CHECK_ENCRYPTED = N_(
    "Check the address, the firewalls, and that the scheduler runs a version of dask near "
    "{version}. Check dask's configuration here (distributed.comm.tls). It must name a certificate "
    "that the cluster accepts, and the authority that signed the cluster's own."
)
_SECONDS_TO_CONNECT = 5.0
_SECONDS_TO_CLOSE = 2.0

Versions = Mapping[str, str]


@contextmanager
def cluster_executor(address: str) -> Iterator[Executor]:
    """Connect to a cluster for the time of a block."""
    client = _connected(address)
    try:
        _check_workers(client, address)
        yield client.get_executor()
    finally:
        client.close(timeout=_SECONDS_TO_CLOSE)


def _connected(address: str) -> Any:
    # Both are for clusters alone, and take memory and time where a program starts.
    import asyncio

    try:
        import distributed
    except ImportError as error:
        raise ClusterUnavailable(
            _("dask.distributed is not installed, and a cluster is reached by it."),
            place=the_setting("cluster"),
            remedy=_('Install it: pip install "clcd[cluster]"'),
        ) from error
    connect: Any = distributed.Client
    try:
        # On a thread of its own, as whoever calls may be inside of an event loop.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _greeted(address)).result()
        return connect(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False, name="clcd")
    # There is no end to what is raised about addresses that cannot be, certificates, and other servers.
    except Exception as error:
        is_encrypted = address.startswith("tls:")
        raise ClusterUnavailable(
            _("no scheduler of dask.distributed answers at this address."),
            place=_("cluster {address}", address=address),
            remedy=_(_CHECK_ENCRYPTED if is_encrypted else _CHECK, version=version("distributed")),
        ) from error


async def _greeted(address: str) -> None:
    """Return when a scheduler greets in time: a client would wait for ever where something else listens."""
    import asyncio

    import dask
    import distributed.comm.core
    import distributed.security

    if dask.config.get("distributed.client.security-loader", None):
        # Certificates come from a function that only the client calls.
        return
    security: Any = distributed.security.Security
    connect: Any = distributed.comm.core.connect
    certificates = security().get_connection_args("client")
    greeting = connect(address, timeout=_SECONDS_TO_CONNECT, **certificates)
    line = await asyncio.wait_for(greeting, _SECONDS_TO_CONNECT)
    await line.close()


def versions_here() -> dict[str, str]:
    """Return the versions that must be alike on every machine of a run."""
    import numba
    import numpy

    from engine.version import __version__

    return {
        "clcd": __version__,
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "dask.distributed": version("distributed"),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
    }


def _check_workers(client: Any, address: str) -> None:
    answers = client.run(versions_here, on_error="return")
    if not answers:
        raise ClusterUnavailable(
            _("the cluster has no worker."),
            place=_("cluster {address}", address=address),
            remedy=_("Start one on each machine: dask worker {address}", address=address),
        )
    for worker, answer in sorted(answers.items()):
        if isinstance(answer, BaseException):
            raise ClusterUnavailable(
                _("this worker cannot run CLCD ({answer}).", answer=answer),
                place=_("worker {worker}", worker=worker),
                remedy=_('Install it there: pip install "clcd[cluster]"'),
            )
        differing = differences(versions_here(), answer)
        if differing:
            raise ClusterUnavailable(
                _("this worker has different versions: {differing}.", differing=differing),
                place=_("worker {worker}", worker=worker),
                remedy=_("Install the same versions on all machines, so that their results agree."),
            )


def differences(here: Versions, there: Versions) -> str:
    """Say which versions differ; empty when none does.

    Examples
    --------
    >>> differences({"clcd": "1.2", "numpy": "2.3"}, {"clcd": "1.1", "numpy": "2.3"})
    'clcd 1.1 there and 1.2 here'
    """
    return ", ".join(
        _(
            "{name} {there} there and {here} here",
            name=name,
            there=there.get(name, _("missing")),
            here=here[name],
        )
        for name in here
        if there.get(name) != here[name]
    )
