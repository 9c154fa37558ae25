"""A recording as search engines of data read it: schema.org's Dataset, in the page's own words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from plates.recorded.recordings import Recording

LICENCE = "https://creativecommons.org/licenses/by/4.0/"
FORMATS = {"csv": "text/csv", "json": "application/json"}


def described(recording: Recording, book: str, authors: str, address: Callable[[str], str]) -> dict[str, Any]:
    """Describe a recording.

    Args:
        recording: any.
        book: the volume's title.
        authors: who made it, as one name.
        address: gives a file's address from its name.

    Returns:
        The description, as JSON-LD has it.
    """
    told = recording.manifest
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"{book}: the recording {recording.name}",
        "description": _words(recording),
        "license": LICENCE,
        "creator": {"@type": "Organization", "name": authors},
        "dateCreated": told["recorded_at"],
        "isAccessibleForFree": True,
        "isBasedOn": f"{told['corpus']['name']} {told['corpus']['version']}: {told['corpus']['source']}",
        "measurementTechnique": told["command"],
        "variableMeasured": [
            "training loss, nats per token",
            "held-out loss, nats per token",
            "held-out bits per byte",
        ],
        "distribution": [_file(name, each, address) for name, each in recording.files.items()],
    }


def block(description: dict[str, Any]) -> Markup:
    """Set a description as a block of data, which no browser runs.

    Args:
        description: as `described` gives it.

    Returns:
        The block, in one line.
    """
    # A `<` could end the block, and a brace be an author's macro under another builder.
    text = json.dumps(description, ensure_ascii=True).replace("<", "\\u003c").replace("&", "\\u0026")
    return Markup(f'<script type="application/ld+json">{text}</script>')


def _words(recording: Recording) -> str:
    runs = ", ".join(recording.runs.index)
    steps = int(recording.curves["step"].max())
    return (
        f"Losses of {len(recording.runs)} recorded runs of a small transformer ({runs}) on training and on "
        f"held-out text, from step 0 to step {steps}, with recipe, versions and the hash of every file."
    )


def _file(name: str, about: Mapping[str, Any], address: Callable[[str], str]) -> dict[str, Any]:
    return {
        "@type": "DataDownload",
        "name": name,
        "contentUrl": address(name),
        "contentSize": f"{about['bytes']} B",
        "encodingFormat": FORMATS.get(name.rpartition(".")[2], "application/octet-stream"),
        "sha256": about["sha256"],
    }
