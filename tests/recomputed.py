"""Every finding of the evidence computed once more from the CSV files, by plain loops, and worded anew."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

T95 = {2: 4.302652729911275, 3: 3.182446305284263, 4: 2.7764451051977987, 5: 2.570581835636314}
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
        return all(name in self.names for name in names)

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
        -1: "in the mean the untied model is ahead, by more than the luck of these seeds explains.",
        1: "in the mean the tied model is ahead, by more than the luck of these seeds explains.",
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
        f"the other 4 alone give {Found(heldout[1:]).text()}.",
        *(one_more(heldout, data) if data.has("learning-rate") else []),
        f"On training text the difference over the 5 seeds is {Found(train).text()}",
        f"So of what the second table gains on training text, {percent(lost)} is not found again"
        if gone.side() > 0 > Found(train).side()
        else "The untied model does less well on held-out text than on training text"
        if gone.side() > 0
        else "The difference on held-out text is not smaller than that",
        over_addresses(data),
    ]


def one_more(heldout: list[float], data: Recorded) -> list[str]:
    more, train = (
        data.gap("learning-rate", column, "tied-0.004", "untied-0.004")
        for column in ("final_heldout_loss", "final_train_loss")
    )
    low, high, own = (printed(value, signed=True) for value in (min(heldout), max(heldout), more))
    mean = f"With it, which was not planned, the mean is {Found([*heldout, more]).text()}."
    if is_among(more, heldout):
        return [f"Its difference is {own}, among those of the 5 seeds. {mean}"]
    return [
        (
            f"Its difference is {own}, and lies outside those of the 5 seeds, which reach from {low} to "
            f"{high}: a seed can do more than so few let see, and more than Student’s interval supposes, "
            f"which counts on a bell curve. {mean}"
        ),
        f", and {printed(train, signed=True)} in the further pair.",
    ]


def is_among(own: float, others: Sequence[float]) -> bool:
    low, value, high = (Decimal(printed(each).replace("−", "-")) for each in (min(others), own, max(others)))
    return low <= value <= high


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
    words = {-1: "better than", 0: "not told apart from", 1: "worse than"}
    said.append(
        f"The wider MLP’s loss less the second table’s is {wider.text()}: {words[wider.side()]} the table. "
        f"That of the additional blocks is {deeper.text()}: {words[deeper.side()]} the table."
    )
    for way, change, name in (("width", wider, "wider MLP"), ("depth", deeper, "more blocks")):
        price = percent(work(*shapes[name][:2]) / work(512, 4) - 1)
        said.append(
            {
                -1: f"For {way} it is borne out, at the price of {price} more arithmetic.",
                1: f"For {way} it is not borne out: the table bought more",
                0: f"As to {way}, 3 seeds do not tell, and it costs {price} more arithmetic.",
            }[change.side()]
        )
    if data.has(*SEEDS):
        whole = Found([data.gap(name, "final_heldout_loss") for name in SEEDS])
        said.append(f"over the 5 of the first question the second table’s change is {whole.text()}.")
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
        "On this seed the sign holds: the untied model is ahead at every one"
        if ahead == 3
        else "The sign is the same at every rate, and it is the tied model’s"
        if behind == 3
        else f"The sign does not hold: the untied model is ahead at {ahead} of 3, and behind at {behind}"
    )
    return [
        f"At 0.002, 0.004 and 0.008 the difference is {first}, {second} and {third}, one pair each.",
        verdict,
        (
            f"The tied model ends lowest at {best['tied'][1]} and the untied one at {best['untied'][1]}; "
            f"each at the best of these rates, picked on the same held-out text, the difference is {apart}."
        ),
        *([beside_the_seeds(gaps[1], data)] if data.has(*SEEDS) else []),
    ]


def beside_the_seeds(own: float, data: Recorded) -> str:
    gaps = sorted(data.gap(name, "final_heldout_loss") for name in SEEDS)
    low, high = (printed(gap, signed=True) for gap in (gaps[0], gaps[-1]))
    apart = (
        ", and that of this seed does not. Neither how much a rate changes the difference nor whether its"
        if not is_among(own, gaps)
        else "."
    )
    return (
        "This rests on seed 1 alone; at the recorded rate, the differences of 5 seeds lie "
        f"between {low} and {high}{apart}"
    )


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
    turned = "In this one pair the sign on held-out text turns round."
    said.append(turned if flips else "on held-out text does not turn round.")
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
            f"was lowest at step {tied_step:,} in the tied run and then rose by {printed(tied_rise)}; in the "
            f"untied run it was lowest at step {untied_step:,} and rose by {printed(untied_rise)}. Each at "
            "its own best step, which was picked on that same sample and lies long before the learning rate "
            f"is down, the difference is {printed(untied - tied, signed=True)}."
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
        -1: "The argument is not borne out. It is on the rare tokens that a table of its own changes the "
        f"loss most for the better: the first less the second is {contrast.text()}.",
        1: f"the first less the second is {contrast.text()}.",
        0: f"The two are not told apart, the first less the second being {contrast.text()}: the argument is "
        "neither borne out nor refuted.",
    }[contrast.side()]
    losses = [
        sum(
            float(data.rows(name, "frequencies.csv", run=head, group=str(first))[0]["heldout_loss"])
            for name in SEEDS
        )
        / len(SEEDS)
        for head in ("tied", "untied")
    ]
    uniform = math.log(8192)
    each = [printed(loss) for loss in (*losses, uniform)]
    wrong = f"{each[0]} nats tied and {each[1]} untied, where that one has {each[2]}."
    return [
        (
            f"at most {int(table[first]['most_count']):,} times in the training text, the difference is "
            f"{Found(groups[first]).text()}; for the tenth that comes most often, it is "
            f"{Found(groups[last]).text()}."
        ),
        verdict,
        (
            f"Of {len(groups)} groups, each taken alone, the untied model is ahead in {sides.count(-1)} and "
            f"the tied one in {sides.count(1)}, zero outside the interval."
        ),
        *([wrong] if min(losses) > uniform else []),
        (
            f"{int(table[first]['heldout_tokens']):,} held-out tokens, {percent(shares[first], 1)} of all, "
            f"make {percent(parts[first] / sum(parts.values()))} of the difference over all tokens, while "
            f"the most frequent group is {percent(shares[last])} of the tokens and "
            f"{percent(parts[last] / sum(parts.values()))} of the difference."
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
    begins = [percent(at(rows, "own_probability", 0), 3) for rows in (tied, untied)]
    logits = [[printed(at(rows, "own_logit", i), 2, signed=True) for i in (0, -1)] for rows in (tied, untied)]
    said = [
        (
            f"scores highest at {percent(starts[0], 1)} of held-out positions in the tied model, and at "
            f"{percent(starts[1], 3)} in the untied one."
        ),
        "So the pull is there." if starts[0] > 10 * starts[1] else "So there is hardly such a pull.",
        (
            f"At step {int(fallen['step']):,} the token is on top at fewer than a tenth as many places, and "
            f"at the end at {ends[0][0]}, tied, and {ends[0][1]}, untied."
        ),
        (
            f"begins at {begins[0]} and ends at {ends[1][0]}, the untied model’s at {begins[1]} and "
            f"{ends[1][1]}; in truth that token comes once more at {rate} of positions."
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
    gaps: dict[str, list[float]] = {"token": [], "4gram": [], "probability": [], "logit": []}
    for name in SEEDS:
        (tied,), (untied,) = (data.rows(name, "continuations.csv", run=head) for head in ("tied", "untied"))
        for what in ("token", "4gram"):
            gaps[what].append(float(untied[f"repeated_{what}_share"]) - float(tied[f"repeated_{what}_share"]))
        last = [data.rows(name, "repeats.csv", run=head)[-1] for head in ("tied", "untied")]
        for what in ("probability", "logit"):
            gaps[what].append(float(last[1][f"own_{what}"]) - float(last[0][f"own_{what}"]))
    token, gram, probability, logit = (Found(gaps[what]) for what in gaps)
    words = {-1: "the tied models repeat more", 0: "not told apart", 1: "the untied models repeat more"}
    untold = (
        ["whether tying adds to it, 5 seeds do not tell."] if not token.side() and not gram.side() else []
    )
    trace = ["the one trace of tying here"] if logit.side() and not probability.side() else []
    return [
        (
            "Over the seeds the shares differ, untied less tied, by "
            f"{token.text(lambda v: points(v, 2))} percentage points, {words[token.side()]}, and by "
            f"{gram.text(lambda v: points(v, 1))}, {words[gram.side()]}."
        ),
        *untold,
        (
            "Over the seeds the two final probabilities differ, untied less tied, by "
            f"{probability.text(lambda v: points(v, 3))} percentage points, and the two final logits by "
            f"{logit.text(lambda v: printed(v, 2))}"
        ),
        *trace,
    ]


def cosines(data: Recorded, centred: str, shuffled: str, table: str) -> tuple[list[float], list[list[float]]]:
    """The mean over all tokens, one for each seed, and that of each group."""
    whole: list[float] = []
    groups: list[list[float]] = [[] for _ in range(10)]
    for name in SEEDS:
        total = tokens = 0.0
        for row in data.rows(name, "roles.csv", table=table, centred=centred, shuffled=shuffled):
            groups[int(row["group"]) - 1].append(float(row["mean_cosine"]))
            total += float(row["mean_cosine"]) * int(row["vocabulary_tokens"])
            tokens += int(row["vocabulary_tokens"])
        whole.append(total / tokens)
    return whole, groups


def roles(data: Recorded) -> list[str]:
    said, leans = [], {}
    means: dict[tuple[str, str, str], float] = {}
    for centred in ("no", "yes"):
        for shuffled in ("no", "yes"):
            for table in ("output", "input"):
                means[centred, shuffled, table] = sum(cosines(data, centred, shuffled, table)[0]) / 5
        ours, theirs = (cosines(data, centred, "no", table)[0] for table in ("input", "output"))
        leans[centred] = Found([b - a for a, b in zip(ours, theirs, strict=True)])
    text = {key: printed(value, 2) for key, value in means.items()}
    for centred in ("no", "yes"):
        said.append(
            f"the mean cosine with the output rows is {text[centred, 'no', 'output']} and with the input "
            f"rows {text[centred, 'no', 'input']}"
        )
        said.append(f"The first less the second is {leans[centred].text(lambda v: printed(v, 2))}.")
    said.append(
        f"the rotations still find {text['no', 'yes', 'output']} with the output rows and "
        f"{text['no', 'yes', 'input']} with the input rows."
    )
    said.append(f"shuffled rows come to {text['yes', 'yes', 'output']} and {text['yes', 'yes', 'input']}.")
    said.append(
        "was added after the plan, because shuffled rows resemble the output rows so much already, and"
        if 2 * means["no", "yes", "output"] > means["no", "no", "output"]
        else "was added after the plan, and"
    )
    said.append(
        {
            1: "The shared row resembles an output row more than an input row, as",
            -1: "The shared row resembles an input row more than an output row, which is not what",
            0: "The shared row leans to neither;",
        }[leans["yes"].side()]
    )
    return said + role_groups(data)


def role_groups(data: Recorded) -> list[str]:
    ours, theirs = (cosines(data, "yes", "no", table)[1] for table in ("input", "output"))
    sides = [
        Found([b - a for a, b in zip(mine, other, strict=True)]).side()
        for mine, other in zip(ours, theirs, strict=True)
    ]
    ends = [f"{printed(sum(theirs[g]) / 5, 2)} and {printed(sum(ours[g]) / 5, 2)}" for g in (0, -1)]
    (least,) = data.rows("output-head", "frequencies.csv", run="tied", group="1")
    unseen = ", some of which never come in the training text," if least["least_count"] == "0" else ""
    return [
        (
            f"Of {len(sides)} groups by frequency, each taken alone, {sides.count(1)} lean to the output and "
            f"{sides.count(-1)} to the input"
        ),
        f"For the rarest tokens{unseen} the two cosines are {ends[0]}, for the most frequent {ends[1]}.",
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
        yield name, words(data) if data.has(*needed) else None
