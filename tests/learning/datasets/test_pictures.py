"""Faces and folders of pictures."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from netsim.learning.datasets import orl
from netsim.learning.datasets.image_folder import ImageFolder
from netsim.learning.datasets.lfw import Lfw
from netsim.learning.datasets.orl import Orl
from netsim.learning.datasets.pictures import read_pictures
from netsim.learning.errors import DatasetCorrupt, DatasetMissing, Infeasible


def picture(path: Path, width: int, height: int, level: int, mode: str = "L") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.full((height, width), level, np.uint8)
    pixels[:, : width // 4] = 0
    Image.fromarray(pixels).convert(mode).save(path)


def test_the_middle_is_taken(tmp_path: Path) -> None:
    """A wide picture loses its sides, the black quarter with them."""
    picture(tmp_path / "a.png", 40, 20, 200)
    (image,) = read_pictures([tmp_path / "a.png"], 5, grey=True)
    assert image.shape == (1, 5, 5)
    assert np.allclose(image, 200 / 255)
    (colour,) = read_pictures([tmp_path / "a.png"], 5, grey=False, middle=0.5)
    assert colour.shape == (3, 5, 5)


@pytest.mark.parametrize("ends", ["png", "pgm"])
@pytest.mark.parametrize("grey", [True, False])
def test_sixteen_bits_of_grey_are_not_clipped(tmp_path: Path, ends: str, grey: bool) -> None:
    """Every step of brightness stays what it is, as with eight bits."""
    levels = np.arange(0, 256, 17, dtype=np.uint8).reshape(4, 4)
    Image.fromarray(levels).save(tmp_path / f"eight.{ends}")
    Image.fromarray(levels.astype(np.uint16) * 257).save(tmp_path / f"sixteen.{ends}")
    paths = [tmp_path / f"{bits}.{ends}" for bits in ("eight", "sixteen")]
    eight, sixteen = read_pictures(paths, 4, grey)
    np.testing.assert_array_equal(sixteen, eight)
    np.testing.assert_allclose(eight[0], levels / np.float32(255))


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    """A cut download, say."""
    (tmp_path / "a.png").write_bytes(b"none")
    with pytest.raises(DatasetCorrupt, match=r"a\.png is no picture"):
        read_pictures([tmp_path / "a.png"], 5, grey=True)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Nor is a folder or a broken link a picture."""
    os.mkfifo(tmp_path / "a.png")
    (tmp_path / "b.png").mkdir()
    (tmp_path / "c.png").symlink_to(tmp_path / "gone")
    for path in tmp_path.iterdir():
        with pytest.raises(DatasetCorrupt, match=rf"{path.stem}\.png is no picture"):
            read_pictures([path], 5, grey=True)


def test_orl_is_read(tmp_path: Path) -> None:
    """Forty people with ten pictures; the last two test; person 10 is not between 1 and 2."""
    for person in range(1, 41):
        for i in range(1, 11):
            picture(tmp_path / "att_faces" / f"s{person}" / f"{i}.pgm", 12, 14, 40 + person)
    data = Orl(side=8).load(tmp_path)
    assert data.train_inputs.shape == (320, 1, 8, 8)
    assert np.bincount(data.test_labels).tolist() == [2] * 40
    assert np.allclose(data.train_inputs[:, 0, 0, -1] * 255, 41 + data.train_labels)


def test_orl_of_scikit_learn_is_checked(tmp_path: Path) -> None:
    """The file it fetches, by its checksum."""
    (tmp_path / orl._MAT).write_bytes(b"something else")
    with pytest.raises(DatasetCorrupt, match="not the published olivettifaces"):
        Orl().load(tmp_path)


def test_lfw_keeps_people_with_enough_pictures(tmp_path: Path) -> None:
    """Of three, one has too few; a fifth of the pictures is for testing."""
    (tmp_path / "lfw" / "a**b").mkdir(parents=True)
    for name, count, level in (("Ann_A", 6, 60), ("Bob_B", 1, 90), ("Cyd_C", 4, 250)):
        for i in range(1, count + 1):
            picture(tmp_path / "lfw" / name / f"{name}_{i:04d}.jpg", 30, 30, level)
    data = Lfw(side=8, min_faces=4).load(tmp_path)
    assert (len(data.train_labels), len(data.test_labels), data.classes) == (8, 2, 2)
    labels = np.concatenate([data.train_labels, data.test_labels])
    assert np.bincount(labels).tolist() == [6, 4]
    assert data.stratum_names == ("Ann_A", "Cyd_C")
    with pytest.raises(DatasetCorrupt, match="fewer than two people with 6 pictures"):
        Lfw(min_faces=6).load(tmp_path)


def test_a_folder_a_class(tmp_path: Path) -> None:
    """Any pictures, in colour; other files are passed over."""
    for name, level in (("n01", 50), ("n02", 100), ("n03", 150)):
        for i in range(4):
            picture(tmp_path / "some" / name / f"{i}.JPEG", 9 + i, 9, level, "RGB")
    (tmp_path / "some" / "n01" / "note.txt").write_text("hello")
    (tmp_path / "some" / "empty").mkdir()
    data = ImageFolder(name="some", side=8, test=0.25).load(tmp_path)
    assert (data.train_inputs.shape, data.classes) == ((9, 3, 8, 8), 3)
    assert len(data.test_labels) == 3
    level = data.train_inputs[:, :, 4, -1].mean(1) * 255
    assert np.allclose(level, 50 * (1 + data.train_labels), atol=3)
    with pytest.raises(Infeasible, match=r"dataset\.test: 0.01 of 12 pictures leaves none"):
        ImageFolder(name="some", test=0.01).load(tmp_path)
    with pytest.raises(DatasetMissing, match="a folder 'other' with"):
        ImageFolder(name="other").load(tmp_path)
    picture(tmp_path / "lone" / "cat" / "1.png", 9, 9, 90)
    with pytest.raises(DatasetMissing, match="for each of two classes or more"):
        ImageFolder(name="lone").load(tmp_path)
