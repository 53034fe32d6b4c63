"""What a seat cannot know, dealt anew (used by `resample.py`)."""
