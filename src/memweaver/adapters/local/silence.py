"""Keeps onnxruntime from reporting its use, which it would begin while being imported.

To be imported before it. Its own switch comes too late: by then it has written and sent something.
"""

import os

os.putenv("ORT_DISABLE_TELEMETRY", "1")
