"""The interpreter of the cards: rows of numbers (section 1.6) run by operations that know no card by its id.

    rows        may a row be played (its P), run a row: the dispatch on the operation
    playing     a card from the hand to the active area: reaction, token, operation
    choosing    CHOOSE: an operation that runs up to `a` basic actions
    copying     COPY: an operation that runs the row of another card
    striking    STRIKE            hands   HAND: discards, ransom, draws
    bribery     BRIBE             plain   GAIN, CONQUER, FETCH, FORESEE
    paying      payments of "any k resources"
    scorched    the token of the Snake clan, and what it takes from a harvest
    trading     the trades of the harvest
    achieving   what the achievements are worth

The bodies of RECRUIT, MOVE, EXPLORE, BUILD, DRAW and of combats are in `phases/`. All share one stack of running
operations (`phases/frames.py`).
"""
