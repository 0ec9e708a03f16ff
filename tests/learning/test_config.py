"""The section task: of a scenario."""

import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from netsim.learning.config import TaskConfig
from netsim.learning.models import Module
from netsim.learning.partitions import PARTITIONS, Dirichlet, Iid
from netsim.scenario.document import Document
from netsim.scenario.errors import ScenarioError

BASE = {"dataset": "digits", "model": "lenet5", "lr": 0.1}


def parse(**settings: Any) -> TaskConfig:
    return TaskConfig.model_validate(BASE | settings)


def test_the_design_s_example_is_read() -> None:
    """The task of the quickstart."""
    config = parse(partition={"kind": "iid"}, batch="full", local_steps=1, momentum=0.9)
    assert (config.partition, config.batch, config.momentum) == (Iid(), "full", 0.9)


def test_epochs_take_the_place_of_the_default_step() -> None:
    """Steps of a client with 10 samples: 3 a pass over them in batches of 4."""
    config = parse(local_epochs=2, batch=4)
    assert (config.local_steps, config.local_epochs) == (None, 2)
    assert TaskConfig.model_validate(config.model_dump(mode="json")) == config
    assert [config.steps_of(samples) for samples in (1, 4, 10)] == [2, 2, 6]
    assert config.work_of(10, 0, True) == 20
    fixed = parse(local_steps=5, batch=4)
    assert [fixed.steps_of(samples) for samples in (1, 4, 10)] == [5, 5, 5]
    assert [fixed.work_of(samples, 0, True) for samples in (0, 1, 10)] == [0, 5, 20]


def test_a_partition_may_be_a_bare_name() -> None:
    """partition: iid is short for {kind: iid}."""
    assert parse(partition="iid").partition == Iid()


def test_written_out_it_reads_the_same() -> None:
    """The resolved scenario gives the same configuration."""
    config = parse(partition={"kind": "dirichlet", "alpha": 0.3}, batch=16)
    assert TaskConfig.model_validate(config.model_dump(mode="json")) == config
    assert config.partition == Dirichlet(alpha=0.3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"batch": 0}, "a number of samples from 1 on, or 'full', not 0"),
        ({"batch": True}, "or 'full', not true"),
        ({"batch": "ful"}, "or 'full', not 'ful'"),
        ({"lr": 0}, "greater than 0"),
        ({"lr": float("inf")}, "finite"),
        ({"momentum": 1.0}, "less than 1"),
        ({"local_steps": 0}, "greater than or equal to 1"),
        ({"samples_per_client": 0}, "greater than or equal to 1"),
        ({"partition": {"kind": "dirichlet", "alpha": 0.0}}, "greater than 0"),
        ({"momentun": 0.9}, "Extra inputs"),
        ({"local_epochs": 0}, "greater than or equal to 1"),
        ({"local_epochs": 2, "local_steps": 1}, "write either local_steps or local_epochs"),
        ({"local_steps": None}, "write either local_steps or local_epochs"),
        ({"estimator": {"kind": "svrg", "period": 0}}, "greater than or equal to 1"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    """Each with one message that says what to write."""
    with pytest.raises(ValidationError) as caught:
        parse(**settings)
    (error,) = caught.value.errors()
    assert message in error["msg"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dataset: digit", "unknown dataset 'digit'; did you mean 'digits'? known: digits, mnist"),
        ("dataset: {kind: digit}", "unknown dataset 'digit'; did you mean 'digits'?"),
        ("model: lenet", "unknown model 'lenet'; did you mean 'lenet5'?"),
        ("model: {width: 16}", "missing key 'kind'; known: lenet5, mlp"),
        ("model: {module: torch.nn.Linear}", "must be 'package.module:Class', not 'torch.nn"),
        ("model: {module: 'torch.nn:Linear', arg: 1}", "unknown key 'arg'; did you mean 'args'?"),
        ("model: {kind: resnet9, width: 12}", "multiple of 8, not 12"),
        ("dataset: {kind: mnist, size: 1}", "unknown key 'size'; known: kind"),
    ],
)
def test_unknown_names_are_told_with_near_ones(text: str, message: str) -> None:
    """As the file's reader sees it."""
    given = {"dataset": "dataset: digits", "model": "model: mlp", "lr": "lr: 0.1"}
    given[text.partition(":")[0]] = text
    with pytest.raises(ScenarioError) as caught:
        Document.of("\n".join(given.values()), "s.yaml").parse(TaskConfig)
    assert message in str(caught.value)


def test_a_module_needs_no_kind() -> None:
    """model: {module: …} is short for {kind: module, module: …}."""
    given = {"module": "package.sub:Net", "args": {"width": 3}}
    assert parse(model=given).model == Module(module="package.sub:Net", args={"width": 3})


def test_partitions_have_kinds_of_their_own() -> None:
    """No two partitions share a kind."""
    kinds = [partition.model_fields["kind"].default for partition in PARTITIONS]
    assert len(set(kinds)) == len(kinds)


def test_configuration_and_volumes_load_nothing_heavy() -> None:
    """Neither torch nor scikit-learn is imported before a task is built."""
    code = (
        "import sys, netsim.learning.config, netsim.learning.task, netsim.learning.volume;"
        "sys.exit(bool({'torch', 'sklearn'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
