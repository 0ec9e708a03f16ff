"""The report is one page that needs nothing else and lets no text become markup."""

import re
from html.parser import HTMLParser

import pytest

from netsim.results import plot_style, plots, report

HOSTILE = "<script>alert('1')</script> & \"co\""


@pytest.fixture(scope="module")
def page(manifest):
    """Renders the page of some runs."""

    def render(*runs, name="quick", resolved="name: quick\n"):
        with plot_style.style():
            return report.render(name, 7, runs, resolved, manifest, plots.draw(runs))

    return render


class _Page(HTMLParser):
    """Collects tags, addresses and the text of a page; checks that tags are closed in order."""

    VOID = ("meta", "br", "link", "img", "hr")

    def __init__(self, html):
        super().__init__()
        self.tags, self.addresses, self.text, self._open = [], [], "", []
        self.feed(html)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        links = ("href", "src", "xlink:href", "action")
        self.addresses += [value for name, value in attrs if name in links]
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += f" {data}"


def test_the_page_stands_alone(page, make_run, volume_run):
    """No scripts, and no address that leads out of the page."""
    html = page(make_run(), volume_run)
    parsed = _Page(html)
    assert not {"script", "link", "img", "iframe"} & set(parsed.tags)
    assert all(address.startswith("#") for address in parsed.addresses)
    assert not re.search(r"url\((?!#)", html)
    assert "@import" not in html


def test_what_a_reader_looks_for(page, make_run):
    """Name, seed, versions, the table's figures, the bound in words, every round."""
    text = " ".join(_Page(page(make_run())).text.split())
    expected = ["quick", "Seed 7", "numpy 2.", "0.760", "800 ms", "71.5 MB", "500 kB", "2.00 s"]
    expected += ["Time to 0.50", "6.67 % above the achievable optimum", "aggregators: 4"]
    expected += ["compression: (kind: rand_k, keep: 0.05)", "24 of them inside a node", "ab" * 32]
    assert [words for words in expected if words not in text] == []


def test_who_has_nothing_to_train_on(page, make_run, held):
    """One sentence, whatever the number of runs; none where all hold samples."""
    run = make_run(nodes=held(0, 5, 0))
    text = " ".join(_Page(page(run, run)).text.split())
    assert text.count("2 clients hold no samples to train on: node 0, node 2.") == 1
    assert "no samples" not in page(make_run())


def test_why_the_slowest_round_took_its_time(page, make_run, explained_run):
    """A sentence and the busiest links a run; runs without an explanation have neither."""
    html = page(explained_run(), make_run())
    text = " ".join(_Page(html).text.split())
    assert "Round 1 took 5.50 s (63.6 % sending, 18.2 % latency, 18.2 % computing)" in text
    assert "Busiest links in round 1 Busy Carried uplink of node 1 18.2 % 1.00 MB" in text
    assert html.count("Busiest links") == 1
    assert "took its time" not in _Page(page(make_run())).text


def test_texts_stay_texts(page, make_run):
    """Names, labels, parameters, reasons and the scenario may hold markup."""
    run = make_run(HOSTILE, failure=HOSTILE, params={HOSTILE: HOSTILE})
    parsed = _Page(page(run, make_run(), name=HOSTILE, resolved=HOSTILE))
    assert "script" not in parsed.tags
    assert parsed.text.count(HOSTILE) >= 8


def test_without_accuracy_its_columns_and_figures_are_gone(page, volume_run):
    """Volume payloads have none to show."""
    parsed = _Page(page(volume_run))
    assert parsed.tags.count("figure") == 1
    head = parsed.text[parsed.text.index("Runs") : parsed.text.index("Figures")]
    assert "ccuracy" not in head
    assert "Against the bounds" not in parsed.text


def test_ten_runs_and_four_figures(page, make_run):
    """A row, a sentence and a fold each."""
    parsed = _Page(page(*(make_run(f"run {i}") for i in range(10))))
    assert parsed.tags.count("figure") == 4
    assert parsed.tags.count("details") == 11


def test_a_failed_run_says_why(page, make_run, table):
    """Also when it is the only one and has nothing to show."""
    run = make_run(rounds=0, transfers=table(round=[]), failure="node 3 waits for node 5")
    assert "failed: node 3 waits for node 5" in _Page(page(run)).text


def test_of_many_rounds_the_middle_is_left_out(page, make_run):
    """The page stays small; the first and last hundred are listed."""
    html = page(make_run(rounds=250))
    parsed = _Page(html)
    assert "rounds left out here stand in rounds.parquet" in parsed.text
    listed = re.findall(r"<tr><td>(\d+)</td>", html)
    assert listed == [str(i) for i in (*range(100), *range(150, 250))]
