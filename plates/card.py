"""The picture that stands for the volume where a link to it is shown: its title and its ornament.

`make card` draws it anew. The picture is committed, so that every build ships the same bytes, and holds the
hash of the page that it was taken of, so that a test can tell an old one.
"""

from __future__ import annotations

import hashlib
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader

TARGET = Path("docs/assets/card.png")
# The size that those who show links ask for, in pixels.
SIZE = (1200, 630)
KEYWORD = b"Source\0"
PAGE = """<!doctype html>
<meta charset="utf-8">
<title>{{ title }}</title>
<style>
  * { box-sizing: border-box; margin: 0; }
  body {
    width: {{ width }}px; height: {{ height }}px; padding: 0 80px;
    display: flex; align-items: center; gap: 40px;
    background: #fbf8f1; color: #1d1b16;
    font: 30px / 1.4 "Iowan Old Style", Palatino, "URW Palladio L", P052, Georgia, "Liberation Serif", serif;
  }
  body::after { content: ""; position: fixed; inset: 28px; border: 1px solid #9a917d; }
  main { flex: 1; }
  .line { letter-spacing: .16em; text-transform: uppercase; font-size: 22px; color: #665f50; }
  h1 { font-weight: 400; font-size: 84px; line-height: 1.1; margin: 26px 0 30px; }
  .lede { font-style: italic; max-width: 15em; }
  .rosette { width: 440px; height: 440px; stroke-width: .3; }
  .rosette text { font-size: 19px; stroke: none; }
</style>
<main>
  <p class="line">Volume {{ numeral }} of a textbook</p>
  <h1>{{ title }}</h1>
  <p class="lede">Every number computed, every comparison measured.</p>
</main>
{{ rosette(plates, numeral) }}
"""


def page(root: Path) -> str:
    """Write the page that the picture is taken of.

    Args:
        root: the folder of mkdocs.yml.

    Returns:
        The page.
    """
    volume = _volume(root)
    pieces = Environment(loader=FileSystemLoader(root / "plates" / "theme" / "partials"), autoescape=False)
    rosette = pieces.get_template("rosette.html").module.rosette  # type: ignore[attr-defined]
    width, height = SIZE
    drawn = Environment(autoescape=False).from_string(PAGE)
    return drawn.render(volume, width=width, height=height, rosette=rosette)


def stamped(picture: bytes, text: str) -> bytes:
    """Write the hash of its page into a picture.

    Args:
        picture: a PNG file.
        text: the page.

    Returns:
        The same picture with a chunk of text before its end.
    """
    note = b"tEXt" + KEYWORD + _hash(text)
    chunk = struct.pack(">I", len(note) - 4) + note + struct.pack(">I", zlib.crc32(note))
    return picture[:-12] + chunk + picture[-12:]


def is_of(picture: bytes, text: str) -> bool:
    """Tell whether a picture was drawn from this page."""
    return KEYWORD + _hash(text) in picture[-200:]


def draw(root: Path, chromium: str) -> Path:
    """Draw the picture.

    Args:
        root: the folder of mkdocs.yml.
        chromium: the browser's command, with its flags.

    Returns:
        Where it lies.
    """
    text = page(root)
    with tempfile.TemporaryDirectory() as folder:
        source, picture = Path(folder) / "card.html", Path(folder) / "card.png"
        source.write_text(text, encoding="utf-8")
        window = f"--window-size={SIZE[0]},{SIZE[1]}"
        taken = [f"--screenshot={picture}", window, "--hide-scrollbars", source.as_uri()]
        subprocess.run([*chromium.split(), *taken], check=True, capture_output=True, timeout=120)
        (root / TARGET).write_bytes(stamped(picture.read_bytes(), text))
    return TARGET


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).hexdigest().encode()


def _volume(root: Path) -> dict[str, Any]:
    """What the settings say of the volume; `!ENV` and its like are no matter here."""
    settings = (root / "mkdocs.yml").read_text(encoding="utf-8").replace("!ENV ", "")
    volume: dict[str, Any] = yaml.safe_load(settings)["extra"]["volume"]
    return volume


if __name__ == "__main__":
    print(draw(Path(__file__).parents[1], sys.argv[1]))
