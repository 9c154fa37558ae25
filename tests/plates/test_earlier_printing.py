import pytest

from plates import earlier_printing


def test_the_earlier_figures_are_read_with_their_distance():
    facts = earlier_printing.facts()
    assert facts.heldout_gap == pytest.approx(facts.heldout_tied - facts.heldout_untied)
    assert 0 < facts.heldout_untied < facts.heldout_tied < 9.1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("run,loss\ntied,4\n", "wanted the columns run,final_heldout_loss,source"),
        ("run,final_heldout_loss,source\ntied,4,x\n", "wanted a row for 'tied' and one for 'untied'"),
        ("run,final_heldout_loss,source\ntied,4,x\nuntied,four,x\n", "wanted a loss in nats per token"),
    ],
)
def test_a_broken_table_is_refused(tmp_path, text, complaint):
    table = tmp_path / "earlier-printing.csv"
    table.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        earlier_printing.facts(table)
