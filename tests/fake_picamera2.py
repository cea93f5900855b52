"""picamera2 as its source behaves, on a sensor with automatic exposure.

Read from picamera2's source: requests must be released or the camera runs out of buffers; `flush=True` waits for a
frame whose exposure began after the call; a wait that is too long raises TimeoutError and leaves its job in the queue,
where it blocks every later one until `cancel_all_and_flush`; a control that the sensor lacks raises RuntimeError;
`configure` forgets controls that were set before; controls act some frames after they were set; writing both exposure
and gain, or colour gains, ends the automatic; a second object for a camera in use fails.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

FRAME = 1 / 30
DELAY = 3
"""Frames until a control acts."""


@dataclass
class Sensor:
    """`light` of the room. `ribbon` False: no frame comes. `starts` False: starting it fails. Values are as metadata
    give them: µs, times."""

    light: float = 1.0
    ribbon: bool = True
    starts: bool = True
    monochrome: bool = False
    autofocus: bool = True
    cameras: tuple[str, ...] = ("/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a",)
    fails: dict[str, Exception] = field(default_factory=dict)
    """What some calls raise, by their names."""
    first: int = 0
    first_level: float = 2.0
    """So many frames of this level come before the first that the light has made."""
    part: int = 8
    """Its pictures are smaller than asked for by this each way: they are made sooner."""
    now: float = 50.0
    made: list[Any] = field(default_factory=list)

    def clock(self) -> float:
        return self.now


class Request:
    def __init__(self, camera: Any, image: np.ndarray, about: dict[str, Any]) -> None:
        self._camera, self._image, self._about = camera, image, about
        self._held = True

    def make_array(self, name: str) -> np.ndarray:
        assert self._held, "used after its release"
        assert name == "main"
        return self._image.copy()

    def get_metadata(self) -> dict[str, Any]:
        assert self._held
        return dict(self._about)

    def release(self) -> None:
        assert self._held, "released twice"
        self._held = False
        self._camera.free += 1


def fake_module(sensor: Sensor) -> type:
    """The module `picamera2` with this sensor on the connector."""

    def fail(name: str) -> None:
        if name in sensor.fails:
            raise sensor.fails[name]

    class Picamera2:
        @staticmethod
        def global_camera_info() -> list[dict[str, Any]]:
            fail("global_camera_info")
            return [{"Model": "imx708", "Id": name, "Num": number} for number, name in enumerate(sensor.cameras)]

        def __init__(self, camera_num: int = 0) -> None:
            fail("__init__")
            if camera_num >= len(sensor.cameras):
                raise IndexError("list index out of range")
            if any(not other.closed for other in sensor.made):
                raise RuntimeError("Camera __init__ sequence did not complete.")
            sensor.made.append(self)
            self.closed = self.started = False
            self.stuck = 0
            self._config: dict[str, Any] | None = None
            self._auto, self._awb = True, True
            self._values: dict[str, Any] = {
                "ExposureTime": 4000,
                "AnalogueGain": 1.0,
                "ColourGains": (1.0, 1.0),
                "LensPosition": 2.5,
            }
            self._coming: list[tuple[int, dict[str, Any]]] = []
            self._frame = 0

        @property
        def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
            known = {"AeEnable", "ExposureTime", "AnalogueGain", "FrameDurationLimits"}
            known |= set() if sensor.monochrome else {"AwbEnable", "ColourGains"}
            known |= {"AfMode", "LensPosition"} if sensor.autofocus else set()
            return dict.fromkeys(known, (0, 1, None))

        def create_video_configuration(
            self, main: dict[str, Any], buffer_count: int = 6, queue: bool = True, controls: Any = None
        ) -> dict[str, Any]:
            return {"main": main, "buffer_count": buffer_count, "queue": queue, "controls": controls or {}}

        def configure(self, config: dict[str, Any]) -> None:
            fail("configure")
            assert config["main"]["format"] == "RGB888"
            self._config = config
            self.free = config["buffer_count"]
            self._coming.clear()
            self.set_controls(config["controls"])

        def camera_configuration(self) -> dict[str, Any]:
            assert self._config is not None
            return self._config

        def start(self) -> None:
            if self._config is None:
                raise RuntimeError("Camera has not been configured")
            if not sensor.starts:
                raise RuntimeError("Failed to start camera")
            self.started = True

        def set_controls(self, controls: dict[str, Any]) -> None:
            fail("set_controls")
            for name in controls:
                if name not in self.camera_controls:
                    raise RuntimeError(f"Control {name} is not advertised by libcamera")
            self._coming.append((self._frame + DELAY, dict(controls)))

        def capture_request(self, wait: float | None = None, flush: bool | None = None) -> Request:
            fail("capture_request")
            assert self.started
            assert wait is not None, "would wait for ever"
            if self.stuck or not sensor.ribbon:
                self.stuck += 1
                sensor.now += wait
                raise TimeoutError
            assert self.free > 0, "no buffer is left: a request was not released"
            began = sensor.now
            while True:
                sensor.now += FRAME
                self._step()
                start = sensor.now - self._values["ExposureTime"] / 1e6
                if not flush or start >= began:
                    break
            self.free -= 1
            width, height = self._config["main"]["size"]  # type: ignore[index]
            level = min(255.0, 3 * (sensor.light * self._exposed()) ** 0.5) if not sensor.first else sensor.first_level
            image = np.full((height // sensor.part, width // sensor.part, 3), level, np.uint8)
            image[0, self._frame % image.shape[1]] = 0  # no two are the same
            about = {"SensorTimestamp": int(sensor.now * 1e9), **self._values}
            for name in ("ColourGains",) if sensor.monochrome else ():
                about.pop(name)
            if not sensor.autofocus:
                about.pop("LensPosition")
            return Request(self, image, about)

        def cancel_all_and_flush(self) -> None:
            self.stuck = 0

        def stop(self) -> None:
            assert not self.stuck, "would wait behind the job that never ends"
            self.started = False

        def close(self) -> None:
            self.closed = True

        def _exposed(self) -> float:
            return float(self._values["ExposureTime"] * self._values["AnalogueGain"])

        def _step(self) -> None:
            self._frame += 1
            for due, controls in [coming for coming in self._coming if coming[0] <= self._frame]:
                self._coming.remove((due, controls))
                self._take(controls)
            if sensor.first:
                sensor.first -= 1
                return
            if self._auto:
                self._values["ExposureTime"] = round(
                    self._values["ExposureTime"] * (1600 / (sensor.light * self._exposed())) ** 0.3
                )
            if self._awb:
                red, blue = self._values["ColourGains"]
                self._values["ColourGains"] = (red + 0.2 * (1.8 - red), blue + 0.2 * (1.4 - blue))

        def _take(self, controls: dict[str, Any]) -> None:
            if controls.get("AeEnable"):
                self._auto = True
            if controls.get("AwbEnable"):
                self._awb = True
            if "ExposureTime" in controls and "AnalogueGain" in controls:
                self._auto = False
                line = 14  # µs: a sensor exposes whole lines
                self._values["ExposureTime"] = controls["ExposureTime"] // line * line
                self._values["AnalogueGain"] = controls["AnalogueGain"]
            if "ColourGains" in controls:
                self._awb = False
                self._values["ColourGains"] = controls["ColourGains"]
            if "LensPosition" in controls:
                assert controls["AfMode"] == 0, "ignored while autofocus runs"
                self._values["LensPosition"] = controls["LensPosition"]

    class Module:
        pass

    Module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    return Module
