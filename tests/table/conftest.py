"""Databases for the tests of tables: SQLite, and a real PostgreSQL."""

from itertools import count

import pytest

DATABASES = count()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.program)])
def db(request, tmp_path):
    """An empty database of either kind."""
    if request.param == "sqlite":
        return tmp_path / "house.db"
    server, name = request.getfixturevalue("postgres"), f"house_{next(DATABASES)}"
    server.psql(f"CREATE DATABASE {name}")
    return server.get_uri(database=name)


@pytest.fixture
def file(tmp_path):
    """An empty database, where it does not matter which kind."""
    return tmp_path / "house.db"


@pytest.fixture
def served(postgres):
    """An empty database on a server."""
    name = f"house_{next(DATABASES)}"
    postgres.psql(f"CREATE DATABASE {name}")
    return postgres, name, postgres.get_uri(database=name)


@pytest.fixture
def shared(served):
    """An empty database that several processes may use."""
    return served[2]
