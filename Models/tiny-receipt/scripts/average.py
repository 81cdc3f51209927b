"""Writes the mean of the weights of several text halves of one training.

    python average.py --out text.pt text-g.pt text-h.pt
"""
import torch

import model
from command_line import parser_for


@torch.no_grad()
def averaged(halves):
    """The first of `halves`, with its weights replaced by the mean of all."""
    first, *others = halves
    if any(other.config != first.config for other in others):
        raise SystemExit("the checkpoints have different shapes")
    for name, parameter in first.named_parameters():
        stack = [parameter, *(other.get_parameter(name) for other in others)]
        parameter.copy_(torch.stack(stack).mean(0))
    return first


def main():
    parser = parser_for(__doc__)
    parser.add_argument("checkpoints", nargs="+", help="checkpoints from train_text.py")
    parser.add_argument("--out", required=True, help="the checkpoint to write")
    options = parser.parse_args()
    model.save(options.out, text=averaged([model.load_text(path) for path in options.checkpoints]))


if __name__ == "__main__":
    main()
