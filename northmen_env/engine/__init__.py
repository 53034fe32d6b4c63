"""The game-free engine: kernels, verbs, random streams, layouts, playouts, batches and the Python face."""
