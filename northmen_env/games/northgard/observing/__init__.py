"""What a seat sees, block by block (used by `observe.py`)."""
