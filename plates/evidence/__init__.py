"""What was measured beside the plate's pair: a file for each question, and their figures."""
