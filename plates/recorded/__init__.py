"""Recordings, and all that they are held to."""
