"""What is shown and what fingers mean. Knows the rules, never the camera."""

import os
import sys

# pygame greets on standard output, where answers in JSON belong.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# pygame would bring numpy along for these two, which nothing here uses: 13 MB of the table's memory.
for name in ("pygame.surfarray", "pygame.sndarray"):
    sys.modules.setdefault(name, None)  # type: ignore[arg-type]
