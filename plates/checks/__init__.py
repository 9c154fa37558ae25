"""The author's checks: a file for each kind of fault."""
