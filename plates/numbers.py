"""One formatter for prose, tables, axes and read-outs: a number is printed here or nowhere.

Every function takes a number, or a text that stands for one, and returns text. Rounding is half away from
zero on the exact binary value, as JavaScript's `toFixed` does it, so that a script of ours can be held
against this module digit by digit.
"""

import datetime as dt
import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from numbers import Integral, Real
from typing import Any

MINUS = "\u2212"
NO_BREAK_SPACE = "\u00a0"
NAMES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
BYTES = ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"))
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
# A float's exact value has up to 309 digits before the point.
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)


def count(value: int) -> str:
    """Print a whole number, thousands parted by commas.

    Args:
        value: any whole number.

    Returns:
        For example "1,852,544".

    Raises:
        ValueError: the value is not a whole number of an integer type.
    """
    return _group(_checked("count", value, whole=True), 0)


def compact(value: float, digits: int = 3) -> str:
    """Print a large number in words, trailing zeros dropped.

    Args:
        value: any finite number; one under a million is printed whole.
        digits: significant digits, at least 1.

    Returns:
        For example "1.85 million".
    """
    number = _checked("compact", value)
    if digits < 1:
        raise ValueError(f"compact: wanted at least 1 significant digit, got {digits}")
    rounded = _significant(number, digits)
    for size, name in NAMES:
        if abs(rounded) >= size:
            text = _group(rounded / size, max(0, digits - 1 - (rounded / size).adjusted()))
            return f"{_drop_zeros(text)} {name}"
    return _group(number, 0)


def memory(size: int) -> str:
    """Print a number of bytes to three digits, by powers of a thousand: 2,097,152 is "2.1 MB"."""
    number = _checked("memory", size, whole=True)
    rounded = _significant(number, 3)
    for unit, name in BYTES:
        if abs(rounded) >= unit:
            return f"{_drop_zeros(_group(rounded / unit, max(0, 2 - (rounded / unit).adjusted())))} {name}"
    return f"{_group(number, 0)} bytes"


def percent(value: float, digits: int = 0) -> str:
    """Print a share, given as a fraction of one, with the sign closed up: 0.566 is "57%"."""
    return _group(_checked("percent", value) * 100, digits) + "%"


def points(value: float, digits: int = 1) -> str:
    """Print a difference of two shares, each a fraction of one, in percentage points: −0.0302 is "−3.0"."""
    return _group(_checked("points", value) * 100, digits)


def nats(value: float, signed: bool = False) -> str:
    """Print a loss in nats per token with three decimals; `signed` prints a difference: "−0.060"."""
    number = _checked("nats", value)
    text = _group(number, 3)
    return f"+{text}" if signed and number > 0 and text.strip("0.") else text


def bits(value: float) -> str:
    """Print bits per byte with three decimals."""
    return _group(_checked("bits", value), 3)


def interval(
    mean: float, low: float, high: float, level: float, name: str = "nats", digits: int | None = None
) -> str:
    """Print a mean with its interval: "−0.031 (95% interval −0.040 to −0.022)".

    Args:
        mean: in the unit of the form.
        low: end of the interval.
        high: the other end.
        level: of the interval, a share of one.
        name: of the form that prints the three.
        digits: for a form that takes them; the form's own by default.
    """
    more = () if digits is None else (digits,)
    middle, start, end = (form(name)(each, *more) for each in (mean, low, high))
    return f"{middle} ({percent(level)} interval {start} to {end})"


def perplexity(loss: float) -> str:
    """Print the perplexity, exp of a loss in nats per token, with one decimal.

    Raises:
        ValueError: the loss is so large that its exponential is no finite number.
    """
    number = float(_checked("perplexity", loss))
    if number > math.log(1e300):
        raise ValueError(f"perplexity: wanted nats per token, got {loss!r}; its exponential overflows")
    return decimal(math.exp(number), 1)


