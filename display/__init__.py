"""What is shown and what fingers mean. Knows the rules, never the camera."""

import os

# pygame greets on standard output, where answers in JSON belong.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
