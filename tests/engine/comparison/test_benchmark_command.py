"""``clcd benchmark`` on tiny networks: options, exit statuses, Ctrl+C."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest

from engine.terminal import main

TINY = ["--labels", "3", "--features", "20", "--rows", "400", "--seeds", "1", "--cells", "0.5/0.5"]


@pytest.fixture
def _usual_signals() -> Iterator[None]:
    """Begin with the handlers of an ordinary start, whatever the runner ignores."""
    before = {
        signal_number: signal.getsignal(signal_number) for signal_number in (signal.SIGINT, signal.SIGTERM)
    }
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    for signal_number, handler in before.items():
        signal.signal(signal_number, handler)


def test_it_writes_and_says_what_came_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "out"
    words = ["benchmark", *TINY, "--methods", "clcd,hiton-mb", "--margin", "0", "--out", str(out)]
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert "∩HITON-MB" in output.out and "p_c 0.5, p_m 0.5" in output.out
    assert "benchmark.html" in output.out
    summary = pandas.read_csv(out / "benchmark.csv")
    assert set(summary["method"]) == {"clcd", "hiton-mb"}
    assert set(summary["variant"]) == {"default", "as-published"}
    for picture in ("accuracy.svg", "accuracy.pdf", "time.svg", "time.pdf"):
        assert (out / picture).stat().st_size > 10_000
    assert "This run has no margin" in (out / "benchmark.html").read_text("utf-8")


@pytest.mark.usefixtures("pictures_not_drawn")
def test_small_is_a_preset_that_options_override(tmp_path: Path) -> None:
    words = ["benchmark", "--small", "--rows", "300", "--seeds", "1", "--cells", "0.5/0", "--quiet"]
    words += ["--methods", "hiton-mb", "--variants", "default", "--out", str(tmp_path)]
    assert main(words) == 0
    page = (tmp_path / "benchmark.html").read_text("utf-8")
    assert "10 labels · 200 features · 300 rows · 1 network of each kind" in page


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--cells", "0.5/7"], "'0.5/7'"),
        (["--methods", "magic"], "'magic'"),
        (["--variants", ","], "--variants: no kind or method is chosen"),
        (["--selection", "x.csv", "--percentages", "0"], "--percentages: there must be some"),
        (["--seeds", "0"], "--seeds"),
        (["--budget", "-1"], "--budget"),
    ],
)
def test_bad_options_are_refused(
    words: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", *words, "--out", str(tmp_path / "out")]) == 2
    assert problem in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text("mine", "utf-8")
    assert main(["benchmark", *TINY, "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "out").read_text("utf-8") == "mine"


@pytest.mark.usefixtures("_usual_signals", "pictures_not_drawn")
def test_ctrl_c_keeps_what_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from engine.comparison.page import StoredValues

    put = StoredValues.put

    def put_and_interrupt(*arguments):
        put(*arguments)
        signal.raise_signal(signal.SIGINT)

    words = ["benchmark", *TINY, "--methods", "clcd,hiton-mb", "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr(StoredValues, "put", put_and_interrupt)
        assert main(words) == 130
    assert "Stopped: 1 of 4 searches" in capsys.readouterr().out
    assert len(pandas.read_csv(tmp_path / "networks.csv")) == 1
    assert main(words) == 0
    assert len(pandas.read_csv(tmp_path / "networks.csv")) == 4
