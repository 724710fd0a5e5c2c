// The dump of a ring that is one run of memory (linear.h): the frames of wire/frame.h in its order,
// as in any other dump.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/utf8.h>

#include "cut_text.h"
#include "frame_writer.h"
#include "linear.h"
#include "string_table.h"
#include "thread_table.h"

#if BAREFXT_LINEAR

namespace barefxt {
namespace {

using linear::Place;

constexpr uint32_t kind_of(fxt::RingRecordType type) {
  return static_cast<uint32_t>(fxt::RingRecord::make(type, 0));
}
constexpr uint32_t kUnfinished = kind_of(fxt::RingRecordType::kUnfinished);
constexpr uint32_t kCompact = kind_of(fxt::RingRecordType::kSample);
constexpr auto kKind =
    static_cast<uint32_t>(fxt::RingRecord::Type::kMask | fxt::RingRecord::Subtype::kMask);
// A bit by which compact records differ.
constexpr auto kOther = kKind & ~static_cast<uint32_t>(fxt::RingRecord::kCompactMask);

// Threads may be registered while it is sent, and writers that the stop interrupted may finish
// their records. So each frame looks at its content once.
class Dump {
 public:
  Dump(const barefxt_writer& writer, barefxt_dump_form form)
      : frame_(writer, form, static_cast<uint32_t>(rings[0].start_ticks), 0) {}

  void send() {
    tables();
    records();
    flags_ = wire::FrameFlags::kRepeated;
    tables();
    flags_ = 0;
    end();
  }

 private:
  [[gnu::noinline]] void tables() {
    hello();
    strings();
    thread(linear::kCpuThreadIndex, wire::ThreadsEntryKind::kCpu, kCpuProcessKoid, kCpuThreadKoid,
           "cpu-0");
    uint32_t index = 0;
    for (const linear::Entry& entry : linear::threads.entries) {
      ++index;
      if (const uint32_t kind = entry.kind.load_acquire())
        thread(index, static_cast<wire::ThreadsEntryKind>(kind), entry.process, entry.koid,
               entry.name);
    }
  }

  void hello() {
    const barefxt_config& config = linear::config;
    // With the CPU's own.
    uint32_t named = 1;
    for (const linear::Entry& entry : linear::threads.entries)
      if (entry.kind.load_acquire() != 0) ++named;
    const uint32_t target_bytes =
        cut_utf8(config.target, text_bytes(config.target), Descriptor::kTargetBytes);
    uint32_t id_bytes = config.build_id == nullptr ? 0 : config.build_id_bytes;
    if (id_bytes > Descriptor::kBuildIdBytes) id_bytes = Descriptor::kBuildIdBytes;
    if constexpr (kStringsInElf)
      frame_.begin(wire::FrameType::kHello, flags_, wire::kVersionOfElfStrings);
    else
      begin(wire::FrameType::kHello);
    frame_.u64(barefxt_port_counter_frequency());
    frame_.u64(rings[0].start_ticks);
    frame_.u64(config.wall_clock_ns);
    frame_.u32(kSegmentBytes);
    frame_.u16(static_cast<uint16_t>(named));
    frame_.u16(string_count());
    static_assert(wire::Hello::kMode == wire::Hello::kCpuCount + 2 &&
                  wire::Hello::kCounter == wire::Hello::kMode + 1);
    frame_.u32(1 | static_cast<uint32_t>(wire::Mode::kOneShot) << 16 |
               static_cast<uint32_t>(BAREFXT_PORT_COUNTER_FLAGS | wire::CounterFlags::kSystemWide)
                   << 24);
    static_assert(wire::Hello::kTargetBytes == wire::Hello::kAddressBits + 1 &&
                  wire::Hello::kBuildIdBytes == wire::Hello::kTargetBytes + 1 &&
                  wire::Hello::kKind == wire::Hello::kBuildIdBytes + 1);
    frame_.u32(8 * sizeof(uintptr_t) | target_bytes << 8 | id_bytes << 16 |
               static_cast<uint32_t>(wire::TraceKind::kSession) << 24);
    frame_.bytes(config.target, target_bytes);
    frame_.bytes(config.build_id, id_bytes);
    frame_.end();
  }

  void strings() {
    for (uint32_t index = 1; index <= string_count(); ++index) {
      const char* text = string_text(index);
      // No more than the format takes: probes with longer ones do not compile.
      const auto bytes = static_cast<uint32_t>(text_bytes(text));
      begin(wire::FrameType::kStrings);
      frame_.u16(static_cast<uint16_t>(index));
      frame_.u16(static_cast<uint16_t>(bytes));
      frame_.bytes(text, bytes);
      frame_.end();
    }
  }

