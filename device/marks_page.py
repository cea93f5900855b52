"""The page with the four marks for a tray's corners: A4 at true scale, as PDF or PNG. It has no words on it."""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.tray import MARK_MM, MARKS, marks_dictionary

PAGE_MM = (210.0, 297.0)
DPI = 300
"""Of the PNG; said in the file, so that it is printed at true scale."""

_CELLS = 6  # of a mark across: four of pattern and a black one on each side
_QUIET = 8.0  # mm of white around a mark, to be cut out with it
_BAR = 100.0  # mm: to be measured after printing


class Black(NamedTuple):
    """A black rectangle: left, top, width, height in mm from the page's upper left corner."""

    left: float
    top: float
    wide: float
    high: float


def rectangles() -> Iterator[Black]:
    """All that is printed, but for the words `100 mm`."""
    apart = MARK_MM + 2 * _QUIET
    left, top = (PAGE_MM[0] - 2 * apart - 10) / 2, 20.0
    for place, number in enumerate(MARKS):
        x, y = left + (place % 2) * (apart + 10), top + (place // 2) * (apart + 10)
        yield from _frame(x, y, apart, apart, 0.15)  # where to cut
        yield from _mark(number, x + _QUIET, y + _QUIET, MARK_MM)
    bar_left, bar_top = (PAGE_MM[0] - _BAR) / 2, 165.0
    yield Black(bar_left, bar_top, _BAR, 0.4)
    yield Black(bar_left, bar_top - 3, 0.4, 6.4)
    yield Black(bar_left + _BAR - 0.4, bar_top - 3, 0.4, 6.4)
    tray_left, tray_top, wide, high, small = 60.0, 195.0, 90.0, 64.0, 14.0
    yield from _frame(tray_left, tray_top, wide, high, 1.2)
    for place in range(len(MARKS)):
        x = tray_left + 3 + (place % 2) * (wide - small - 6)
        y = tray_top + 3 + (place // 2) * (high - small - 6)
        # Only a drawing of a mark, lest the camera takes the drawn tray for one.
        yield from _frame(x, y, small, small, 2.0)
        yield Black(x + 5, y + 5, 4.0, 4.0)


def write_page(path: Path) -> None:
    """Write the page as the ending of `path` says, .pdf or .png. Raises ValueError for another, OSError."""
    kind = path.suffix.lower()
    if kind not in (".pdf", ".png"):
        raise ValueError(f"{path}: the page can be a .pdf or a .png file")
    path.write_bytes(page_pdf() if kind == ".pdf" else page_png())


def page_pdf() -> bytes:
    """The page as a PDF of one page, everything drawn as rectangles."""
    point = 72 / 25.4
    wide, high = PAGE_MM[0] * point, PAGE_MM[1] * point
    drawn = ["0 g"]
    for black in rectangles():
        x, y = black.left * point, high - (black.top + black.high) * point
        drawn.append(f"{x:.3f} {y:.3f} {black.wide * point:.3f} {black.high * point:.3f} re")
    drawn.append("f")
    drawn.append(f"BT /F 11 Tf {wide / 2 - 22:.3f} {high - 176 * point:.3f} Td (100 mm) Tj ET")
    content = "\n".join(drawn).encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.3f %.3f] /Contents 4 0 R" % (wide, high)
        + b" /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    data = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return data + end % (len(objects) + 1, table, len(objects) + 1, len(data))


def page_png() -> bytes:
    """The page as a grey PNG that says its own size."""
    dot = DPI / 25.4
    page = np.full((round(PAGE_MM[1] * dot), round(PAGE_MM[0] * dot)), 255, np.uint8)
    for black in rectangles():
        rows = slice(round(black.top * dot), round((black.top + black.high) * dot))
        page[rows, round(black.left * dot) : round((black.left + black.wide) * dot)] = 0
    cv2.putText(
        page, "100 mm", (round(95 * dot), round(176 * dot)), cv2.FONT_HERSHEY_SIMPLEX, 1.9, (0,), 4, cv2.LINE_AA
    )
    good, data = cv2.imencode(".png", page)
    assert good
    png = data.tobytes()
    size = b"pHYs" + struct.pack(">IIB", round(DPI / 0.0254), round(DPI / 0.0254), 1)
    # Behind the signature (8 bytes) and the header's chunk (25 bytes).
    return png[:33] + struct.pack(">I", 9) + size + struct.pack(">I", zlib.crc32(size)) + png[33:]


def _mark(number: int, left: float, top: float, side: float) -> Iterator[Black]:
    """The black cells of a mark, each run of a row as one."""
    cells = cv2.aruco.generateImageMarker(marks_dictionary(), number, _CELLS) == 0
    cell = side / _CELLS
    for row, line in enumerate(cells):
        edges = np.nonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))[0].tolist()
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            yield Black(left + begin * cell, top + row * cell, (end - begin) * cell, cell)


def _frame(left: float, top: float, wide: float, high: float, thick: float) -> Iterator[Black]:
    yield Black(left, top, wide, thick)
    yield Black(left, top + high - thick, wide, thick)
    yield Black(left, top, thick, high)
    yield Black(left + wide - thick, top, thick, high)
