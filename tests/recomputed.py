"""Every finding of the evidence computed once more from the CSV files, by plain loops, and worded anew."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

T95 = {2: 4.302652729911275, 4: 2.7764451051977987}
"""Student's t at 95 %, two-sided, by degrees of freedom; from a printed table."""
SEEDS = ("output-head", "seed-11", "seed-12", "seed-13", "seed-14")
Row = dict[str, str]


def printed(value: float | Decimal, digits: int = 3, signed: bool = False) -> str:
    text = f"{abs(Decimal(value)).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP):,}"
    zero = not text.strip("0.,")
    return ("−" if value < 0 and not zero else "+" if signed and value > 0 and not zero else "") + text


def points(value: float, digits: int) -> str:
    return percent(value, digits).removesuffix("%")


def percent(value: float, digits: int = 0) -> str:
    return printed(Decimal(value) * 100, digits) + "%"


class Found:
    """A mean with Student's interval."""

    def __init__(self, values: Sequence[float]) -> None:
        self.mean = sum(values) / len(values)
        square = 0.0
        for value in values:
            square += (value - self.mean) ** 2
        self.half = T95[len(values) - 1] * math.sqrt(square / (len(values) - 1) / len(values))

    def side(self) -> int:
        return -1 if self.mean + self.half < 0 else 1 if self.mean - self.half > 0 else 0

    def text(self, form: Callable[[float], str] = printed) -> str:
        low, high = self.mean - self.half, self.mean + self.half
        return f"{form(self.mean)} (95% interval {form(low)} to {form(high)})"

    def half_text(self) -> str:
        return f"{printed(self.mean, signed=True)} ± {printed(self.half)}"


class Recorded:
    """The CSV files of all recordings in a folder."""

    def __init__(self, generated: Path) -> None:
        self.generated = generated
        self.names = sorted(manifest.parent.name for manifest in generated.glob("*/manifest.json"))

    def has(self, *names: str) -> bool:
        return all((self.generated / name / "frequencies.csv").exists() for name in names)

    def rows(self, recording: str, file_name: str, **wanted: str) -> list[Row]:
        with (self.generated / recording / file_name).open(newline="", encoding="utf-8") as file:
            every = list(csv.DictReader(file))
        return [row for row in every if all(row[key] == value for key, value in wanted.items())]

    def run(self, recording: str, name: str) -> Row:
        (row,) = self.rows(recording, "runs.csv", run=name)
        return row

    def corpus(self, recording: str) -> dict[str, int]:
        told = json.loads((self.generated / recording / "manifest.json").read_text(encoding="utf-8"))
        corpus: dict[str, int] = told["corpus"]
        return corpus

    def gap(self, recording: str, column: str, tied: str = "tied", untied: str = "untied") -> float:
        return float(self.run(recording, untied)[column]) - float(self.run(recording, tied)[column])

    def curve_gap(self, recording: str, column: str) -> list[tuple[int, float]]:
        of: dict[int, dict[str, float]] = {}
        for row in self.rows(recording, "curves.csv"):
            of.setdefault(int(row["step"]), {})[row["run"]] = float(row[column])
        return [(step, both["untied"] - both["tied"]) for step, both in sorted(of.items())]


def luck(data: Recorded) -> list[str]:
    heldout = [data.gap(name, "final_heldout_loss") for name in SEEDS]
    train = [data.gap(name, "final_train_loss") for name in SEEDS]
    ahead = sum(1 for each in heldout if each < 0)
    verdict = {
        -1: "the untied model is ahead, and by more than the luck of a seed",
        1: "the tied model is ahead, and by more than the luck of a seed",
        0: "The interval holds zero: with these seeds the difference cannot be told apart from luck",
    }[Found(heldout).side()]
    gone = Found([a - b for a, b in zip(heldout, train, strict=True)])
    lost = 1 - Found(heldout).mean / Found(train).mean
    return [
        (
            f"Over 5 seeds the difference on held-out text is {Found(heldout).text()}; "
            f"the untied model is ahead in {ahead} of 5 pairs."
        ),
        verdict,
        f"On training text it is {Found(train).text()}.",
        f"So {percent(lost)} of what the second table gains is of the training text alone"
        if gone.side() > 0 > Found(train).side()
        else "The untied model does less well on held-out text than on training text"
        if gone.side() > 0
        else "The difference on held-out text is not smaller than that",
        over_addresses(data),
    ]


