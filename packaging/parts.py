"""Tell which parts the frozen program has: their bill of materials (CycloneDX) and their licences.

A part is an installed distribution of which a file was collected, Python itself, and on Linux each package of
the system from which a library was taken.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

PROJECT = Path(__file__).resolve().parents[1]
_LICENCE_FILE = re.compile(r"(?:^|/)(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS)[^/]*$", re.IGNORECASE)
_LONGEST_NAME_OF_A_LICENCE = 80


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the program that comes from elsewhere.

    Attributes
    ----------
    kind : str
        Of its address: ``"pypi"``, ``"deb"`` or ``"generic"``.
    name, version : str
    licence : str
        As it names it itself; may be empty.
    texts : tuple of Path
        Files that hold its licences.
    """

    kind: str
    name: str
    version: str
    licence: str = ""
    texts: tuple[Path, ...] = field(default=())


def parts_of(files: Iterable[str]) -> list[Part]:
    """Return the parts from which files were collected, in the order of their names."""
    resolved = {str(Path(each).resolve()) for each in files}
    found = [_python(), *_distributions(resolved), *_packages_of_system(resolved)]
    return sorted(found, key=lambda part: (part.kind, part.name.lower()))


def _python() -> Part:
    version = ".".join(map(str, sys.version_info[:3]))
    places = [Path(sys.base_prefix), Path(sys.base_prefix, "lib", f"python{version.rpartition('.')[0]}")]
    texts = [path for place in places for path in place.glob("LICENSE*")]
    return Part("generic", "python", version, "PSF-2.0", tuple(texts))


def _distributions(files: Collection[str]) -> Iterable[Part]:
    for distribution in importlib.metadata.distributions():
        folder = Path(str(distribution.locate_file(""))).resolve()
        places = [os.path.normpath(f"{folder}/{each}") for each in distribution.files or ()]
        # The description of an installed distribution alone is no part of it.
        if not any(place in files and ".dist-info" not in place for place in places):
            continue
        texts = [
            Path(place) for place in places if ".dist-info" in place and _LICENCE_FILE.search(place)
        ] or [Path(place) for place in places if _LICENCE_FILE.search(place)]
        metadata = distribution.metadata
        yield Part("pypi", metadata["Name"], distribution.version, licence_named_in(metadata), tuple(texts))


def licence_named_in(metadata: importlib.metadata.PackageMetadata) -> str:
    """Return the licence that the metadata of a distribution name, in few words."""
    names = [
        each.rpartition(" :: ")[2] for each in metadata.get_all("Classifier") or () if "License ::" in each
    ]
    in_words = (metadata.get("License") or "").strip()
    is_short = 0 < len(in_words) <= _LONGEST_NAME_OF_A_LICENCE and "\n" not in in_words
    return metadata.get("License-Expression") or (in_words if is_short else " AND ".join(names))


def _packages_of_system(files: Collection[str]) -> Iterable[Part]:
    """Ask Debian's package manager, where there is one, to whom libraries belong."""
    libraries = sorted(each for each in files if each.startswith(("/lib/", "/usr/lib/")))
    if not libraries or shutil.which("dpkg-query") is None:
        return
    owners = subprocess.run(["dpkg-query", "-S", *libraries], capture_output=True, text=True, check=False)
    for name in sorted({line.split(":")[0] for line in owners.stdout.splitlines()}):
        shown = ["dpkg-query", "-W", "-f", "${Version}\n", name]
        version = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.split("\n")[0]
        text = Path("/usr/share/doc", name, "copyright")
        yield Part("deb", name, version, texts=(text,) if text.is_file() else ())


def bill_of_materials(parts: Iterable[Part]) -> str:
    """Return a bill of materials in CycloneDX's JSON."""
    from engine.version import __version__

    bom = Bom()
    bom.metadata.component = Component(name="clcd", version=__version__, type=ComponentType.APPLICATION)
    for part in parts:
        licences = [LicenseFactory().make_from_string(part.licence)] if part.licence else []
        component = Component(
            name=part.name,
            version=part.version,
            type=ComponentType.LIBRARY,
            licenses=licences,
            purl=PackageURL(part.kind, "debian" if part.kind == "deb" else None, part.name, part.version),
            bom_ref=f"{part.kind}:{part.name}",
        )
        bom.components.add(component)
        bom.register_dependency(bom.metadata.component, [component])
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=2)


def write_parts(files: Iterable[str], folder: Path) -> None:
    """Write ``sbom.json`` and the folder ``licences`` for what was collected."""
    parts = parts_of(files)
    (folder / "sbom.json").write_text(bill_of_materials(parts), encoding="utf-8")
    licences = folder / "licences"
    shutil.rmtree(licences, ignore_errors=True)
    licences.mkdir(parents=True)
    for part in parts:
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in part.texts]
        head = f"{part.name} {part.version}\n{part.licence}\n"
        (licences / f"{part.name}.txt").write_text("\n\n".join([head, *texts]), encoding="utf-8")
