"""Tree search over the engine's verbs: one compiled implementation for every game.

A search holds a tree as plain arrays (`tree.Tree`) and spends simulations on it (`simulation.search`): each draws a
world that the searching seat cannot tell from the true one, walks down the tree by a bandit's rule, adds one node,
plays to the end or asks a network, and adds the seats' values to the edges that it took.

    keys.py         which node a state belongs to: the hash of an observation
    tree.py         nodes, edges and the table that finds a node by its key
    selection.py    UCB1 with availability, PUCT, progressive widening
    simulation.py   walk, value, back up; the kernel `search`
    workspace.py    settings, and the arrays that a search needs beside its tree

Nothing here reads a clock, keeps a state of its own between calls, or draws chance but by the key it is given. Agents
that drive it, limits of time and threads are in `northmen_agents`.

Sources:
    Kocsis & Szepesvári: Bandit based Monte-Carlo planning, ECML 2006 (UCT).
    Cowling, Powley & Whitehouse: Information set Monte Carlo tree search, IEEE TCIAIG 4(2), 2012 (one determinisation
        per simulation, nodes that are information sets, availability counts).
    Long, Sturtevant, Buro & Furtak: Understanding the success of perfect information Monte Carlo sampling, AAAI 2010;
        Frank & Basin: Search in games with incomplete information, AIJ 100, 1998 (why it errs: strategy fusion).
    Luckhardt & Irani: An algorithmic solution of n-person games, AAAI 1986 (max-n); Sturtevant & Korf: On pruning
        techniques for multi-player games, AAAI 2000 (paranoid).
    Coulom: Computing Elo ratings of move patterns in the game of Go, 2007 (progressive widening).
    Childs, Brodeur & Kocsis: Transpositions and move groups in Monte Carlo tree search, CIG 2008 (statistics on edges,
        so that a node may be reached by several paths).
    Veness, Lanctot & Bowling: Variance reduction in Monte-Carlo tree search, NIPS 2011 (common random numbers).
    Rosin: Multi-armed bandits with episode context, 2011; Silver et al.: Mastering the game of Go without human
        knowledge, Nature 550, 2017 (PUCT); Liu et al.: Watch the unobserved, ICLR 2020 (simulations in flight).
"""
