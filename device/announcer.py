"""Hears and speaks for the table: compares what is shown with what was, and lets it sound and be said where wanted."""

from device.announce import announcement
from device.faults import Faults
from device.sound import Sounds
from device.speech import Speech
from display.view import View


class Announcer:
    """Watches the views go by. Nothing here ever waits or fails: what cannot be heard is told as a fault."""

    def __init__(self, faults: Faults, sounds: Sounds | None = None, speech: Speech | None = None) -> None:
        self._faults = faults
        self._sounds = sounds or Sounds()
        self._speech = speech or Speech()
        self._view: View | None = None

    def show(self, view: View) -> None:
        """The table shows this now."""
        old, self._view = self._view, view
        if not (view.desk.sound or view.desk.speech):
            self._faults.clear("sound-missing")
            return
        if old is None:
            return
        found = announcement(old, view)
        if found is not None and found.sound is not None and view.desk.sound:
            self._sounds.play(found.sound)
        if found is not None and found.text is not None and view.desk.speech:
            self._speech.say(found.text, view.desk.language)
        missing = (view.desk.sound and self._sounds.missing) or (view.desk.speech and self._speech.missing) or None
        self._faults.set("sound-missing", missing)

    def close(self) -> None:
        """Fall silent."""
        self._speech.close()
        self._sounds.close()
