"""CPU seconds of starting (`python -c pass`, importing the package, `--help`, `tools`) and of a question, cold and warm.

Run: python benchmarks/startup.py [repetitions]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

QUESTION = "Do the three species differ in body mass?"
PENGUINS = str(Path(__file__).parents[1] / "examples" / "penguins.csv")
CASES = {
    "python -c pass": ["-c", "pass"],
    "import statistikles": ["-c", "import statistikles"],
    "statistikles --help": ["-m", "statistikles", "--help"],
    "statistikles tools": ["-m", "statistikles", "tools"],
    "statistikles run t_test --help": ["-m", "statistikles", "run", "t_test", "--help"],
    "statistikles ask, cold": ["-m", "statistikles", "ask", QUESTION, "--data", PENGUINS],
}


def cpu_seconds(arguments: list[str]) -> float:
    """User and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def warm_seconds(repetitions: int) -> float:
    """The same question again in a session that has answered it once."""
    from statistikles import Session

    session = Session(data=PENGUINS)
    session.ask(QUESTION)
    taken = []
    for _ in range(repetitions):
        before = time.process_time()
        session.ask(QUESTION)
        taken.append(time.process_time() - before)
    return statistics.median(taken)


def main() -> None:
    """Print the median of each case and what it costs beyond a bare interpreter."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    medians = {
        name: statistics.median(cpu_seconds(arguments) for _ in range(repetitions))
        for name, arguments in CASES.items()
    }
    medians["the question again, warm"] = warm_seconds(repetitions)
    bare = medians["python -c pass"]
    for name, seconds in medians.items():
        print(
            f"{name:34s} {1000 * seconds:7.1f} ms   {1000 * (seconds - bare):+7.1f} ms over a bare interpreter"
        )


if __name__ == "__main__":
    main()
