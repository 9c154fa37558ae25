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
    own = (targets + 7) % 300
    found = loss.score_rows(hidden, table, targets, own)
    logits = hidden @ table.T
    at_own = (torch.arange(64), own)
    torch.testing.assert_close(found.loss, wanted)
    torch.testing.assert_close(found.own_log_probability, logits.log_softmax(dim=1)[at_own])
    torch.testing.assert_close(found.own_logit, (logits - logits.mean(dim=1, keepdim=True))[at_own])
    assert found.own_is_top.tolist() == (logits.argmax(dim=1) == own).tolist()
    assert loss.score_rows(hidden, table, targets, logits.argmax(dim=1)).own_is_top.all()


@pytest.mark.parametrize("scale", [1.0, 0.25])
def test_the_objective_has_the_gradients_of_autograd(problem, scale):
    hidden, table, targets = (part.float() if part.is_floating_point() else part for part in problem)
    found, wanted = ([part.clone().requires_grad_() for part in (hidden, table)] for _ in range(2))
    value = loss.CrossEntropy.apply(*found, targets, torch.float32, loss.cross_entropy_gradients)
    (scale * value).backward()
    (scale * F.cross_entropy(wanted[0] @ wanted[1].T, targets)).backward()
    for ours, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad)


def test_a_tables_gradient_is_float32_whatever_the_products(problem):
    hidden, table, targets = (part.float() if part.is_floating_point() else part for part in problem)
    table.requires_grad_()
    value = loss.CrossEntropy.apply(hidden, table, targets, torch.bfloat16, loss.cross_entropy_gradients)
    value.backward()
    assert table.grad.dtype == torch.float32
    exact = table.detach().clone().requires_grad_()
    F.cross_entropy(hidden @ exact.T, targets).backward()
    torch.testing.assert_close(table.grad, exact.grad, rtol=0.05, atol=2e-3)


def test_huge_logits_do_not_overflow(problem):
    hidden, table, targets = (part.float() if part.is_floating_point() else part for part in problem)
    value, by_hidden, by_table = loss.cross_entropy_gradients(hidden * 100, table, targets)
    assert torch.isfinite(value)
    assert torch.isfinite(by_hidden).all()
    assert torch.isfinite(by_table).all()
