// A trace in an image of memory, converted into the frames that the target would have sent, so that
// all later code is the same for both.
//
// The rules for which segments count, and how much was overwritten, are those of
// runtime/src/recover.cpp and held_segments.h on the target.
#pragma once

#include <cstdint>
#include <vector>

#include <barefxt/host/rebuild.h>
#include <barefxt/host/spooled_array.h>

#include "descriptor_search.h"
#include "frame_maker.h"
#include "segment_reader.h"

namespace barefxt::host {

class MemoryTrace {
 public:
  // `program` may have no memory. `image` is asked to give memory back.
  MemoryTrace(const MemoryImage& image, const TargetMemory& memory, const TargetMemory& program,
              const FoundDescriptor& descriptor);

  // Another session has started since, so this one's totals and threads are gone.
  void forget_control_words() { is_current_ = false; }

  // The number of this trace's segments with a correct header, which shows that addresses were
  // understood.
  uint64_t sound_segments();

  // False: something is missing or damaged, and was reported.
  Result<bool> make_frames(FrameSink& sink, uint32_t capture, const Rebuild::Report& say);

 private:
  // A segment with records, to be put into the order of the ring.
  struct Slot {
    uint32_t sequence;
    uint32_t number;
  };
  struct RingFindings {
    Amount sent;
    Amount lost;
    Amount overwritten;
    Amount unfinished;
    uint64_t missing_segments = 0;
    uint64_t damaged_segments = 0;
    uint64_t streamed_segments = 0;  // had left before
    uint64_t steps_back = 0;         // records that are earlier than the one before
    uint64_t last_ticks = 0;
    bool totals_are_older = false;

    bool is_whole() const {
      return missing_segments == 0 && damaged_segments == 0 && steps_back == 0 && !totals_are_older;
    }
  };

  bool is_streamed() const { return content_.mode == static_cast<uint8_t>(wire::Mode::kStreaming); }
  uint64_t address_of(uint32_t cpu, uint64_t slot) const;
  // Calls `each(number, facts)` for those of a CPU that are in the image, header and all; returns
  // how many are not.
  template <typename Each>
  uint64_t for_each_segment(uint32_t cpu, Each each);
  // The segment that was read has records of this trace.
  bool has_records(const SegmentFacts& facts, uint32_t cpu, RingFindings& ring) const;
  void release_memory_at_times(uint64_t bytes);

  void read_totals();
  void make_hello(FrameMaker& frames) const;
  void make_clocks(FrameMaker& frames) const;
  bool make_strings(FrameMaker& frames, const Rebuild::Report& say) const;
  bool make_threads(FrameMaker& frames, const Rebuild::Report& say);
  Status make_ring(uint32_t cpu, FrameMaker& frames);
  void make_segment(const SegmentFacts& facts, RingFindings& ring, FrameMaker& frames);
  void look_at_times(const RecordRun& run, RingFindings& ring);
  void make_end(FrameMaker& frames) const;
  bool say_rings(const Rebuild::Report& say) const;

  const MemoryImage& image_;
  TargetMemory memory_;
  TargetMemory program_;
  FoundDescriptor descriptor_;
  const Descriptor& content_;
  SegmentReader reader_;
  bool is_current_ = true;
  bool has_control_words_ = false;
  uint64_t read_since_release_ = 0;

  std::vector<RingFindings> rings_;
  std::vector<uint8_t> threads_;
  uint32_t named_threads_ = 0;
  uint64_t last_ticks_ = 0;
};

}  // namespace barefxt::host
