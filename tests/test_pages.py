"""The generated parts of the games' pages are up to date."""

import importlib.util
from pathlib import Path

import pytest

import northmen_env as nm

SCRIPT = Path(__file__).resolve().parents[1] / "docs" / "generate.py"


@pytest.fixture(scope="module")
def generate():
    loaded = importlib.util.spec_from_file_location("docs_generate", SCRIPT)
    module = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", nm.games())
def test_the_page_is_what_the_tables_say(generate, name):
    text = generate.page(name).read_text(encoding="utf-8")
    assert text == generate.generated(name), "run python docs/generate.py"
    assert set(generate.PARTS) == {name for _, name, _ in generate.PART.findall(text)}
