"""barefxt-dump FILE: writes the trace that lies in the target's memory to FILE, as an ELF core.

In gdb, attached to the target (halted, as gdb has it) or to a core of it:

    (gdb) source host/gdb/barefxt.py
    (gdb) barefxt-dump trace.core

Then run the command that it prints: barefxt rebuild trace.core -o trace.fxt

FILE holds all that is needed: the descriptor, the rings with their control words, the table of
threads, and the strings. docs/how-to/ram-image.md names the headers that define them.
"""

import struct

import gdb

MAGIC = 0x6261726566787420
# By the second word of the magic number: how many bytes the descriptor has.
VERSIONS = {0x747261636520AB01: 232, 0x747261636520AB02: 240, 0x747261636520AB03: 240}
# barefxt/descriptor.h, from its magic number to the flags behind the number of strings.
LAYOUT = "QQ" "II" "II" "QQQ" "QIII" "HBB" "QIIII" "QII" "QIBBBB"
# The position in version 2 of the address of the offsets of the CPUs' counters, and the size of
# each.
CLOCK_OFFSETS_AT = 232
CLOCK_OFFSET_BYTES = 16
STRING_BYTES = 32000


def read(address, size):
    """The bytes there; memory of a target comes in pieces that its stub can send."""
    step = 1 << 16
    inferior = gdb.selected_inferior()
    parts = []
    for at in range(0, size, step):
        parts.append(bytes(inferior.read_memory(address + at, min(step, size - at))))
    return b"".join(parts)


def find_descriptor():
    """Its address, its byte order, its fields, its bytes."""
    try:
        symbol = gdb.parse_and_eval("&barefxt_descriptor")
    except gdb.error:
        raise gdb.GdbError(
            "no symbol `barefxt_descriptor`: is the program loaded (file kernel.elf), and does it "
            "have the runtime, and that without BAREFXT_LINEAR?"
        )
    bits = symbol.type.sizeof * 8
    address = int(symbol) & ((1 << bits) - 1)
    content = read(address, min(VERSIONS.values()))
    for order in "<>":
        fields = struct.unpack_from(order + LAYOUT, content)
        if fields[0] == MAGIC and fields[1] in VERSIONS:
            return address, order, fields, read(address, VERSIONS[fields[1]])
    raise gdb.GdbError(
        "no trace at 0x%x, where `barefxt_descriptor` is: has the target called barefxt_start?"
        % address
    )


def string_regions(order, table, count, bits):
    """The table of strings, and the texts, in as few pieces as their distances suggest."""
    regions = [(table, 4 * count)] if count else []
    distances = struct.unpack(order + "%di" % count, read(table, 4 * count))
    mask = (1 << bits) - 1
    texts = sorted({(table + 4 * i + distance) & mask for i, distance in enumerate(distances)})
    # Texts lie side by side: a gap of more than this starts another piece.
    gap = 1 << 12
    begin = 0
    for i, text in enumerate(texts):
        if i + 1 < len(texts) and texts[i + 1] - text <= gap:
            continue
        regions.append((texts[begin], text - texts[begin] + length_at(text)))
        begin = i + 1
    return regions


def length_at(address):
    """Of the text there, with the zero byte that ends it."""
    length = 0
    while length < STRING_BYTES:
        part = read(address + length, 64)
        end = part.find(b"\0")
        if end >= 0:
            return length + end + 1
        length += len(part)
    return length


def merged(regions):
    """In order of address, without overlaps."""
    result = []
    for address, size in sorted(regions):
        if result and address <= sum(result[-1]):
            last, length = result[-1]
            result[-1] = (last, max(length, address + size - last))
        elif size:
            result.append((address, size))
    return result


def elf_core(order, bits, regions):
    """The file: a header, a header for each region, their bytes."""
    is_64 = bits == 64
    header_size, load_size = (64, 56) if is_64 else (52, 32)
    word = "Q" if is_64 else "I"
    at = header_size + load_size * len(regions)
    loads, contents = [], []
    for address, size in regions:
        if is_64:
            load = struct.pack(order + "II6Q", 1, 4, at, address, address, size, size, 0)
        else:
            load = struct.pack(order + "8I", 1, at, address, address, size, size, 4, 0)
        loads.append(load)
        contents.append(read(address, size))
        at += size
    ident = b"\x7fELF" + bytes([2 if is_64 else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    header = ident + struct.pack(
        order + "HHI3" + word + "I6H",
        4, 0, 1, 0, header_size, 0, 0, header_size, load_size, len(regions), 0, 0, 0,
    )
    return b"".join([header] + loads + contents)


class BarefxtDump(gdb.Command):
    """Write the trace in the target's memory to a file: barefxt-dump FILE."""

    def __init__(self):
        super().__init__("barefxt-dump", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        files = gdb.string_to_argv(argument)
        if len(files) != 1:
            raise gdb.GdbError("usage: barefxt-dump FILE")
        address, order, fields, content = find_descriptor()
        memory, segment_bytes, segments_per_cpu, _, cpus = fields[9:14]
        rings, ring_bytes, max_cpus = fields[16:19]
        threads, thread_entries, thread_entry_bytes = fields[21:24]
        strings, string_count, bits = fields[24:27]
        regions = [
            (address, len(content)),
            (memory, cpus * segments_per_cpu * segment_bytes),
            (rings, max_cpus * ring_bytes),
            (threads, thread_entries * thread_entry_bytes),
        ]
        if len(content) > CLOCK_OFFSETS_AT:
            (clock_offsets,) = struct.unpack_from(order + "Q", content, CLOCK_OFFSETS_AT)
            if clock_offsets != 0:
                regions.append((clock_offsets, max_cpus * CLOCK_OFFSET_BYTES))
        regions += string_regions(order, strings, string_count, bits)
        core = elf_core(order, bits, merged(regions))
        try:
            with open(files[0], "wb") as file:
                file.write(core)
        except OSError as error:
            raise gdb.GdbError("cannot write %s: %s" % (files[0], error.strerror))
        print("%d bytes written. Now: barefxt rebuild %s -o trace.fxt" % (len(core), files[0]))


BarefxtDump()
