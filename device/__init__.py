"""The table itself: the only room that knows the others."""

import os

# pygame greets on standard output, where answers in JSON belong.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
