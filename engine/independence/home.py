"""Which module makes the test of some data known: who is sent data imports it before the first test."""

from __future__ import annotations

from typing import Any

from engine.independence import interface


def home_of(data: Any) -> str:
    """Name the module that registered the test of some data.

    Parameters
    ----------
    data : registered test data

    Returns
    -------
    str
        To be imported by processes that received the data and have not made it themselves.
    """
    return interface._REGISTERED[type(data)].test.__module__
