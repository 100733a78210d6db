"""How much chaos: as CI can bear, or as much as is promised."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    jobs: int
    kills: int
    stops: int
    api_kills: int
    rabbitmq_kills: int
    postgres_kills: int
    redis_blows: int
    images: int


SIZES: Mapping[str, Size] = {
    "ci": Size(
        jobs=300,
        kills=30,
        stops=7,
        api_kills=5,
        rabbitmq_kills=1,
        postgres_kills=1,
        redis_blows=4,
        images=500,
    ),
    "large": Size(
        jobs=3000,
        kills=300,
        stops=70,
        api_kills=50,
        rabbitmq_kills=3,
        postgres_kills=5,
        redis_blows=10,
        images=5000,
    ),
}
