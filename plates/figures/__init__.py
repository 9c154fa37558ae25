"""From a frame to one figure in three layers."""
