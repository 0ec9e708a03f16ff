"""Products of embeddings."""

from torch import Tensor, nn


class Products(nn.Module):
    """From pairs Int64[B, 2] to Float32[B]: the scalar product of their vectors."""

    def __init__(self, users: int, films: int, rank: int) -> None:
        super().__init__()
        self.users = nn.Embedding(users, rank)
        self.films = nn.Embedding(films, rank)

    def forward(self, pairs: Tensor) -> Tensor:
        """One rating a pair."""
        user, film = pairs.unbind(-1)
        product: Tensor = (self.users(user) * self.films(film)).sum(-1)
        return product
