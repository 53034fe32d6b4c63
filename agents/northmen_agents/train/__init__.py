"""Self-play PPO: `northmen train` and `northmen evaluate`. Modules here that need torch say so in their first line.

config    what a training and an evaluation are made of      pool      opponents, by prioritised fictitious self-play
vecenv    the batch as a stable-baselines3 VecEnv (torch)    model     the network and MaskablePPO (torch)
state     everything that a killed run goes on from (torch)  logs      CSV and TensorBoard (torch)
run       the loop (torch)                                   evaluate  how a policy fares, seat by seat
exploit   a best-response probe (torch)                      onnx_export   with the mask as an input (onnx)
"""
