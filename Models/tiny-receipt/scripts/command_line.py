"""The command-line parser that all scripts use."""
import argparse


def parser_for(description):
    """A parser that shows the description as it is written."""
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
