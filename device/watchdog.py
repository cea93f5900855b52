"""What the service manager is told: ready, alive, stopping. Silent where there is no service manager.

The protocol is sd_notify(3): one datagram to the socket named by NOTIFY_SOCKET.
"""

import os
import socket
import time
from collections.abc import Callable

EVERY_SECONDS = 1.0
"""Hearing from us more often would only keep the service manager awake; a twentieth of the unit's WatchdogSec."""


class Watchdog:
    """Talks to the socket in NOTIFY_SOCKET, if there is one, and takes it out of the environment so that no child
    process can speak in our name. `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = -float("inf")
        self._address = os.environ.pop("NOTIFY_SOCKET", "")
        self._socket: socket.socket | None = None
        if self._address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        self._ready: bool | None = None

    @property
    def here(self) -> bool:
        """Whether there is a service manager, which starts a table that ended again."""
        return self._socket is not None

    def ready(self) -> None:
        """The sheet is on the screen."""
        self._ready = self._say("READY=1")

    def alive(self) -> None:
        """Called by the one loop after a drawn frame, and by nothing else; told once a second."""
        now = self._clock()
        if now >= self._next:
            self._next = now + EVERY_SECONDS
            if self._ready is False:
                self.ready()
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _say(self, word: str) -> bool:
        """Whether it was heard: a manager that is busy has no room for another word."""
        if self._socket is None:
            return True
        # A leading @ stands for Linux's abstract namespace.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            self._socket.sendto(word.encode(), address)
        except OSError:  # the manager is gone or busy: play goes on, its watchdog decides
            return False
        return True
