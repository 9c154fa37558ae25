"""From the committed recordings to facts and figures; the words are in `docs/plates`."""
