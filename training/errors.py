"""What went wrong, in words that a message can end with."""


def reason(error: Exception) -> str:
    """Say what an error says.

    Args:
        error: any.

    Returns:
        Of the system's errors their words, without their number and the file's name; of others all.
    """
    if isinstance(error, KeyError):
        return f"no {error}"
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