def over_addresses(data: Recorded) -> str:
    parts = []
    for tied in data.rows("output-head", "addresses.csv", run="tied"):
        (untied,) = data.rows("output-head", "addresses.csv", run="untied", address=tied["address"])
        parts.append((int(tied["tokens"]), float(untied["heldout_loss"]) - float(tied["heldout_loss"])))
    chance, means = random.Random(0), []
    for _ in range(10_000):
        tokens, total = 0, 0.0
        for _ in parts:
            weight, value = parts[math.floor(chance.random() * len(parts))]
            tokens, total = tokens + weight, total + weight * value
        means.append(total / tokens)
    means.sort()
    low, high = printed(means[250]), printed(means[-251])
    mean = printed(sum(w * v for w, v in parts) / sum(w for w, _ in parts))
    return (
        f"drawn anew 10,000 times, the difference is {mean} (95% interval {low} to {high}), "
        f"over {len(parts)} addresses"
    )


def budget(data: Recorded) -> list[str]:
    seeds = {7: "output-head", 11: "seed-11", 12: "seed-12"}
    tied = [float(data.run(name, "tied")["final_heldout_loss"]) for name in seeds.values()]
    ways = {
        "second table": [float(data.run(name, "untied")["final_heldout_loss"]) for name in seeds.values()],
        "wider MLP": [float(data.run("wider", f"wider-{s}")["final_heldout_loss"]) for s in seeds],
        "more blocks": [float(data.run("deeper", f"deeper-{s}")["final_heldout_loss"]) for s in seeds],
    }
    # A block of micro's: four matrices of d × d, two of d × f, two gains of d.
    shapes = {"second table": (512, 4, 2), "wider MLP": (1536, 4, 1), "more blocks": (512, 9, 1)}
    said = []
    for name, losses in ways.items():
        f, blocks, tables = shapes[name]
        title = {"wider MLP": f"MLPs of {f:,}", "more blocks": f"{blocks} blocks"}.get(name, f"a {name}")
        change = Found([ours - theirs for ours, theirs in zip(losses, tied, strict=True)])
        more = size(f, blocks, tables) / size(512, 4, 1) - 1, work(f, blocks) / work(512, 4) - 1
        said.append(f"{title} +{percent(more[0])} +{percent(more[1])} {change.half_text()}")
    wider, deeper = (
        Found([ours - theirs for ours, theirs in zip(ways[name], ways["second table"], strict=True)])
        for name in ("wider MLP", "more blocks")
    )
    words = {-1: "better", 0: "not to be told apart", 1: "worse"}
    said.append(
        f"the wider MLP’s loss less the second table’s is {wider.text()}, {words[wider.side()]}, "
        f"and that of the additional blocks {deeper.text()}, {words[deeper.side()]}."
    )
    if wider.side() < 0 or deeper.side() < 0:
        said.append("What is usually supposed is borne out")
    elif wider.side() > 0 and deeper.side() > 0:
        said.append("What is usually supposed is not borne out here: the second table bought more")
    else:
        said.append("So 3 seeds do not bear out that width or depth would do better")
    return said


def size(f: int, blocks: int, tables: int) -> int:
    return tables * 8192 * 128 + 128 * 128 + blocks * (4 * 128**2 + 2 * 128 * f + 2 * 128) + 128


def work(f: int, blocks: int) -> int:
    return 8192 * 128 + blocks * (4 * 128**2 + 2 * 128 * f + 2 * 128 * 128)


def rates(data: Recorded) -> list[str]:
    names = ("0.002", "0.004", "0.008")
    gaps = [data.gap("learning-rate", "final_heldout_loss", f"tied-{r}", f"untied-{r}") for r in names]
    best = {
        head: min(
            (float(data.run("learning-rate", f"{head}-{rate}")["final_heldout_loss"]), rate) for rate in names
        )
        for head in ("tied", "untied")
    }
    apart = printed(best["untied"][0] - best["tied"][0], signed=True)
    first, second, third = (printed(gap, signed=True) for gap in gaps)
    ahead = sum(1 for gap in gaps if printed(gap, signed=True).startswith("−"))
    behind = sum(1 for gap in gaps if printed(gap, signed=True).startswith("+"))
    verdict = (
        "The sign holds: the untied model is ahead at every one"
        if ahead == 3
        else "The sign holds, and it is the tied model’s"
        if behind == 3
        else f"The sign does not hold: the untied model is ahead at {ahead} of 3, and behind at {behind}"
    )
    return [
        f"At 0.002, 0.004 and 0.008 the difference is {first}, {second} and {third}, one pair each.",
        verdict,
        (
            f"The tied model ends lowest at {best['tied'][1]} and the untied one at {best['untied'][1]}; "
            f"each at its own best, they are {apart} apart."
        ),
    ]