def decimal(value: float, digits: int = 2, signed: bool = False) -> str:
    """Print a number with a fixed count of decimals and grouped thousands."""
    number = _checked("decimal", value)
    text = _group(number, digits)
    return f"+{text}" if signed and number > 0 and text.strip("0.,") else text


def times(value: float, digits: int = 1) -> str:
    """Print a factor with its sign, which never stands alone at the start of a line: "5.3 ×"."""
    return _group(_checked("times", value), digits) + NO_BREAK_SPACE + "×"


def minutes(seconds: float, digits: int = 1) -> str:
    """Print a time given in seconds as minutes: 624 is "10.4 minutes"."""
    return _group(_checked("minutes", seconds) / 60, digits) + " minutes"


def learning_rate(value: float) -> str:
    """Print a learning rate as it was set, never in powers of ten: "0.002"."""
    _checked("learning_rate", value)
    return _drop_zeros(format(Decimal(repr(float(value))), "f"))


def sha(hexdigest: str) -> str:
    """Print the first twelve digits of a hexadecimal digest.

    Raises:
        ValueError: the text is no digest of lower-case hexadecimal digits.
    """
    if not isinstance(hexdigest, str) or not re.fullmatch(r"[0-9a-f]{12,}", hexdigest):
        raise ValueError(f"sha: wanted a digest of lower-case hexadecimal digits, got {hexdigest!r}")
    return hexdigest[:12]


def day(date: str) -> str:
    """Print an ISO date in words: "2026-01-31" is "31 January 2026", the month held to its day.

    Raises:
        ValueError: the text is no ISO date.
    """
    try:
        found = dt.date.fromisoformat(date)
    except (TypeError, ValueError):
        found = None
    if found is None or found.isoformat() != date:  # Python reads other forms of ISO 8601 too
        raise ValueError(f"day: wanted an ISO date such as 2026-01-31, got {date!r}")
    return f"{found.day}{NO_BREAK_SPACE}{MONTHS[found.month - 1]} {found.year}"


def tick(value: float, spacing: float) -> str:
    """Print an axis's tick with the decimals that its neighbours' distance asks for, and no more.

    Args:
        value: where the tick stands.
        spacing: distance to the next tick, in the same unit, above zero.
    """
    number = _checked("tick", value)
    step = _significant(_checked("tick", spacing), 3).normalize()
    exponent = step.as_tuple().exponent
    assert isinstance(exponent, int)
    return _group(number, max(0, -exponent))


def _checked(name: str, value: object, whole: bool = False) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name}: wanted a number, got {value!r} of type {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"{name}: wanted a finite number, got {value!r}; no recording may hold it")
    if isinstance(value, Integral):
        return Decimal(int(value))
    if whole:
        raise ValueError(f"{name}: wanted a whole number, got {value!r}; round it first or use another form")
    return Decimal(float(value))


def _group(number: Decimal, digits: int) -> str:
    rounded = number.quantize(Decimal(1).scaleb(-digits), context=_EXACT)
    sign = MINUS if rounded < 0 else ""
    return f"{sign}{abs(rounded):,f}"


def _significant(number: Decimal, digits: int) -> Decimal:
    if not number:
        return number
    return Context(prec=digits, rounding=ROUND_HALF_UP).plus(number)


def _drop_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


FILTERS: dict[str, Callable[..., str]] = {
    one.__name__: one
    for one in (
        *(count, compact, memory, percent, points, nats, bits, perplexity),
        *(decimal, times, minutes, learning_rate, sha, day),
    )
}
OF_TEXT = {"sha", "day"}
"""Those that print no number, and so no axis."""


def form(name: str) -> Callable[[Any], str]:
    """Give the formatter of an axis by its name.

    Raises:
        ValueError: no formatter bears the name.
    """
    if name not in FILTERS or name in OF_TEXT:
        raise ValueError(f"no number form {name!r}; forms are {', '.join(sorted(set(FILTERS) - OF_TEXT))}")
    return FILTERS[name]
