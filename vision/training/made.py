"""How a model was made, kept in its ONNX file: read and written without the onnx package.

An ONNX file is one protobuf message; its `metadata_props` (field 14) are pairs of strings. A message's repeated
fields may stand anywhere in it, so pairs are simply appended."""

from collections.abc import Iterator

LENGTH_DELIMITED = 2
METADATA_FIELD = 14
GRAPH_FIELD, INITIALIZER_FIELD, DIMS_FIELD = 7, 5, 1


def _varint(number: int) -> bytes:
    out = bytearray()
    while True:
        number, low = number >> 7, number & 0x7F
        if not number:
            return bytes([*out, low])
        out.append(low | 0x80)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | LENGTH_DELIMITED) + _varint(len(content)) + content


def fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """(field number, content) of a protobuf message; numbers as int, the rest as bytes."""
    at = 0
    while at < len(data):
        key, at = _read_varint(data, at)
        kind = key & 7
        if kind == 0:
            number, at = _read_varint(data, at)
            yield key >> 3, number
            continue
        if kind == LENGTH_DELIMITED:
            length, at = _read_varint(data, at)
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
        else:
            raise ValueError(f"not a protobuf message: wire type {kind}")
        if at + length > len(data):
            raise ValueError("protobuf message cut off")
        yield key >> 3, data[at : at + length]
        at += length


def append_metadata(model: bytes, made: dict[str, str]) -> bytes:
    """The model with the pairs added."""
    pairs = (_field(1, key.encode()) + _field(2, value.encode()) for key, value in made.items())
    return model + b"".join(_field(METADATA_FIELD, pair) for pair in pairs)


def read_metadata(model: bytes) -> dict[str, str]:
    """All pairs of strings that a model carries."""
    made = {}
    for number, content in fields(model):
        if number == METADATA_FIELD and isinstance(content, bytes):
            pair = {n: c.decode() for n, c in fields(content) if isinstance(c, bytes)}
            made[pair.get(1, "")] = pair.get(2, "")
    return made


def count_weights(model: bytes) -> int:
    """Numbers kept in the model's initializers: its parameters, constants included."""
    total = 0
    for number, graph in fields(model):
        if number != GRAPH_FIELD or not isinstance(graph, bytes):
            continue
        for field, tensor in fields(graph):
            if field != INITIALIZER_FIELD or not isinstance(tensor, bytes):
                continue
            size = 1
            for part, dims in fields(tensor):
                if part != DIMS_FIELD:
                    continue
                numbers = [dims] if isinstance(dims, int) else _packed(dims)
                for n in numbers:
                    size *= n
            total += size
    return total


def _packed(data: bytes) -> list[int]:
    numbers, at = [], 0
    while at < len(data):
        number, at = _read_varint(data, at)
        numbers.append(number)
    return numbers
