"""Setup, turns and the phases of a year, one module a part of it: what is legal and what follows stand side by side."""
