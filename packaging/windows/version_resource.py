"""What Windows shows of the programs under *Properties → Details*, in the words that PyInstaller reads."""

from __future__ import annotations

from pathlib import Path

from engine.version import __version__

# American English, in Unicode.
_LANGUAGE, _LETTERS = 0x0409, 1200
_TITLES = {"clcd-gui": "CLCD", "clcd": "CLCD in the terminal"}

_RESOURCE = """\
VSVersionInfo(
    ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}),
    kids=[
        StringFileInfo([StringTable("{language:04X}{letters:04X}", [
{strings}
        ])]),
        VarFileInfo([VarStruct("Translation", [{language}, {letters}])]),
    ],
)
"""


def version_resource(name: str) -> str:
    """Return the version resource of a program.

    Parameters
    ----------
    name : str
        ``"clcd"`` or ``"clcd-gui"``.
    """
    words = {
        "CompanyName": "The CLCD authors",
        "FileDescription": _TITLES[name],
        "FileVersion": __version__,
        "InternalName": name,
        "LegalCopyright": "The CLCD authors, MIT licence",
        "OriginalFilename": f"{name}.exe",
        "ProductName": "CLCD",
        "ProductVersion": __version__,
    }
    return _RESOURCE.format(
        numbers=(*(int(each) for each in __version__.split(".")), 0),
        language=_LANGUAGE,
        letters=_LETTERS,
        strings="\n".join(f"            StringStruct({key!r}, {value!r})," for key, value in words.items()),
    )


def write_version_resource(name: str, path: Path) -> None:
    """Write the version resource of a program into a file."""
    path.write_text(version_resource(name), encoding="utf-8")
