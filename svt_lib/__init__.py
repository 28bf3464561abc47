"""The helper library of a hands-on course on the Sparse Vector Technique of differential privacy."""

from svt_lib.mechanism import Mechanism
from svt_lib.sampling import SparseVector, run
from svt_lib.simulation import simulate
from svt_lib.variants import VARIANTS

__all__ = ["VARIANTS", "Mechanism", "SparseVector", "run", "simulate"]
