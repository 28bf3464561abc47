"""Whether this kernel has what the course needs."""

from importlib import metadata

from packaging.requirements import Requirement


def problems() -> list[str]:
    """Return a sentence for each package that is missing or of the wrong version; empty where all is well."""
    found = []
    for line in metadata.requires("svt-lib") or []:
        requirement = Requirement(line)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            found.append(f"{requirement.name} is missing.")
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            found.append(f"{requirement.name} is {version}; the course needs {requirement.specifier}.")
    return found


def check() -> None:
    """Print that all is well, or what is wrong and what to do about it."""
    wrong = problems()
    if not wrong:
        print("Ready: this kernel has everything the course needs.")
        return
    print("\n".join(wrong))
    print("Start the course with `make lab`, or see the README for conda and Binder.")
