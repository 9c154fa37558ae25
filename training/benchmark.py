"""Time a training step beside the products that it can not do without."""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from training.arithmetic import Product, step_flop, step_products
from training.corpus import cut_windows
from training.engine import Engine, describe_machine
from training.loss import CHUNK_ROWS
from training.recipe import Recipe
from training.train import Data, Trainer

GEMM_SIZE = 2048
WARM_UP = 3


def measure(recipe: Recipe, engine: Engine, steps: int) -> dict[str, Any]:
    """Time steps and, between them, the machine's own products, so that both meet the same noise.

    Returns:
        Median rates and times, all in the units that their names say.
    """
    trainer = Trainer(recipe, random_data(recipe), engine)
    for _ in range(WARM_UP):
        trainer.advance()
    products = [(product, _product(product, engine)) for product in step_products(recipe, CHUNK_ROWS)]
    gemm = Product("gemm", 1, 1, GEMM_SIZE, GEMM_SIZE, GEMM_SIZE)
    run_gemm = _product(gemm, engine)
    step_times, floors, gemm_times = [], [], []
    for _ in range(steps):
        step_times.append(_time(trainer.advance))
        floors.append(sum(product.count * _time(call) for product, call in products))
        gemm_times.append(_time(run_gemm))
    flop = sum(step_flop(recipe).values())
    step, floor = statistics.median(step_times), statistics.median(floors)
    return {
        "steps_per_second": 1 / step,
        "tokens_per_second": recipe.tokens_per_step / step,
        "flop_per_step": flop,
        "head_share_of_flop": step_flop(recipe)["head"] / flop,
        "gflop_per_second": flop / step / 1e9,
        "gemm_gflop_per_second": gemm.flop / statistics.median(gemm_times) / 1e9,
        "step_seconds": step,
        "floor_seconds": floor,
        "step_over_floor": statistics.median(s / f for s, f in zip(step_times, floors, strict=True)),
        "peak_memory_bytes": _peak_memory(),
        "machine": describe_machine(engine),
    }


def random_data(recipe: Recipe) -> Data:
    """Tokens at random: a step costs the same whatever it reads."""
    random = np.random.Generator(np.random.PCG64(0))
    stream = random.integers(recipe.vocab_size, size=64 * recipe.tokens_per_step, dtype=np.int64)
    windows = cut_windows([stream[: 4 * recipe.tokens_per_step]], recipe.context_length)
    return Data(stream, windows, windows)


def render_table(figures: dict[str, Any]) -> str:
    """Lay the figures out for reading."""
    machine = figures["machine"]
    step, floor = (f"{figures[name] * 1e3:.1f} ms" for name in ("step_seconds", "floor_seconds"))
    rate, gemm = (f"{figures[name]:.0f} GFLOP/s" for name in ("gflop_per_second", "gemm_gflop_per_second"))
    speed = f"{figures['steps_per_second']:.2f} steps/s, {figures['tokens_per_second']:,.0f} tokens/s"
    work = f"{figures['flop_per_step'] / 1e9:.1f} GFLOP a step"
    compiled = "compiled" if machine["compiled"] else "not compiled"
    engine = f"{machine['threads']} threads, {compiled}, {machine['instruction_set']}, {machine['cpu']}"
    rows = [
        ("step", step, speed),
        ("floor", floor, "the step's own matrix products, each timed alone"),
        ("step / floor", f"{figures['step_over_floor']:.2f}", "median over pairs"),
        ("rate", rate, f"{work}, products forward and backward, attention included"),
        ("GEMM", gemm, f"{GEMM_SIZE} x {GEMM_SIZE} x {GEMM_SIZE} in the same precision"),
        ("peak memory", f"{figures['peak_memory_bytes'] / 2**20:.0f} MiB", "of the whole process"),
        ("engine", machine["precision"], engine),
    ]
    return "\n".join(f"{name:<13}{value:>15}   {remark}" for name, value, remark in rows)


def _product(product: Product, engine: Engine) -> Callable[[], object]:
    left, right = (
        torch.randn(product.batch, *shape, device=engine.device).to(engine.product_dtype)
        for shape in ((product.m, product.k), (product.k, product.n))
    )
    if product.batch == 1:
        left, right = left[0], right[0]
    return lambda: left @ right


def _time(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - start


def _peak_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
