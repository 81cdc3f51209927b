"""The optimisers, the learning-rate schedule and the options that both trainings share."""
import time

import torch
from torch import nn

import model


class Muon(torch.optim.Optimizer):
    """Momentum whose updates are made orthogonal, for the matrices inside the blocks."""

    def __init__(self, parameters, rate, momentum=.95, decay=.01):
        super().__init__(parameters, {"lr": rate, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            by_shape = {}
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                mean = self.state[parameter].setdefault("mean", torch.zeros_like(parameter))
                mean.lerp_(parameter.grad, 1 - group["momentum"])
                update = parameter.grad.lerp(mean, group["momentum"])
                by_shape.setdefault(tuple(parameter.shape), []).append((parameter, update))
            for (height, width), pairs in by_shape.items():
                updates = orthogonalised(torch.stack([update for _, update in pairs]))
                step = group["lr"] * max(1, height / width) ** .5
                for (parameter, _), update in zip(pairs, updates):
                    parameter.mul_(1 - group["lr"] * group["decay"])
                    parameter.add_(update, alpha=-step)


def orthogonalised(matrices):
    """The nearest matrices with singular values of about one, by five Newton-Schulz steps."""
    tall = matrices.shape[-2] > matrices.shape[-1]
    x = matrices.mT if tall else matrices
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        square = x @ x.mT
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x.mT if tall else x


class Trainer:
    """Muon for the blocks' matrices and AdamW for the rest.

    The rates rise for a few steps, stay, and fall linearly from `hold` of the way on. The way is
    measured in steps if `steps` is given (the same on any machine), else in minutes.
    """

    def __init__(self, half, muon_rate, adam_rate, minutes=None, steps=None, hold=.3,
                 warm_up=50, floor=.03):
        matrices, others = [], []
        for name, parameter in half.named_parameters():
            in_block = parameter.ndim == 2 and "blocks" in name
            (matrices if in_block else others).append(parameter)
        adam = torch.optim.AdamW(others, adam_rate, betas=(.9, .98), weight_decay=0.0)
        self.optimisers = [Muon(matrices, muon_rate), adam]
        self.half, self.rates = half, (muon_rate, adam_rate)
        self.minutes, self.total_steps = minutes, steps
        self.hold, self.floor = hold, floor
        self.warm_up = min(warm_up, steps // 10) if steps else warm_up
        self.start, self.steps = time.time(), 0
        self.losses, self.running_mean = [], None

    def elapsed(self):
        """Seconds since the start."""
        return time.time() - self.start

    def progress(self):
        """How much of the way is done, 0 to 1 or a little more."""
        if self.total_steps:
            return self.steps / self.total_steps
        return self.elapsed() / (self.minutes * 60)

    def step(self, loss, accuracy):
        """One update. The running mean of (loss, accuracy) is printed now and then."""
        done = self.progress()
        factor = min(1, (self.steps + 1) / max(1, self.warm_up))
        if done >= self.hold:
            factor *= max(self.floor, 1 - (done - self.hold) / (1 - self.hold))
        for optimiser, rate in zip(self.optimisers, self.rates):
            optimiser.param_groups[0]["lr"] = rate * factor
            optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.half.parameters(), 1.0)
        for optimiser in self.optimisers:
            optimiser.step()
        self.steps += 1
        self.losses.append(loss.item())
        now = loss.item(), accuracy
        before = self.running_mean or now
        self.running_mean = tuple(.95 * old + .05 * new for old, new in zip(before, now))
        if self.steps % 25 == 0:
            print("{:.0f} s, step {}, loss {:.4f}, right {:.4f}".format(
                self.elapsed(), self.steps, *self.running_mean), flush=True)

    def check_fall(self, factor):
        """Ends the program unless the mean loss has fallen at least by `factor`."""
        share = max(1, len(self.losses) // 20)
        first, last = (sum(part) / share for part in (self.losses[:share], self.losses[-share:]))
        print(f"mean loss of the first {share} steps {first:.4f}, of the last {last:.4f}")
        if not last * factor <= first:
            raise SystemExit(f"the loss should have fallen by a factor of {factor}, "
                             f"but fell only by {first / last:.2f}")


def add_options(parser, seed, batch):
    """The command-line options of a training."""
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=float, help="train this long")
    length.add_argument("--steps", type=int, help="train for this many steps")
    parser.add_argument("--out", required=True, help="the checkpoint to write")
    parser.add_argument("--init", help="the checkpoint to go on from")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--muon-rate", type=float, default=.02, metavar="RATE")
    parser.add_argument("--adam-rate", type=float, default=.003, metavar="RATE")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--test-count", type=int, default=60, metavar="N",
                        help="held-out receipts to measure at the end")
    parser.add_argument("--must-fall", type=float, metavar="FACTOR",
                        help="fail unless the loss falls by this factor")


def run(options, half, name, next_loss, accuracy, hold):
    """Trains `half` as the options say.

    `next_loss()` returns (loss, share of right answers) of a new batch, `accuracy(n)` measures on
    n held-out receipts. Every five minutes the checkpoint is written.
    """
    trainer = Trainer(half, options.muon_rate, options.adam_rate, options.minutes, options.steps,
                      hold)
    next_save = 300
    while trainer.progress() < 1:
        trainer.step(*next_loss())
        if trainer.elapsed() > next_save:
            model.save(options.out, **{name: half})
            print("  held-out", accuracy(20), flush=True)
            next_save = trainer.elapsed() + 300
    model.save(options.out, **{name: half})
    print("held-out", accuracy(options.test_count))
    if options.must_fall:
        trainer.check_fall(options.must_fall)
