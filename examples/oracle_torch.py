"""A curator over PyTorch's BCELoss in float32, for `lossleak attack --oracle` in mode stream.

    printf '0\n1\n1\n0\n1\n' >labels.txt
    build/lossleak attack --rows 5 --scorer torch/bce --oracle-mode stream \
        --oracle '/usr/bin/python3 examples/oracle_torch.py labels.txt'
"""
import sys

import numpy as np
import torch

labels = torch.from_numpy(np.loadtxt(sys.argv[1], dtype=np.float32))
loss = torch.nn.BCELoss()

for path in sys.stdin:
    predictions = np.loadtxt(path.rstrip("\n"), delimiter=",", skiprows=1, ndmin=2)[:, 1].astype(np.float32)
    print(loss(torch.from_numpy(predictions), labels).item(), flush=True)  # the float32 as a double: every digit
