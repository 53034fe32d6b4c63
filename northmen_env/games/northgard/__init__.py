"""Northgard: Uncharted Lands."""
