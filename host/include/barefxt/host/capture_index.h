// All frames of all inputs: what they hold, spooled, and an index of them, arranged by capture.
//
// Use: feed a FrameScanner into it, input after input; arrange(); then read captures one by one.
//
// Invariants: memory does not grow with the input (the spools may live in temporary files); nothing
// in here is a frame whose payload is shorter than its type's fixed part.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <barefxt/host/arriving_gaps.h>
#include <barefxt/host/frame_scanner.h>
#include <barefxt/host/spooled_array.h>
#include <barefxt/host/start_refusal.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

// Sent and lost on one CPU up to some moment.
struct RingTotals {
  uint64_t records = 0;
  uint64_t bytes = 0;
  uint64_t records_lost = 0;
  uint64_t bytes_lost = 0;
};

struct FrameEntry {
  // A flag that no frame has on the wire: threads entries state since when they hold.
  static constexpr uint8_t kHasSince = 0x80;
  // Another: the strings of this hello are in the program's file.
  static constexpr uint8_t kHasStringsInElf = 0x40;

  uint64_t payload_offset;   // in the spool
  uint64_t position;         // counts all frames of all inputs
  RingTotals before;         // of records frames, like the rest down to cpu
  uint64_t clock_since;      // counter value from which its clock holds, 0 for that of the hello
  uint64_t missing_records;  // sent right before this one, and not here; set by CaptureContent
  uint64_t missing_bytes;
  uint32_t segment;       // of a hello: the number of the dump, 0 where it has none
  uint32_t records;       // whole records that the payload can be walked through
  uint32_t record_bytes;  // and their bytes
  uint16_t cpu;
  uint8_t type;
  uint8_t flags;
  uint32_t payload_bytes;
  uint32_t capture;
  uint32_t sequence;
  uint32_t crc;
};

// The frames of one capture, side by side in the index.
struct CaptureRange {
  uint32_t capture;
  // 0, or from 2 on: the number of this capture among those of this id and start. Used if only the
  // frames' order in the input shows that there are several.
  uint32_t assumed_boot;
  uint64_t first_position;
  uint64_t begin;
  uint64_t count;
};

// Counts and faults of one input.
struct InputFindings {
  uint64_t bytes = 0;
  uint64_t frames = 0;
  uint64_t damaged = 0;
  uint64_t first_damaged = 0;  // offset
  uint64_t other_version = 0;
  uint8_t example_version = 0;
  uint64_t unreadable = 0;  // the CRC is right, the content is of no kind that we know
  StartRefusal refused;     // the last one
};

// A target's answer to a request.
struct Answer {
  uint32_t number = 0;   // of the request
  uint32_t capture = 0;  // that the target has now; 0 where it never recorded
  uint32_t categories = 0;
  uint8_t kind = 0;    // wire::RequestKind
  uint8_t status = 0;  // wire::AnswerStatus
  uint8_t state = 0;   // wire::TargetState
};

// State of a capture that is still arriving, for code that waits for the rest.
struct Arrival {
  uint64_t records = 0;
  uint64_t records_lost = 0;     // on the target, as far as it has reported
  uint64_t ends = 0;             // captures whose end has come
  std::optional<Answer> answer;  // the last one
  uint32_t capture = 0;          // the one that the last frame was of
  ArrivingGaps gaps;             // of that capture
};

// Gets each frame that a capture is made of, as it arrives.
class FrameListener {
 public:
  virtual ~FrameListener() = default;
  virtual void on_frame(const FrameEntry& frame, std::span<const uint8_t> payload) = 0;
};

class CaptureIndex final : public FrameSink {
 public:
  // `keeps`: for arrange() and what follows it; without it nothing is spooled.
  void hand_on(FrameListener& listener, bool keeps) {
    listener_ = &listener;
    keeps_ = keeps;
  }

  void on_frame(const Frame& frame) override;
  void on_damaged(uint64_t input_offset) override;
  void on_other_version(uint8_t version, uint64_t input_offset) override;

  const Arrival& arrival() const { return arrival_; }

  // The findings since the last call.
  InputFindings take_findings();

  // Groups the frames by capture, in the order in which the captures first appear. A capture is
  // known by its id and the start ticks in its hello: some targets count their ids from the same
  // number at each boot. If both are equal and dumps are numbered, a first dump behind an earlier
  // one belongs to another boot, provided that it is whole, contradicts the earlier one, or has a
  // frame that the earlier one, being whole, has not.
  Status arrange();

  std::span<const CaptureRange> captures() const { return captures_.all(); }
  std::span<FrameEntry> frames(const CaptureRange& range) {
    return frames_.all().subspan(range.begin, range.count);
  }
  std::span<const uint8_t> payload(const FrameEntry& entry) const {
    return {payloads_.data() + entry.payload_offset, entry.payload_bytes};
  }

  // Call it after reading this many bytes of payloads or frames: now and then their memory is given
  // back.
  void count_read(uint64_t bytes) const;

  // Disk trouble while frames came in: there is no use in going on.
  const Status& status() const { return status_; }

 private:
  // Frames from one first hello to the next, of one id and start.
  struct Dump {
    uint64_t begin = 0;     // in the index
    uint64_t position = 0;  // in the input
    uint32_t number = 0;    // 0: what stands ahead of the first hello
    uint32_t has_end = 0;
    uint32_t frames = 0;       // with different numbers
    uint32_t last = 0;         // of these numbers
    uint64_t contradicts = 0;  // one more than the dump before it that it contradicts, 0: none
  };

  void keep(const Frame& frame, uint32_t number = 0);
  void keep_numbered(const Frame& frame);
  void note_refusal(const Frame& frame);
  void close_range(uint64_t begin, uint64_t end, uint32_t assumed_boot);
  void split_by_dumps(uint64_t begin, uint64_t end);
  void compare_dumps(std::span<FrameEntry> frames);
  bool is_in_one_input(uint64_t position, uint64_t later) const;
  void note_answer(const Frame& frame);

  // How much may be mapped in before it is given back.
  static constexpr uint64_t kReleaseStep = uint64_t{16} << 20;
  void release_memory();

  void note_arrival(const Frame& frame, const FrameEntry& entry);
  void note_lost(size_t cpu, uint64_t records);

  FrameListener* listener_ = nullptr;
  bool keeps_ = true;
  uint64_t handed_on_ = 0;        // bytes of payloads
  std::vector<uint8_t> uncoded_;  // payload of the frame at hand
  // More than most lines send: by a file, a rebuild takes half as long again.
  SpooledStream payloads_{size_t{32} << 20};
  mutable uint64_t touched_since_release_ = 0;
  SpooledArray<FrameEntry> frames_;
  SpooledArray<CaptureRange> captures_;
  SpooledArray<Dump> dumps_;            // of the range at hand
  std::vector<uint64_t> input_begins_;  // positions of their first frames, but the first input's
  InputFindings findings_;
  Arrival arrival_;
  bool arriving_has_ended_ = false;    // the capture that the last frame was of
  std::vector<uint64_t> lost_of_cpu_;  // of that capture, by the number of the CPU
  Status status_;
};

}  // namespace barefxt::host
