#include "golden_logs.h"

namespace barefxt::test {

// The comments explain the bytes. A call's first word is id << 4 | action << 1.

const GoldenLog kVersion1 = {
    "version 1",
    // version, type, constant and nonstop, 10^9 ticks/s, buffer_size 176, reserved
    "01 00 | 01 00 | 03 00 00 00 | 00 ca 9a 3b 00 00 00 00 | b0 00 00 00 00 00 00 00"
    "| 00 00 00 00 00 00 00 00"
    "| 01 07 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // NewBuffer, thread 7
    "| 09 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00"  // WallClock, 1 s 2 us
    "| 05 03 00 00 10 00 00 00 00 00 00 00 00 00 00 00"  // NewCPUId 3 at 0x1000
    // CustomEvent, 8 bytes at 0x1000
    "| 0b 08 00 00 00 00 10 00 00 00 00 00 00 00 00 00 | 62 61 72 65 66 78 74 00"
    "| 50 00 00 00 10 00 00 00"                          // Entry 5, 0x10 later
    "| 66 00 00 00 01 00 00 00"                          // Entry_Args 6, 1 later
    "| 0d 88 77 66 55 44 33 22 11 00 00 00 00 00 00 00"  // CallArgument
    // CustomEvent, 8 bytes at 0x1012
    "| 0b 08 00 00 00 12 10 00 00 00 00 00 00 00 00 00 | 61 62 63 64 65 66 67 68"
    "| 64 00 00 00 02 00 00 00"                           // Tail_Exit 6, 2 later
    "| 07 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00"   // TSCWrap, 0x200000000
    "| 52 00 00 00 03 00 00 00"                           // Exit 5, 3 later
    "| 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",  // EndOfBuffer
    "thread 7 cpu 3 tsc 0x1000 custom event barefxt.\n"
    "thread 7 cpu 3 tsc 0x1010 entry 5\n"
    "thread 7 cpu 3 tsc 0x1011 entry 6 (0x1122334455667788)\n"
    "thread 7 cpu 3 tsc 0x1012 custom event abcdefgh\n"
    "thread 7 cpu 3 tsc 0x1013 tail exit 6\n"
    "thread 7 cpu 3 tsc 0x200000003 exit 5\n"};

const GoldenLog kVersion3 = {
    "version 3",
    "03 00 | 01 00 | 01 00 00 00 | 00 ca 9a 3b 00 00 00 00 | b0 00 00 00 00 00 00 00"
    "| 00 00 00 00 00 00 00 00"
    "| 0f b0 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // BufferExtents, 176 bytes
    "| 01 70 11 01 00 00 00 00 00 00 00 00 00 00 00 00"  // NewBuffer, thread 70000
    "| 09 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00"  // WallClock, 1 s 2 us
    "| 13 2a 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // Pid 42
    "| 05 03 00 00 10 00 00 00 00 00 00 00 00 00 00 00"  // NewCPUId 3 at 0x1000
    "| 0b 08 00 00 00 00 10 00 00 00 00 00 00 00 00 00 | 62 61 72 65 66 78 74 00"
    "| 50 00 00 00 10 00 00 00"                          // Entry 5, 0x10 later
    "| 66 00 00 00 01 00 00 00"                          // Entry_Args 6, 1 later
    "| 0d 88 77 66 55 44 33 22 11 00 00 00 00 00 00 00"  // CallArgument
    "| 0b 08 00 00 00 12 10 00 00 00 00 00 00 00 00 00 | 61 62 63 64 65 66 67 68"
    "| 64 00 00 00 02 00 00 00"                          // Tail_Exit 6, 2 later
    "| 07 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00"  // TSCWrap, 0x200000000
    "| 52 00 00 00 03 00 00 00",                         // Exit 5, 3 later
    "process 42 thread 70000 cpu 3 tsc 0x1000 custom event barefxt.\n"
    "process 42 thread 70000 cpu 3 tsc 0x1010 entry 5\n"
    "process 42 thread 70000 cpu 3 tsc 0x1011 entry 6 (0x1122334455667788)\n"
    "process 42 thread 70000 cpu 3 tsc 0x1012 custom event abcdefgh\n"
    "process 42 thread 70000 cpu 3 tsc 0x1013 tail exit 6\n"
    "process 42 thread 70000 cpu 3 tsc 0x200000003 exit 5\n"};

const GoldenLog kVersion5 = {
    "version 5",
    "05 00 | 01 00 | 02 00 00 00 | 00 ca 9a 3b 00 00 00 00 | c2 00 00 00 00 00 00 00"
    "| 00 00 00 00 00 00 00 00"
    "| 0f c2 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // BufferExtents, 194 bytes
    "| 01 70 11 01 00 00 00 00 00 00 00 00 00 00 00 00"  // NewBuffer, thread 70000
    "| 09 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00"  // WallClock, 1 s 2 us
    "| 13 2a 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // Pid 42
    "| 05 03 00 00 10 00 00 00 00 00 00 00 00 00 00 00"  // NewCPUId 3 at 0x1000
    // CustomEvent, 8 bytes, 0 later
    "| 0b 08 00 00 00 00 00 00 00 00 00 00 00 00 00 00 | 62 61 72 65 66 78 74 00"
    "| 50 00 00 00 10 00 00 00"                          // Entry 5, 0x10 later
    "| 66 00 00 00 01 00 00 00"                          // Entry_Args 6, 1 later
    "| 0d 88 77 66 55 44 33 22 11 00 00 00 00 00 00 00"  // CallArgument
    // CustomEvent, 8 bytes, 1 later
    "| 0b 08 00 00 00 01 00 00 00 00 00 00 00 00 00 00 | 61 62 63 64 65 66 67 68"
    // TypedEvent, 2 bytes, 1 later, type 0x0102
    "| 11 02 00 00 00 01 00 00 00 02 01 00 00 00 00 00 | 68 69"
    "| 64 00 00 00 00 00 00 00"                          // Tail_Exit 6, 0 later
    "| 07 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00"  // TSCWrap, 0x200000000
    "| 52 00 00 00 03 00 00 00",                         // Exit 5, 3 later
    "process 42 thread 70000 cpu 3 tsc 0x1000 custom event barefxt.\n"
    "process 42 thread 70000 cpu 3 tsc 0x1010 entry 5\n"
    "process 42 thread 70000 cpu 3 tsc 0x1011 entry 6 (0x1122334455667788)\n"
    "process 42 thread 70000 cpu 3 tsc 0x1012 custom event abcdefgh\n"
    "process 42 thread 70000 cpu 3 tsc 0x1013 typed event 258 hi\n"
    "process 42 thread 70000 cpu 3 tsc 0x1013 tail exit 6\n"
    "process 42 thread 70000 cpu 3 tsc 0x200000003 exit 5\n"};

// The greatest numbers, all reserved bytes set, two threads in one buffer, another CPU in between.
const GoldenLog kVersion2 = {
    "version 2",
    "02 00 | 01 00 | fc ff ff ff | ff ff ff ff ff ff ff ff | 00 00 00 00 00 00 00 00"
    "| aa aa aa aa aa aa aa aa"
    "| 0f 90 00 00 00 00 00 00 00 aa aa aa aa aa aa aa"  // BufferExtents, 144 bytes
    "| 01 ff ff ff ff aa aa aa aa aa aa aa aa aa aa aa"  // NewBuffer, thread -1
    "| 09 01 00 00 00 00 00 00 00 02 00 00 00 aa aa aa"  // WallClock, 1 s 2 us
    "| 05 ff ff 00 00 00 00 00 00 00 00 aa aa aa aa aa"  // NewCPUId 65535 at 0
    "| f0 ff ff ff ff ff ff ff"                          // Entry 2^28 - 1, 2^32 - 1 later
    "| 05 01 00 ff ff ff ff ff ff ff 7f aa aa aa aa aa"  // NewCPUId 1 at 2^63 - 1
    "| f2 ff ff ff 01 00 00 00"                          // Exit of the same, 1 later
    "| 01 07 00 00 00 aa aa aa aa aa aa aa aa aa aa aa"  // NewBuffer, thread 7
    "| 09 01 00 00 00 00 00 00 00 02 00 00 00 aa aa aa"  // WallClock
    "| 05 00 00 05 00 00 00 00 00 00 00 aa aa aa aa aa"  // NewCPUId 0 at 5
    "| 10 00 00 00 01 00 00 00 | 12 00 00 00 01 00 00 00",
    "thread -1 cpu 65535 tsc 0xffffffff entry 268435455\n"
    "thread -1 cpu 1 tsc 0x8000000000000000 exit 268435455\n"
    "thread 7 cpu 0 tsc 0x6 entry 1\n"
    "thread 7 cpu 0 tsc 0x7 exit 1\n"};

// An event with its own CPU and time, which do not move those of the calls; zeros behind a buffer.
const GoldenLog kVersion4 = {
    "version 4",
    "04 00 | 01 00 | 00 00 00 00 | e8 03 00 00 00 00 00 00 | 00 00 00 00 00 00 00 00"
    "| 00 00 00 00 00 00 00 00"
    "| 0f 49 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // BufferExtents, 73 bytes
    "| 01 07 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // NewBuffer, thread 7
    "| 09 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00"  // WallClock
    "| 05 03 00 00 10 00 00 00 00 00 00 00 00 00 00 00"  // NewCPUId 3 at 0x1000
    // CustomEvent, 1 byte at 0x2000 on CPU 4
    "| 0b 01 00 00 00 00 20 00 00 00 00 00 00 04 00 00 | 61"
    "| 50 00 00 00 10 00 00 00"  // Entry 5, 0x10 later
    "| 00 00 00 00 00"
    "| 0f 38 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // BufferExtents, 56 bytes
    "| 01 08 00 00 00 00 00 00 00 00 00 00 00 00 00 00"  // NewBuffer, thread 8
    "| 09 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00"  // WallClock
    "| 05 03 00 00 30 00 00 00 00 00 00 00 00 00 00 00"  // NewCPUId 3 at 0x3000
    "| 50 00 00 00 00 00 00 00",                         // Entry 5, 0 later
    "thread 7 cpu 4 tsc 0x2000 custom event a\n"
    "thread 7 cpu 3 tsc 0x1010 entry 5\n"
    "thread 8 cpu 3 tsc 0x3000 entry 5\n"};

// The specification's layout for big-endian platforms: bit fields from the most significant bit on.
const GoldenLog kBigEndian = {
    "version 1, big-endian",
    "00 01 | 00 01 | 80 00 00 00 | 00 00 00 00 3b 9a ca 00 | 00 00 00 00 00 00 00 a0"
    "| 00 00 00 00 00 00 00 00"
    "| 80 00 07 aa aa aa aa aa aa aa aa aa aa aa aa aa"  // NewBuffer, thread 7
    "| 84 00 00 00 00 00 00 00 01 00 00 00 02 aa aa aa"  // WallClock, 1 s 2 us
    "| 82 00 03 00 00 00 00 00 00 10 00 aa aa aa aa aa"  // NewCPUId 3 at 0x1000
    "| 00 00 00 05 00 00 00 10"                          // Entry 5, 0x10 later
    "| 30 00 00 06 00 00 00 01"                          // Entry_Args 6, 1 later
    "| 86 11 22 33 44 55 66 77 88 aa aa aa aa aa aa aa"  // CallArgument
    "| 20 00 00 06 00 00 00 02"                          // Tail_Exit 6, 2 later
    // CustomEvent, 3 bytes at 0x2000
    "| 85 00 00 00 03 00 00 00 00 00 00 20 00 aa aa aa | 61 62 63"
    "| 83 00 00 00 02 00 00 00 00 aa aa aa aa aa aa aa"  // TSCWrap, 0x200000000
    "| 10 00 00 05 00 00 00 03"                          // Exit 5, 3 later
    "| 81 aa aa aa aa aa aa aa aa aa aa aa aa aa aa aa"  // EndOfBuffer
    "| aa aa aa aa aa aa aa aa aa aa aa aa aa",          // to be skipped
    "thread 7 cpu 3 tsc 0x1010 entry 5\n"
    "thread 7 cpu 3 tsc 0x1011 entry 6 (0x1122334455667788)\n"
    "thread 7 cpu 3 tsc 0x1013 tail exit 6\n"
    "thread 7 cpu 3 tsc 0x2000 custom event abc\n"
    "thread 7 cpu 3 tsc 0x200000003 exit 5\n"};

}  // namespace barefxt::test