  // With an index of 1 or more, which is one more than the place in the table.
  void thread(uint32_t index, wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid,
              const char* name) {
    const uint32_t bytes = cut_utf8(name, text_bytes(name), linear::Entry::kNameBytes);
    begin(wire::FrameType::kThreads);
    frame_.u16(static_cast<uint16_t>(index - 1));
    frame_.u8(static_cast<uint8_t>(kind));
    frame_.u8(wire::is_thread(kind) ? static_cast<uint8_t>(index) : uint8_t{0});
    frame_.u8(static_cast<uint8_t>(bytes));
    frame_.u32(koid);
    frame_.u32(process);
    frame_.bytes(name, bytes);
    frame_.end();
  }

  // Sends all finished records, in runs. Zero words, and words that a second look finds changed,
  // are treated as SegmentWalker does.
  void records() {
    const uint32_t end = Place::offset_when_closed(rings[0].position.load_acquire());
    uint32_t zeros = 0;  // that lie ahead of `at`, in bytes
    uint32_t at = Place::kFirst;
    while (at < end) {
      const uint32_t header = RecordHeaderWord::load_lower(word(at));
      if (header == 0) {
        at += fxt::kWordBytes;
        zeros += fxt::kWordBytes;
        continue;
      }
      uint32_t again = at - zeros;
      while (again < at && RecordHeaderWord::is_zero(word(again))) again += fxt::kWordBytes;
      zeros -= at - again;
      if (again != at) {
        at = again;
        continue;
      }
      zeros = 0;
      const auto bytes =
          static_cast<uint32_t>(fxt::RecordHeader::SizeWords::in(header)*fxt::kWordBytes);
      // None, or beyond the end: only damaged memory has that.
      if (bytes - 1 >= end - at) break;
      // As differences: one takes fewer bytes of code than two kinds.
      const auto kind = static_cast<uint32_t>((header ^ kUnfinished) & kKind);
      if (kind != 0) add_to_run(at, bytes, kind);
      at += bytes;
    }
    send_run();
  }

  void add_to_run(uint32_t at, uint32_t bytes, uint32_t kind) {
    constexpr uint32_t kRoom = wire::kPreferredPayloadBytes - wire::Records::kWords;
    if (at != run_ + run_bytes_ || run_bytes_ + bytes > kRoom) {
      send_run();
      run_ = at;
    }
    ++run_records_;
    run_bytes_ += bytes;
    if ((kind | kOther) == ((kCompact | kOther) ^ kUnfinished)) version_ = wire::kVersionOfCompact;
  }

  [[gnu::noinline]] void send_run() {
    if (run_bytes_ == 0) return;
    frame_.begin(wire::FrameType::kRecords, 0, version_);
    // CPU 0, raw, by the hello's clock, segment 0.
    static_assert(wire::Records::kRecordsBefore == sizeof(uint64_t));
    frame_.u64(0);
    frame_.u64(records_);
    frame_.u64(bytes_);
    frame_.u64(0);
    frame_.u64(0);
    frame_.bytes(word(run_), run_bytes_);
    frame_.end();
    records_ += run_records_;
    bytes_ += run_bytes_;
    run_records_ = 0;
    run_bytes_ = 0;
    version_ = wire::kVersion;
  }

  static const fxt::Word* word(uint32_t at) {
    return reinterpret_cast<const fxt::Word*>(rings[0].memory + at);
  }

  void end() {
    const Ring& ring = linear::the_ring();
    const PositionWord position = ring.position.load_acquire();
    begin(wire::FrameType::kEnd);
    frame_.u64(linear::stop_ticks(ring));
    frame_.u16(1);
    frame_.u64(records_);
    frame_.u64(bytes_);
    total(ring.records_lost);
    total(ring.bytes_lost);
    frame_.u32(Place::reserved(position) - records_);
    frame_.u32(Place::offset_when_closed(position) - Place::kFirst - bytes_);
    frame_.u32(texts_cut.load_relaxed());
    frame_.end();
  }

  // In one place: on a CPU of 32 bits a total is of two words.
  [[gnu::noinline]] void total(const Total& sum) { frame_.u64(sum.value()); }

  [[gnu::noinline]] void begin(wire::FrameType type) { frame_.begin(type, flags_); }

  FrameWriter frame_;
  uint8_t flags_ = 0;                 // of the frames from here on
  uint8_t version_ = wire::kVersion;  // of the run
  uint32_t records_ = 0;              // sent
  uint32_t bytes_ = 0;
  uint32_t run_ = 0;  // where records begin that are not sent yet
  uint32_t run_bytes_ = 0;
  uint32_t run_records_ = 0;
};

}  // namespace
}  // namespace barefxt

extern "C" barefxt_error barefxt_dump(const barefxt_writer* writer, barefxt_dump_form form) {
  using namespace barefxt;
  if (!has_form(form)) return BAREFXT_ERROR_LEFT_OUT;
  if (rings[0].memory == nullptr) return BAREFXT_ERROR_NEVER_STARTED;
  if (!Place::is_stopped(rings[0].position.load_acquire())) return BAREFXT_ERROR_RUNNING;
  Dump(*writer, form).send();
  return BAREFXT_OK;
}

#endif

#endif
