"""Tournaments: schedule, play, results file, ratings, tables."""