def decay(data: Recorded) -> list[str]:
    without, recorded = (data.gap(name, "final_heldout_loss") for name in ("table-decay", "output-head"))
    moved = [
        float(data.run("table-decay", head)["final_heldout_loss"])
        - float(data.run("output-head", head)["final_heldout_loss"])
        for head in ("tied", "untied")
    ]
    same = sign(without) == sign(recorded)
    return [
        (
            f"Without decay the difference is {printed(without, signed=True)}, with it "
            f"{printed(recorded, signed=True)}: "
            f"{'the sign holds' if same else 'the sign does not hold'}. Leaving the decay out moves the tied "
            f"model’s loss by {printed(moved[0], signed=True)} and the untied one’s by "
            f"{printed(moved[1], signed=True)}."
        )
    ]


def sign(value: float) -> str:
    return printed(value, signed=True)[0].replace("0", "")


def data_(data: Recorded) -> list[str]:
    said = []
    counts = {name: data.corpus(name) for name in ("output-head", "quarter")}
    passes = {
        name: printed(int(data.run(name, "tied")["tokens_seen"]) / counts[name]["train_tokens"], 1)
        for name in counts
    }
    whole, part = counts["output-head"], counts["quarter"]
    said.append(
        f"On all {whole['train_addresses']} addresses the runs make {passes['output-head']} passes, "
        f"on {part['train_addresses']} of them {passes['quarter']}."
    )
    heldout, train = (
        [printed(data.gap(name, column), signed=True) for name in counts]
        for column in ("final_heldout_loss", "final_train_loss")
    )
    said.append(
        f"At the end the difference on held-out text is {heldout[0]} with all and {heldout[1]} with a "
        "quarter; "
        f"on training text, {train[0]} and {train[1]}."
    )
    flips = {heldout[0][0], heldout[1][0]} == {"+", "−"}
    said.append("The claim is borne out for this pair" if flips else "on held-out text does not turn round.")
    lowest = {}
    for head in ("tied", "untied"):
        curve = [
            (float(row["heldout_loss"]), int(row["step"]))
            for row in data.rows("quarter", "curves.csv", run=head)
        ]
        lowest[head] = (*min(curve), curve[-1][0] - min(curve)[0])
    if any(printed(rise) != "0.000" for _, _, rise in lowest.values()):
        (tied, tied_step, tied_rise), (untied, untied_step, untied_rise) = lowest["tied"], lowest["untied"]
        said.append(
            f"the tied run at step {tied_step:,}, from where its held-out loss rose by "
            f"{printed(tied_rise)}, the "
            f"untied one at step {untied_step:,}, from where it rose by {printed(untied_rise)}. Each at "
            "its own best "
            f"step, the difference is {printed(untied - tied, signed=True)}."
        )
    return said


def rare(data: Recorded) -> list[str]:
    groups: dict[int, list[float]] = {}
    for name in SEEDS:
        for tied in data.rows(name, "frequencies.csv", run="tied"):
            (untied,) = data.rows(name, "frequencies.csv", run="untied", group=tied["group"])
            gap = float(untied["heldout_loss"]) - float(tied["heldout_loss"])
            groups.setdefault(int(tied["group"]), []).append(gap)
    table = {int(row["group"]): row for row in data.rows("output-head", "frequencies.csv", run="tied")}
    total = sum(int(row["heldout_tokens"]) for row in table.values())
    shares = {group: int(row["heldout_tokens"]) / total for group, row in table.items()}
    first, last = min(groups), max(groups)
    contrast = Found([a - b for a, b in zip(groups[first], groups[last], strict=True)])
    parts = {group: shares[group] * Found(values).mean for group, values in groups.items()}
    sides = [Found(values).side() for values in groups.values()]
    verdict = {
        -1: "The argument is not borne out. It is the rare tokens that gain most from a table of their own: "
        f"the first difference is lower than the second by {contrast.text()}.",
        1: "The argument is borne out: against the most frequent tokens the rare ones lose by untying, "
        f"{contrast.text()}.",
        0: f"The two are not told apart, {contrast.text()}: the argument is neither borne out nor refuted.",
    }[contrast.side()]
    return [
        (
            f"at most {int(table[first]['most_count']):,} times in the training text, the difference is "
            f"{Found(groups[first]).text()}; for the tenth that comes most often, {percent(shares[last])} of "
            "all held-out "
            f"tokens, it is {Found(groups[last]).text()}."
        ),
        verdict,
        (
            f"Of {len(groups)} groups the untied model is ahead in {sides.count(-1)} and the tied one in "
            f"{sides.count(1)}, "
            "zero outside the interval."
        ),
        (
            f"{percent(parts[last] / sum(parts.values()))} of the difference over all tokens comes from the "
            "most frequent"
        ),
    ]


