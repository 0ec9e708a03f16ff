"""What holds for every dataset, and for those whose real files are there."""

import os
from pathlib import Path

import numpy as np
import pytest

from netsim.learning.datasets import DATASETS, Dataset, Digits
from netsim.learning.errors import DatasetMissing

EXTERNAL = [each for each in DATASETS if each is not Digits]


def known(dataset: type[Dataset]) -> bool:
    """Whether its files are where the variable says."""
    if "NETSIM_DATA" not in os.environ:
        return dataset is Digits
    try:
        dataset().locate(Path(os.environ["NETSIM_DATA"]))
    except DatasetMissing:
        return False
    return True


def test_names_are_unique() -> None:
    """No two share a kind or a folder of their own."""
    kinds = [each.model_fields["kind"].default for each in DATASETS]
    assert len(set(kinds)) == len(kinds) == len({each.names[0] for each in DATASETS})


@pytest.mark.parametrize("dataset", EXTERNAL)
def test_a_missing_one_says_what_to_put_where(
    dataset: type[Dataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What files, where it looked, where they go, and the command that fetches them if any."""
    monkeypatch.setenv("NETSIM_DATA", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(dataset, "installed", lambda self: ())
    with pytest.raises(DatasetMissing) as caught:
        dataset().load()
    told = str(caught.value)
    home = tmp_path / "home" / "netsim" / "data" / dataset.names[0]
    for part in (dataset.files, str(tmp_path / "mine" / dataset.names[0]), f"them to {home}"):
        assert part in told
    assert ("netsim data fetch" in told) == (dataset.source is not None)


@pytest.mark.parametrize("dataset", DATASETS)
def test_what_is_there_is_sound(dataset: type[Dataset]) -> None:
    """As many labels as inputs, in range, of the types promised, read once."""
    if not known(dataset):
        pytest.skip(f"no {dataset.names[0]} in NETSIM_DATA")
    data = dataset().load()
    for inputs, labels in (
        (data.train_inputs, data.train_labels),
        (data.test_inputs, data.test_labels),
    ):
        assert len(inputs) == len(labels) > 0
        assert inputs.shape[1:] == data.signature.shape
        if data.signature.is_real:
            assert inputs.dtype == np.float32
            assert 0 <= inputs.min() < inputs.max() <= 1
        else:
            bounds = np.array(data.counts)
            assert inputs.dtype == np.int64
            assert inputs.min() >= 0
            assert (inputs < (bounds if len(bounds) > 1 else bounds[0])).all()
        if data.answer != "rating":
            assert labels.dtype == np.int64
            assert 0 <= labels.min() < labels.max() < data.classes
    assert data.strata.shape == (len(data.train_labels),)
    assert data.users is None or data.users.shape == (len(data.train_labels),)
    assert dataset().load() is data
