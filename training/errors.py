"""What went wrong, in words that a message can end with."""


def reason(error: Exception) -> str:
    """Say what an error says; of the system's, its words without their number and the file's name."""
    if isinstance(error, KeyError):
        return f"no {error}"
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