def repeats(data: Recorded) -> list[str]:
    own = {head: data.rows("output-head", "repeats.csv", run=head) for head in ("tied", "untied")}
    tied, untied = own["tied"], own["untied"]

    def at(rows: list[Row], column: str, index: int) -> float:
        return float(rows[index][column])

    fallen = next(
        (row for row in tied if float(row["own_top_share"]) < at(tied, "own_top_share", 0) / 10), tied[-1]
    )
    rate = percent(at(tied, "repeat_rate", 0), 2)
    starts = [at(rows, "own_top_share", 0) for rows in (tied, untied)]
    ends = [
        [percent(at(rows, f"own_{what}", -1), 2) for rows in (tied, untied)]
        for what in ("top_share", "probability")
    ]
    logits = [[printed(at(rows, "own_logit", i), 2, signed=True) for i in (0, -1)] for rows in (tied, untied)]
    said = [
        (
            f"scores highest at {percent(starts[0], 1)} of held-out positions in the tied model, and at "
            f"{percent(starts[1], 3)} in the untied one."
        ),
        "So the pull is there." if starts[0] > 10 * starts[1] else "So there is hardly such a pull.",
        (
            f"at step {int(fallen['step']):,} the token is on top at fewer than a tenth as many places, and "
            f"at the end at {ends[0][0]}, tied, and {ends[0][1]}, untied. In truth it comes once more at "
            f"{rate}, and the probability that the models give to it ends at {ends[1][0]} and {ends[1][1]}."
        ),
        (
            f"goes from {logits[0][0]} to {logits[0][1]} in the tied model, and from {logits[1][0]} to "
            f"{logits[1][1]} in "
            "the untied one."
        ),
        written(data, "output-head"),
    ]
    return said + (over_seeds(data) if data.has(*SEEDS) else ["waits for the other seeds."])


def written(data: Recorded, name: str) -> str:
    (tied,), (untied,) = (data.rows(name, "continuations.csv", run=head) for head in ("tied", "untied"))
    tokens, grams = (
        [float(row[f"repeated_{what}_share"]) for row in (tied, untied)] for what in ("token", "4gram")
    )
    return (
        f"Each continued {tied['prompts']} passages of {tied['prompt_tokens']} held-out tokens by "
        f"{tied['continuation_tokens']} more, always taking the likeliest. Of these "
        f"{percent(tokens[0], 2)} repeat the "
        f"token before them, tied, and {percent(tokens[1], 2)}, untied; of the passages of four tokens, "
        f"{percent(grams[0], 1)} and {percent(grams[1], 1)} had come before"
    )


def over_seeds(data: Recorded) -> list[str]:
    gaps: dict[str, list[float]] = {"token": [], "4gram": [], "probability": []}
    for name in SEEDS:
        (tied,), (untied,) = (data.rows(name, "continuations.csv", run=head) for head in ("tied", "untied"))
        for what in ("token", "4gram"):
            gaps[what].append(float(untied[f"repeated_{what}_share"]) - float(tied[f"repeated_{what}_share"]))
        last = [data.rows(name, "repeats.csv", run=head)[-1] for head in ("tied", "untied")]
        gaps["probability"].append(float(last[1]["own_probability"]) - float(last[0]["own_probability"]))
    token, gram, probability = (Found(gaps[what]) for what in ("token", "4gram", "probability"))
    sides = {token.side(), gram.side()}
    verdict = (
        "The tied models do repeat themselves more."
        if -1 in sides
        else "It is the untied models that repeat themselves more."
        if 1 in sides
        else "tying has no part in it that could be told from luck."
    )
    return [
        (
            f"Over the seeds the shares differ, untied less tied, by {token.text(lambda v: points(v, 2))} "
            f"and by {gram.text(lambda v: points(v, 1))} percentage points. "
        ),
        verdict,
        (
            "Over the seeds the two final probabilities differ by "
            f"{probability.text(lambda v: points(v, 3))} percentage points."
        ),
    ]


