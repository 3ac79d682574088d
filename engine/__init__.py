"""The science of CLCD: tables in, common and label-specific causal variables with evidence out.

The paper is Wu, Jiang, Zhong and Chen, "Multi-label Causal Variable Discovery: Learning Common Causal
Variables and Label-specific Causal Variables". Names are imported when they are first used, so
``import engine`` costs nothing.

Examples
--------
>>> import engine
>>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
>>> engine.discover(network.dataset).is_partial
False
"""

from __future__ import annotations

import lazy_loader

from engine import errors
from engine.compiled.configuration import ignore_file_in_current_folder, require_compiling

ignore_file_in_current_folder()

# Which name stands where is said in the stub beside this file, that type checkers read too.
_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name in __all__ and name != "__version__" and not hasattr(errors, name):
        require_compiling()
    return _attribute(name)
