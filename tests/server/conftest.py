from collections.abc import Callable, Iterator

import pytest
from real_server import Server


@pytest.fixture(scope="session")
def start() -> Iterator[Callable[..., Server]]:
    """Starts a server, with the environment given, that lives as long as the tests."""
    servers: list[Server] = []

    def start(**env: str) -> Server:
        servers.append(Server(**env))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def server(start: Callable[..., Server]) -> Server:
    return start()
