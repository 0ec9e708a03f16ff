"""The client's side of ``flower_app``, imported by every process of Flower's engine."""

import os
from functools import cache

import numpy as np
import torch
from flwr.app import ArrayRecord, Context, Message, MetricRecord, RecordDict
from flwr.clientapp import ClientApp
from torch import nn
from torch.nn.functional import cross_entropy

LR = 0.01
client = ClientApp()


def lenet5() -> nn.Module:
    """The network that netsim calls lenet5."""
    return nn.Sequential(
        *(nn.Conv2d(1, 6, 5, padding=2), nn.MaxPool2d(2), nn.ReLU()),
        *(nn.Conv2d(6, 16, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Flatten()),
        *(nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)),
    )


@cache
def held() -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    """A model, and the inputs and labels of all clients; made once a process."""
    torch.set_num_threads(1)
    samples = np.load(os.environ["SAMPLES"])
    return lenet5(), torch.from_numpy(samples["inputs"]), torch.from_numpy(samples["labels"])


@client.train()
def train(message: Message, context: Context) -> Message:
    """One step of a client on all its samples."""
    module, inputs, labels = held()
    mine = int(context.node_config["partition-id"])
    module.load_state_dict(message.content["arrays"].to_torch_state_dict())
    optimiser = torch.optim.SGD(module.parameters(), LR)
    optimiser.zero_grad()
    cross_entropy(module(inputs[mine]), labels[mine]).backward()
    optimiser.step()
    metrics = MetricRecord({"num-examples": len(labels[mine])})
    content = {"arrays": ArrayRecord(module.state_dict()), "metrics": metrics}
    return Message(content=RecordDict(content), reply_to=message)
