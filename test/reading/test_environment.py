"""Where packages for one question are kept."""
from reading.environment import pip_environment


def test_a_directory_that_is_whole_is_taken_from_the_cache_of_the_user(tmp_path, monkeypatch):
    for cache in (tmp_path / "own", tmp_path / "home" / ".cache"):
        whole = cache / "assay" / "some-1.2" / "whole"
        whole.parent.mkdir(parents=True)
        whole.touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert pip_environment("some", "1.2") == f"{tmp_path}/own/assay/some-1.2/bin/python"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert pip_environment("some", "1.2") == f"{tmp_path}/home/.cache/assay/some-1.2/bin/python"
