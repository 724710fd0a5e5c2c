// A dump on its way off the target: a sequence of frames that can be read one by one.
//
// Any frame may be lost, damaged or doubled without harm to the others. Each has the format's
// version, the id of its capture (new at each start, so that captures laid end to end never mix), a
// sequence number (which reveals missing and doubled frames) and a CRC-32C.
// docs/reference/wire-format.md is this file in prose, with worked examples.
//
// All integers of frame headers and payloads are little-endian and unaligned, on every target. Only
// the words of records are in the target's own byte order, which a flag of every frame shows.
//
// Order of a dump: hello, clocks, strings, threads, records, then hello, clocks, strings and
// threads again with kRepeated set, then end. Clocks frames exist only if CPUs have counters of
// their own. In a stream hello and threads come again among the records, without that flag,
// whenever there are new threads.
//
// This header is shared by target and host: it names offsets, and nothing here allocates.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/fxt/ring_record.h>

namespace barefxt::wire {

inline constexpr uint8_t kVersion = 1;
// Marks frames with records in the former code, which no target sends any more.
inline constexpr uint8_t kVersionOfCode = 2;
// Marks requests, answers, and frames that were requested (request.h).
inline constexpr uint8_t kVersionOfRequests = 3;
// Marks threads frames whose entries have the time since which they hold (ThreadsEntrySince).
inline constexpr uint8_t kVersionOfReuse = 4;
// Marks hello frames with the number of the dump (HelloNumber), and refusals.
inline constexpr uint8_t kVersionOfNumbers = 5;
// Marks records frames with compact records (fxt::RingRecord::is_compact), raw or coded.
inline constexpr uint8_t kVersionOfCompact = 6;
// Marks hello frames of targets whose strings are in the program's file, which has the build id of
// that frame. No strings frames come then.
inline constexpr uint8_t kVersionOfElfStrings = 7;
// Marks frames with coded records of any kind.
inline constexpr uint8_t kVersionOfPacked = 8;
inline constexpr uint8_t kNewestVersion = kVersionOfPacked;

enum class FrameType : uint8_t {
  kHello = 1,
  kStrings = 2,
  kThreads = 3,
  kRecords = 4,
  kEnd = 5,
  kClocks = 6,
  kRequest = 7,  // the only one that the host sends
  kAnswer = 8,
  kRefusal = 9,  // a start was refused
};

// Every frame: header, payload, CRC-32C (Castagnoli) of header and payload.
struct FrameHeader {
  static constexpr size_t kVersion = 0;   // u8
  static constexpr size_t kType = 1;      // u8, FrameType
  static constexpr size_t kFlags = 2;     // u8, FrameFlags
  static constexpr size_t kReserved = 3;  // u8, zero
  static constexpr size_t kCapture = 4;   // u32
  static constexpr size_t kSequence = 8;  // u32, counts the frames of a capture from 0
  static constexpr size_t kBytes = 12;
};
inline constexpr size_t kCrcBytes = 4;
inline constexpr size_t kMinFrameBytes = FrameHeader::kBytes + kCrcBytes;

struct FrameFlags {
  static constexpr uint8_t kBigEndianWords = 1;  // record words are big-endian
  static constexpr uint8_t kRepeated = 2;        // second copy: of any frame but records and end
  // Sent because the host asked: its sequence number is none of the capture's.
  static constexpr uint8_t kAsked = 4;
};

// A writer keeps payloads at or under this, but for a single record or string that is longer.
inline constexpr size_t kPreferredPayloadBytes = 1024;
// No payload is longer: the largest record and the largest fixed part of a frame fit.
inline constexpr size_t kMaxPayloadBytes = 32768 + 256;

// Payload of kHello: needed to read all other frames.
struct Hello {
  static constexpr size_t kTicksPerSecond = 0;  // u64, never 0
  static constexpr size_t kStartTicks = 8;      // u64, counter at start
  static constexpr size_t kWallClock = 16;      // u64, ns since 1970 at start, 0 where unknown
  static constexpr size_t kSegmentBytes = 24;   // u32, header included
  static constexpr size_t kThreadCount = 28;    // u16, entries in all threads frames of one copy
  static constexpr size_t kStringCount = 30;    // u16, strings have the indices 1 to this
  static constexpr size_t kCpuCount = 32;       // u16
  static constexpr size_t kMode = 34;           // u8, Mode
  static constexpr size_t kCounter = 35;        // u8, CounterFlags
  static constexpr size_t kAddressBits = 36;    // u8, 32 or 64
  static constexpr size_t kTargetBytes = 37;    // u8, length of the target's name
  static constexpr size_t kBuildIdBytes = 38;   // u8, length of the build id
  static constexpr size_t kKind = 39;           // u8, TraceKind
  static constexpr size_t kNames = 40;          // the target's name (UTF-8), then the build id
};

// Behind the names. Writers of the first days had nothing here: then nothing is left out.
struct HelloRest {
  // Records of other times are left out, since not all CPUs have them any more.
  static constexpr size_t kIntervalBegin = 0;  // u64, ticks; 0: from the start
  static constexpr size_t kIntervalEnd = 8;    // u64; the largest number: to the stop
  static constexpr size_t kBytes = 16;
};
// Behind that, in a hello frame of the version kVersionOfNumbers; in one of kVersionOfElfStrings if
// HelloRest is there.
struct HelloNumber {
  static constexpr size_t kNumber = 0;  // u32, counts the dumps of this capture from 1
  static constexpr size_t kBytes = 4;
};

inline constexpr uint32_t kNoCapture = 0;

// Payload of kRefusal, a frame of kNoCapture: why barefxt_start refused to record.
struct Refusal {
  static constexpr size_t kError = 0;    // u8, barefxt_error
  static constexpr size_t kFollows = 1;  // u8, 1: the dump of an earlier session follows, else 0
  static constexpr size_t kName = 2;     // to the end: the error's name
};

// The kind of trace in a capture.
enum class TraceKind : uint8_t {
  kSession = 0,
  kSnapshot = 1,   // a moment of a session that went on
  kRecovered = 2,  // what the memory still held at the next boot
  kMemory = 3,     // read from an image of the memory; made by the host
  // As kRecovered, but some of the memory had lost its content, or another image's names were
  // meant.
  kRecoveredInPart = 4,
};

enum class Mode : uint8_t { kOneShot = 1, kCircular = 2, kStreaming = 3 };

struct CounterFlags {
  static constexpr uint8_t kConstantRate = 1;  // does not change with the CPU's frequency
  static constexpr uint8_t kNonstop = 2;       // goes on while the CPU sleeps
  static constexpr uint8_t kSystemWide = 4;    // one counter for all CPUs
};

// Payload of kClocks: a run of CPUs, and how to have CPU 0's clock from theirs.
struct Clocks {
  static constexpr size_t kFirstCpu = 0;  // u16
  static constexpr size_t kEntries = 2;   // then to the end of the payload: entries
};
struct ClocksEntry {
  static constexpr size_t kOffset = 0;  // i64, ticks to add to the times of this CPU's records
  static constexpr size_t kError = 8;   // u64, by how many the offset may be wrong, either way
  static constexpr size_t kBytes = 16;
  static constexpr uint64_t kUnknownError = ~uint64_t{0};  // it was never measured
};

// Payload of kStrings: a run of the string table.
struct Strings {
  static constexpr size_t kFirstIndex = 0;  // u16
  static constexpr size_t kEntries = 2;     // then to the end of the payload: u16 length, bytes
};

// Payload of kThreads: a run of the thread table.
struct Threads {
  static constexpr size_t kFirstEntry = 0;  // u16, place in the table of the first entry, from 0
  static constexpr size_t kEntries = 2;     // then to the end of the payload: entries
};
struct ThreadsEntry {
  static constexpr size_t kKind = 0;       // u8, ThreadsEntryKind
  static constexpr size_t kIndex = 1;      // u8, thread index in records, 0 where it has none
  static constexpr size_t kNameBytes = 2;  // u8
  static constexpr size_t kKoid = 3;       // u32
  static constexpr size_t kProcess = 7;    // u32, koid of the process; of an object its type
  static constexpr size_t kName = 11;      // UTF-8
};
// An entry in a threads frame of the version kVersionOfReuse. A thread index means the entry's koid
// in records from `since` on. The former meaning is in the kernel object record that the target
// wrote when it gave the entry to another (FormerEntry).
struct ThreadsEntrySince {
  static constexpr size_t kSince = ThreadsEntry::kName;  // u64, ticks; 0: from the start
  static constexpr size_t kName = kSince + 8;            // UTF-8
};
// Arguments of the kernel object record with an entry's content before it became another's.
struct FormerEntry {
  static constexpr char kSince[] = "since";         // uint64, ticks: from then until this record
  static constexpr char kIndex[] = "thread_index";  // uint32, where it had one
};
enum class ThreadsEntryKind : uint8_t {
  kProcess = 1,
  kThread = 2,
  kCpu = 3,  // the pseudo-thread cpu-N that interrupts of a CPU are drawn on
  // Neither thread nor process: instead of the process's koid there is the object's type.
  kObject = 4,
};
constexpr bool is_thread(ThreadsEntryKind kind) {
  return kind == ThreadsEntryKind::kThread || kind == ThreadsEntryKind::kCpu;
}

// Payload of kRecords: a run of whole records of one segment, in the order of their reservation.
// Unfinished records (fxt/ring_record.h) are left out and counted in the end frame.
struct Records {
  static constexpr size_t kCpu = 0;      // u16
  static constexpr size_t kCoding = 2;   // u8, RecordsCoding
  static constexpr size_t kClock = 3;    // u8, RecordsClock
  static constexpr size_t kSegment = 4;  // u32, sequence number of the segment on this CPU, from 0
  // u64, records of this CPU in all pieces sent before; segments may be sent in any order
  static constexpr size_t kRecordsBefore = 8;
  static constexpr size_t kBytesBefore = 16;  // u64, their bytes
  // Lost on this CPU until the segment was opened. The growth from one segment to the next was lost
  // between the last record of the former and the first of the latter.
  static constexpr size_t kRecordsLost = 24;  // u64
  static constexpr size_t kBytesLost = 32;    // u64
  static constexpr size_t kWords = 40;        // the clock, if the frame has one; then raw records
};
// The clock that the times of a piece go by.
enum class RecordsClock : uint8_t {
  kHello = 0,  // ticks of the hello's rate, as they are
  kGiven = 1,  // the words of fxt::ClockWords, each a u64, stand ahead of the record words
};
inline constexpr size_t kRecordsClockBytes = 8 * fxt::ClockWords::kCount;
constexpr size_t record_words_at(uint8_t clock) {
  return Records::kWords +
         (clock == static_cast<uint8_t>(RecordsClock::kGiven) ? kRecordsClockBytes : 0);
}
// kCoded is the former code, in frames of kVersionOfCode, or of kVersionOfCompact.
enum class RecordsCoding : uint8_t { kRaw = 0, kCoded = 1, kPacked = 2 };

// Payload of kRecords of the version kVersionOfPacked: down to kSegment as above, that coding. Then
// a code (record_code.h): numbers, and behind them record words to the end.
struct CodedRecords {
  static constexpr size_t kCode = 8;
  // In the order of Records, from kRecordsBefore to kBytesLost. The clock's words follow, if the
  // frame has them.
  static constexpr size_t kNumbers = 4;
};
// A writer of coded records keeps payloads at or under this: the more records a frame has, the
// fewer bytes they take, since guesses start anew in each. It is about 8 KiB of records.
inline constexpr size_t kPreferredCodedPayloadBytes = 2048;

// Payload of kEnd: what there was in all. One entry a CPU, in order, then EndRest, then EndCalls.
struct End {
  static constexpr size_t kStopTicks = 0;  // u64, counter at stop
  static constexpr size_t kCpuCount = 8;   // u16
  static constexpr size_t kEntries = 10;
};
struct EndEntry {
  static constexpr size_t kRecords = 0;             // u64, records in the frames of this CPU
  static constexpr size_t kBytesOfRecords = 8;      // u64
  static constexpr size_t kRecordsLost = 16;        // u64, dropped or overwritten on the target
  static constexpr size_t kBytesLost = 24;          // u64
  static constexpr size_t kUnfinishedRecords = 32;  // u32, reserved but never committed
  static constexpr size_t kUnfinishedBytes = 36;    // u32
  static constexpr size_t kBytes = 40;
};

// Behind the entries. Writers of the first days had nothing here: then it is unknown.
struct EndRest {
  static constexpr size_t kCutTexts = 0;  // u32, names and texts cut to what holds them
  static constexpr size_t kBytes = 4;
};

// Behind that, only if calls of functions had limits: the calls that are not among the records.
struct EndCalls {
  static constexpr size_t kTooShort = 0;     // u64
  static constexpr size_t kTooDeep = 8;      // u64
  static constexpr size_t kWithoutEnd = 16;  // u64, a call around them ended
  static constexpr size_t kOpen = 24;        // u64, that had not ended
  static constexpr size_t kBytes = 32;
};

// The text form: a line of this prefix, the frame in base64 (RFC 4648, with padding), a newline.
inline constexpr char kTextPrefix[] = "barefxt:";

constexpr uint64_t load_little_endian(const uint8_t* bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return value;
}
constexpr uint16_t load_u16(const uint8_t* bytes) {
  return static_cast<uint16_t>(load_little_endian(bytes, 2));
}
constexpr uint32_t load_u32(const uint8_t* bytes) {
  return static_cast<uint32_t>(load_little_endian(bytes, 4));
}
constexpr uint64_t load_u64(const uint8_t* bytes) { return load_little_endian(bytes, 8); }

}  // namespace barefxt::wire
