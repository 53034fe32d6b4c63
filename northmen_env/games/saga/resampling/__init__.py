"""What a seat cannot know, redrawn: hands and piles, trade routes, and what the others know (used by `resample.py`)."""
