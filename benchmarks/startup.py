"""CPU seconds of starting: `python -c pass`, importing the package, `--help`, `tools`.

Run: python benchmarks/startup.py [repetitions]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

CASES = {
    "python -c pass": ["-c", "pass"],
    "import statistikles": ["-c", "import statistikles"],
    "statistikles --help": ["-m", "statistikles", "--help"],
    "statistikles tools": ["-m", "statistikles", "tools"],
    "statistikles run t_test --help": ["-m", "statistikles", "run", "t_test", "--help"],
}


def cpu_seconds(arguments: list[str]) -> float:
    """User and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the median of each case and what it costs beyond a bare interpreter."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    medians = {
        name: statistics.median(cpu_seconds(arguments) for _ in range(repetitions))
        for name, arguments in CASES.items()
    }
    bare = medians["python -c pass"]
    for name, seconds in medians.items():
        print(f"{name:34s} {1000 * seconds:7.1f} ms   {1000 * (seconds - bare):+7.1f} ms")


if __name__ == "__main__":
    main()
