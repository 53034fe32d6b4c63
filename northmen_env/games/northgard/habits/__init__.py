"""What the heuristic thinks of territories, cards, placements and fights, in hundredths of a fame."""
