"""`python -m statistikles`: the command line where the console script is not on the path."""

from statistikles.surfaces.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
