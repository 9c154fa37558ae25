import pytest
import torch
from torch.nn import functional as F

from training import loss


@pytest.fixture
def problem():
    random = torch.Generator().manual_seed(0)
    hidden = torch.randn(64, 16, generator=random, dtype=torch.float64)
    table = torch.randn(300, 16, generator=random, dtype=torch.float64)
    return hidden, table, torch.randint(300, (64,), generator=random)


@pytest.mark.parametrize("rows", [8, 16, 64])
def test_gradients_are_those_of_autograd_whatever_the_chunk(problem, rows, monkeypatch):
    monkeypatch.setattr(loss, "CHUNK_ROWS", rows)
    hidden, table, targets = problem
    h, t = hidden.float().requires_grad_(), table.float().requires_grad_()
    wanted = F.cross_entropy(h @ t.T, targets)
    wanted.backward()
    value, by_hidden, by_table = loss.cross_entropy_gradients(h.detach(), t.detach(), targets)
    torch.testing.assert_close(value, wanted.detach())
    torch.testing.assert_close(by_hidden, h.grad)
    torch.testing.assert_close(by_table, t.grad)


def test_rows_are_those_of_torch(problem, monkeypatch):
    monkeypatch.setattr(loss, "CHUNK_ROWS", 24)  # 64 rows: the last chunk is a short one
    hidden, table, targets = (part.float() if part.is_floating_point() else part for part in problem)
    wanted = F.cross_entropy(hidden @ table.T, targets, reduction="none")
    torch.testing.assert_close(loss.cross_entropy_rows(hidden, table, targets), wanted)


def test_huge_logits_do_not_overflow(problem):
    hidden, table, targets = (part.float() if part.is_floating_point() else part for part in problem)
    value, by_hidden, by_table = loss.cross_entropy_gradients(hidden * 100, table, targets)
    assert torch.isfinite(value)
    assert torch.isfinite(by_hidden).all()
    assert torch.isfinite(by_table).all()
