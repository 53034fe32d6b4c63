"""What can end a training, apart from wrong configurations and checkpoints: importable without torch."""

from __future__ import annotations


class InterruptedTraining(Exception):
    """Ctrl-C: the sentence says how much is safe and how to go on."""


class DivergedTraining(Exception):
    """The weights are no numbers any more; the sentence says when, and what to change."""


class ChangedRunError(ValueError):
    """There is a run of another configuration in the folder; the sentence says what differs."""


class BusyRunError(Exception):
    """Another process trains in the folder; the sentence says which, and what to do."""
