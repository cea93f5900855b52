"""One module per command of `tallytray`.

Each module has `SUMMARY` (one line for the list of commands), `EXAMPLE` (shown under its `--help`),
`arguments(parser)` which adds its own options, and `run(options) -> int` which returns the exit status.
"""


class BadInput(Exception):
    """What the user gave cannot be used. Its text is the one line shown on stderr: what, where, what is allowed."""
