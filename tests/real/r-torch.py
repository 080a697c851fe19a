"""PyTorch's BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, MSELoss and L1Loss lie inside the intervals of their profiles."""
import math
import sys

import numpy as np
import torch

sys.dont_write_bytecode = True
from library import score, scorer  # noqa: E402
from vectors import MULTIPLIER, U32, U64, Count, cascade_depth, generator, labels, probabilities, size, width  # noqa: E402

COUNT = int(1000 * MULTIPLIER)
TYPES = {"float32": (np.float32, "fp32", U32, 4), "float64": (np.float64, "fp64", U64, 2)}
CORNERS = [0.0, -0.0, 1e-30, -1e-30, 1.0, -1.0, 17.0, -17.0, 36.7, -36.8, 88.0, -88.8, 104.0, -104.0, 709.0, -746.0, 1e4,
           -1e4, 1e30, -1e30]


def logits(rng, shape, style):
    """style 0: as a model's, 1: corners, 2: a mixture, 3: large, 4: all equal."""
    if style == 0:
        return rng.normal(size=shape) * 3
    if style == 1:
        return rng.choice(CORNERS, shape)
    if style == 2:
        return np.where(rng.random(shape) < 0.2, rng.choice(CORNERS, shape), rng.normal(size=shape))
    if style == 3:
        return rng.normal(size=shape) * 10.0 ** rng.uniform(0, 4)
    return np.full(shape, rng.choice(CORNERS))


def bce(name, kind):
    dtype, arithmetic, unit, ulps = TYPES[kind]
    rng, count, real_loss = generator(name), Count(name), torch.nn.BCELoss()
    ours = scorer("torch/bce", arithmetic=arithmetic)
    for i in range(COUNT):
        n = size(rng, i)
        p, y = probabilities(rng, n, i % 5).astype(dtype), labels(rng, n, 2)
        real = real_loss(torch.from_numpy(p), torch.from_numpy(y.astype(dtype))).item()
        bound = width(real, n, cascade_depth(n), 2 * ulps, 2, unit)
        count.check(score(ours, y, p), real, bound, (i, n))
    return count.report(COUNT)


def bce_logits(name, kind):
    dtype, arithmetic, unit, ulps = TYPES[kind]
    rng, count, real_loss = generator(name), Count(name), torch.nn.BCEWithLogitsLoss()
    ours = scorer("torch/bce_logits", arithmetic=arithmetic)
    for i in range(COUNT):
        n = size(rng, i, 20_000)
        x, y = logits(rng, n, i % 5).astype(dtype), labels(rng, n, 2)
        real = real_loss(torch.from_numpy(x), torch.from_numpy(y.astype(dtype))).item()
        per_row = 2 + ulps + float(np.abs(x.astype(np.float64)).mean())
        bound = width(real, n, cascade_depth(n), 2 * ulps + 1, per_row, unit, enclosure=0)
        count.check(score(ours, y, x), real, bound, (i, n))
    return count.report(COUNT)


def targets(name, real_loss):
    """MSELoss and L1Loss of numeric targets, in float32 as PyTorch has them."""
    rng, count, ours = generator(name), Count(name), scorer(name, targets="0:9:1")
    for i in range(COUNT // 4):
        n = size(rng, i, 20_000)
        k = rng.integers(0, 10, n)
        p = (rng.integers(0, 10, n) if i % 3 == 0 else rng.normal(4, 3, n)).astype(np.float32)
        real = real_loss(torch.from_numpy(p), torch.from_numpy(k.astype(np.float32))).item()
        count.check(score(ours, k, p), real, width(real, n, cascade_depth(n), 4, 2, U32), (i, n))
    return count.report(COUNT // 4)


def cross_entropy(name, kind):
    dtype, arithmetic, unit, ulps = TYPES[kind]
    rng, count, real_loss = generator(name), Count(name), torch.nn.CrossEntropyLoss()
    for i in range(COUNT):
        k = int(rng.choice([2, 3, 8, 10, 16, 17, 100, 1000])) if i % 10 == 0 else int(rng.integers(2, 30))
        n = min(size(rng, i, 20_000), max(1, (40_000 if i % 100 == 7 else 2000) // k))
        x, y = logits(rng, (n, k), i % 5).astype(dtype), labels(rng, n, k)
        real = real_loss(torch.from_numpy(x), torch.from_numpy(y.astype(np.int64))).item()
        bound = width(real, n, cascade_depth(n), 2 * ulps + 2, 2 * ulps + k + math.log(k), unit, enclosure=0)
        ours = scorer("torch/cross_entropy", arithmetic=arithmetic, classes=k)
        count.check(score(ours, y, x), real, bound, (i, n, k))
    return count.report(COUNT)


def main():
    print(f"PyTorch {torch.__version__}")
    good = [test(f"{word} {kind}", kind)
            for word, test in (("BCELoss", bce), ("BCEWithLogitsLoss", bce_logits), ("CrossEntropyLoss", cross_entropy))
            for kind in TYPES]
    good += [targets("torch/mse", torch.nn.MSELoss()), targets("torch/mae", torch.nn.L1Loss())]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
