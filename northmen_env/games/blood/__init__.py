"""Blood of the Northmen."""
