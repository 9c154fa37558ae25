"""From the corpus to the committed recordings: models are trained here, and here alone.

This package may import torch, and never `plates`, mkdocs or plotly; `plates` in turn imports neither this
package nor torch. The two meet in `generated/` alone, so that the book builds from what is committed there.
Nothing is imported in this file: `training.recipe` can be read without torch.
"""
