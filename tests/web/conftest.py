"""Fixtures for languages: a folder for catalogs, and complete ones."""

import pytest

from catalogs import complete_catalog, write_catalog
from sarai.core import language as languages
from sarai.core.language import LANGUAGES


def forget_languages():
    languages.find_language.cache_clear()
    languages.offered_languages.cache_clear()


@pytest.fixture
def locale(tmp_path, monkeypatch):
    """A folder for catalogs that the site reads instead of its own."""
    folder = tmp_path / "locale"
    folder.mkdir()
    monkeypatch.setenv("SARAI_LOCALE_DIR", str(folder))
    forget_languages()
    yield folder
    forget_languages()


@pytest.fixture(scope="session")
def complete_catalogs():
    """A complete catalog of every language but English, by code."""
    return {code: complete_catalog(code) for code in LANGUAGES if code != "en"}


@pytest.fixture
def all_languages(locale, complete_catalogs):
    """All languages are complete."""
    for code, content in complete_catalogs.items():
        write_catalog(locale, code, content)