def roles(data: Recorded) -> list[str]:
    means: dict[tuple[str, str], list[float]] = {}
    whole: dict[str, list[float]] = {"input": [], "output": [], "shuffled": []}
    for name in SEEDS:
        for table, own in whole.items():
            total = tokens = 0.0
            for row in data.rows(name, "roles.csv", table=table):
                means.setdefault((table, row["group"]), []).append(float(row["mean_cosine"]))
                total += float(row["mean_cosine"]) * int(row["vocabulary_tokens"])
                tokens += int(row["vocabulary_tokens"])
            own.append(total / tokens)
    lean = Found([a - b for a, b in zip(whole["output"], whole["input"], strict=True)])
    groups = sorted({int(group) for _, group in means})
    sides = [
        Found([a - b for a, b in zip(means["output", str(g)], means["input", str(g)], strict=True)]).side()
        for g in groups
    ]
    ends = [
        " and ".join(printed(sum(means[table, str(g)]) / 5, 2) for table in ("output", "input"))
        for g in (groups[0], groups[-1])
    ]
    all_ = {table: printed(sum(own) / 5, 2) for table, own in whole.items()}
    verdict = {
        1: "The shared row is an output row, as",
        -1: "The shared row is an input row, which is not what",
        0: "The shared row leans to neither;",
    }[lean.side()]
    return [
        (
            f"the mean cosine with the output rows is {all_['output']} and with the input rows "
            f"{all_['input']}; rows of "
            f"other tokens come to {all_['shuffled']}. The first less the second is "
            f"{lean.text(lambda v: printed(v, 2))}."
        ),
        verdict,
        (
            f"Of {len(groups)} groups by frequency, {sides.count(1)} lean to the output and "
            f"{sides.count(-1)} to the input"
        ),
        f"For the rarest tokens the two cosines are {ends[0]}, for the most frequent {ends[1]}.",
    ]


def ladder(data: Recorded) -> list[str]:
    rows = {row["model"]: row for row in data.rows("output-head", "baselines.csv")}
    micro = {head: data.run("output-head", head) for head in ("tied", "untied")}
    said = [
        f"{name} {printed(float(row['heldout_loss']))} {printed(float(row['heldout_bits_per_byte']))}"
        for name, row in rows.items()
    ]
    said += [
        f"micro, {head} {printed(float(row['final_heldout_loss']))} "
        f"{printed(float(row['heldout_bits_per_byte']))}"
        for head, row in micro.items()
    ]
    loss, better = min((float(row["final_heldout_loss"]), head) for head, row in micro.items())
    below = float(rows["bigram"]["heldout_loss"]) - loss
    return [*said, f"Micro’s better model, the {better} one, is {printed(below)} nats below the bigram model"]


FINDINGS: dict[str, tuple[tuple[str, ...], Callable[[Recorded], list[str]]]] = {
    "luck": (SEEDS, luck),
    "budget": ((*SEEDS[:3], "wider", "deeper"), budget),
    "rates": (("output-head", "learning-rate"), rates),
    "decay": (("output-head", "table-decay"), decay),
    "data": (("output-head", "quarter"), data_),
    "rare": (SEEDS, rare),
    "repeats": (("output-head",), repeats),
    "roles": (SEEDS, roles),
    "ladder": (("output-head",), ladder),
}
"""Each finding's recordings, and what the page must say of it."""


def told(generated: Path) -> Iterable[tuple[str, list[str] | None]]:
    """Each finding's sentences, or None where a recording that it needs is not there."""
    data = Recorded(generated)
    for name, (needed, words) in FINDINGS.items():
        is_there = data.has(*needed) and (name != "rates" or len(data.rows("learning-rate", "runs.csv")) == 6)
        yield name, words(data) if is_there else None
