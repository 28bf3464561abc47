"""What is said of a release in several places is the same everywhere."""

import re
import tomllib

import yaml
from conftest import ROOT


def test_version_and_date_are_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    latest = re.search(
        r"^## (\d\S*) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert latest.groups() == (citation["version"], str(citation["date-released"]))
    assert project["version"] == citation["version"]
    assert project["license"].split(" AND ") == citation["license"]
    assert all((ROOT / name).is_file() for name in project["license-files"])
