"""What macOS is told of the program: the ``Info.plist`` of ``CLCD.app``."""

from __future__ import annotations

from typing import Any

from engine.version import __version__

IDENTIFIER = "org.clcd.window"
PROJECT_TYPE = "org.clcd.project"
# What the oldest of the libraries inside asks for: Qt 6.10.
OLDEST_SYSTEM = "13.0"


def bundle_properties() -> dict[str, Any]:
    """Return the properties of the bundle, with the type of its documents."""
    return {
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleName": "CLCD",
        "CFBundleDisplayName": "CLCD",
        "CFBundleShortVersionString": __version__,
        "CFBundleVersion": __version__,
        "LSApplicationCategoryType": "public.app-category.education",
        "LSMinimumSystemVersion": OLDEST_SYSTEM,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The CLCD authors, MIT licence",
        "NSRequiresAquaSystemAppearance": False,
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "CLCD project",
                "CFBundleTypeRole": "Editor",
                "CFBundleTypeIconFile": "document.icns",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [PROJECT_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": PROJECT_TYPE,
                "UTTypeDescription": "CLCD project",
                "UTTypeIconFile": "document.icns",
                "UTTypeConformsTo": ["public.data", "public.archive"],
                "UTTypeTagSpecification": {"public.filename-extension": ["clcd"]},
            }
        ],
    }
