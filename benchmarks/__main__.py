"""Run the benchmarks: ``python -m benchmarks``, or with the names of some, such as ``… memory experiment``.

Every module of this package with a ``main`` is one. The quick ones run where none is named.
"""

import pkgutil
import sys
from importlib import import_module

import benchmarks

QUICK = ("sampling", "exact", "imports", "pictures")
#: What isn't one.
PARTS = {"__main__", "timing"}


def main(names: list[str]):
    """Run the named ones, or the quick ones."""
    known = {module.name for module in pkgutil.iter_modules(benchmarks.__path__)} - PARTS
    unknown = set(names) - known
    if unknown:
        sys.exit(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    for name in names or QUICK:
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
