"""`python -m northmen_env.cli` is `northmen`."""

from northmen_env.cli import main

if __name__ == "__main__":
    main()
