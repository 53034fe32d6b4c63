"""The decision points of a turn, one module a part of it: what is legal and what follows stand side by side."""
