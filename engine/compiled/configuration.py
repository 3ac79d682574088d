"""Numba's configuration comes from the environment, and not from a file beside a person's tables.

Where PyYAML is installed, numba reads ``.numba_config.yaml`` in the current folder as it is imported, and
again whenever something is compiled. What stands there says from where compiled code is loaded, so that
whoever sends a folder of tables could have the program run code of theirs.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    # What it brings takes longer to load than all else that ``import engine`` needs.
    from importlib.abc import Loader

_CONFIGURATION = "numba.core.config"
_YAML = "yaml"
_SWITCH = "NUMBA_DISABLE_JIT"


class _ConfigurationLoader:
    """Loads the module without a file of settings."""

    def __init__(self, usual: Loader) -> None:
        self._usual = usual

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._usual.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        with _without_yaml():
            self._usual.exec_module(module)
        # Asked for anew whenever something is compiled; a file without a name is none.
        module._config_fname = ""  # type: ignore[attr-defined]


class _ConfigurationFinder:
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _CONFIGURATION:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = cast("Loader", _ConfigurationLoader(spec.loader))
                return spec
        return None


@contextmanager
def _without_yaml() -> Iterator[None]:
    """Have numba find that no such file can be read, about which it warns where there is one."""
    earlier = sys.modules.get(_YAML)
    sys.modules[_YAML] = None  # type: ignore[assignment]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if earlier is None:
            del sys.modules[_YAML]
        else:
            sys.modules[_YAML] = earlier


def ignore_file_in_current_folder() -> None:
    """Have numba, if it is not imported yet, look for no settings in the current folder."""
    if not any(isinstance(finder, _ConfigurationFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _ConfigurationFinder())


def compile_always() -> None:
    """Have kernels compiled although compiling is switched off; call it before numba is imported."""
    os.environ.pop(_SWITCH, None)


def require_compiling() -> None:
    """Refuse to go on where compiling is switched off: kernels cannot run as plain Python."""
    if os.environ.get(_SWITCH, "0") not in ("", "0"):
        from engine.errors import InvalidParameter
        from engine.translation import _

        raise InvalidParameter(
            _("it stops numba from compiling, but CLCD must compile its tests."),
            place=_("environment variable {name}", name=_SWITCH),
            remedy=_("Remove the variable, or set it to 0, and start Python again."),
        )
