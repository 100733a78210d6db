"""How good and how fast this memory is, measured beside the limit and beside others."""

import os
from collections.abc import Mapping

BEFORE: Mapping[str, str] = dict(os.environ)
"""The environment as the user has it: a server that is measured as a whole gets no other."""

# Read by the linear algebra library once, when NumPy is first imported: one thread, so that ours
# and the plain scan are measured on equal terms, also on a machine that others use too.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
