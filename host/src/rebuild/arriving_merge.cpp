#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <barefxt/host/arriving_merge.h>
#include <barefxt/wire/frame.h>

#include "archive_tables.h"
#include "arriving_owners.h"
#include "arriving_pieces.h"
#include "capture_merge.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();
// A target sends what is in a segment an eighth of a second after it looked at it first.
constexpr uint64_t kPatienceSeconds = 1;
constexpr size_t kMaxWaitingBytes = size_t{16} << 20;
constexpr uint64_t kBytesAtOnce = uint64_t{1} << 16;

bool is_type(const FrameEntry& frame, wire::FrameType type) {
  return frame.type == static_cast<uint8_t>(type);
}

}  // namespace

class ArrivingMerge::Trace {
 public:
  Trace(uint32_t id, ArrivalSink& sink, MergeWait wait, const KnownNames& names,
        const ProgramStrings* strings)
      : sink_(sink), wait_(wait), capture_(id), writer_(chunk_, ByteOrder::kLittle), names_(names) {
    capture_.name_by(strings);
  }

  uint32_t id() const { return capture_.id(); }
  bool is_over() const { return is_over_; }
  // A second start of a capture of the same id.
  bool contradicts(const FrameEntry& frame, std::span<const uint8_t> payload) const {
    const auto& hello = capture_.hello();
    return is_type(frame, wire::FrameType::kHello) && hello &&
           wire::load_u64(payload.data() + wire::Hello::kStartTicks) != hello->start_ticks;
  }

  void add(const FrameEntry& frame, std::span<const uint8_t> payload) {
    if (is_type(frame, wire::FrameType::kRecords)) return add_piece(frame, payload);
    capture_.add(frame, payload);
    // The names of threads say since when.
    const bool is_late =
        is_type(frame, wire::FrameType::kStrings) || is_type(frame, wire::FrameType::kClocks);
    if (is_late && merge_) ++late_tables_;
    if (is_type(frame, wire::FrameType::kThreads)) has_new_threads_ = true;
    if (is_type(frame, wire::FrameType::kHello)) add_cpus();
    if (capture_.has_end()) end_rings();
  }

  void advance(bool is_idle) {
    if (is_over_ || (waiting_ == 0 && !is_ended_)) return;
    if (!begin()) return;
    if (std::exchange(has_new_threads_, false)) take_new_threads();
    merge(is_idle);
    flush();
  }

  void finish() {
    if (is_over_) return;
    if (!capture_.has_end()) {
      add_cpus();
      for (auto& [cpu, ring] : rings_) ring.set_may_miss_a_piece();
    }
    end_rings();
    advance(true);
  }

  void see(MergeState& state) const {
    state.has_begun = merge_ != nullptr;
    state.is_over = is_over_;
    state.merged = merged_;
    state.newest = std::max(newest_, merged_);
    state.late_records += late_records_;
    state.late_pieces += late_pieces_;
    state.late_tables += late_tables_;
    if (waiting_ == 0) return;
    uint64_t earliest = kNoTime;
    for (const auto& [cpu, ring] : rings_) {
      if (!ring.is_waited_for() || frontier(ring) >= earliest) continue;
      earliest = frontier(ring);
      state.held_by = cpu;
    }
  }

  bool has_begun() const { return merge_ != nullptr; }
  bool has_records() const { return waiting_ > 0; }

  UnmergedFacts unmerged() const {
    UnmergedFacts facts;
    for (const auto& [cpu, ring] : rings_) {
      facts.cpus.push_back(cpu);
      if (ring.is_open())
        for (RingCursor ahead = ring.cursor(); !ahead.is_over(); ahead.step()) note(ahead, facts);
    }
    return facts;
  }

 private:
  class Chunk final : public ByteSink {
   public:
    Status write(std::span<const uint8_t> bytes) override {
      bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
      return {};
    }
    std::vector<uint8_t> take() { return std::exchange(bytes_, {}); }

   private:
    std::vector<uint8_t> bytes_;
  };

  // Losses are announced when a cursor meets them.
  class NoListener final : public LossListener {
    void on_loss(const LossPlace& /*place*/) override {}
  };

  struct Turn {
    uint64_t time = kNoTime;
    uint16_t cpu = 0xffff;
    auto operator<=>(const Turn&) const = default;
  };

  static void note(const RingCursor& cursor, UnmergedFacts& facts) {
    const RecordView& record = cursor.record();
    const std::optional<FunctionCall>& call = cursor.call();
    const std::optional<CompleteEvent> slice = complete_event(record, cursor.order());
    const std::optional<uint64_t> begin = call    ? call->begin
                                          : slice ? std::optional(slice->begin)
                                                  : std::nullopt;
    if (begin) facts.earliest_begin = std::min(facts.earliest_begin, cursor.clock()(*begin));
    if (record.type() == fxt::RecordType::kKernelObject) facts.has_names = true;
  }

  bool is_in(wire::Mode mode) const {
    const auto& hello = capture_.hello();
    return hello && hello->mode == mode;
  }
  bool is_stream() const { return is_in(wire::Mode::kStreaming); }
  uint64_t ticks_per_second() const { return capture_.ticks_per_second(); }
  uint64_t start_ticks() const {
    const auto& hello = capture_.hello();
    return hello ? hello->start_ticks : 0;
  }

  void add_cpus() {
    const auto& hello = capture_.hello();
    if (!hello) return;
    for (unsigned cpu = 0; cpu < std::min(hello->cpu_count, kMaxCpus); ++cpu)
      ring_of(static_cast<uint16_t>(cpu));
  }
  ArrivingPieces& ring_of(uint16_t cpu) { return rings_.try_emplace(cpu, cpu).first->second; }

  void add_piece(FrameEntry piece, std::span<const uint8_t> payload) {
    if (piece.cpu >= kMaxCpus || is_ended_) return;
    if (!ring_of(piece.cpu).add(piece, is_in(wire::Mode::kCircular))) {
      ++late_pieces_;
      return;
    }
    capture_.add(piece, payload);
    waiting_ += piece.record_bytes + sizeof piece;
    note_time(piece);
  }

  // The time of the first record that has one.
  void note_time(const FrameEntry& piece) {
    const bool big = (piece.flags & wire::FrameFlags::kBigEndianWords) != 0;
    const ByteOrder order = big ? ByteOrder::kBig : ByteOrder::kLittle;
    const auto record = first_record(capture_.words(piece), order);
    if (!record) return;
    const auto timed = unwrap(*record, order);
    const auto time = timed ? std::optional(timed->ticks) : record_time(*record, order);
    if (time) newest_ = std::max(newest_, capture_.clock_map(piece)(*time));
  }

  void end_rings() {
    is_ended_ = true;
    const std::span<const RingEnd> ends = capture_.ends();
    for (size_t cpu = 0; cpu < ends.size(); ++cpu)
      if (ends[cpu].totals.records != 0 || ends[cpu].totals.records_lost != 0)
        ring_of(static_cast<uint16_t>(cpu)).end_with(ends[cpu]);
    for (auto& [cpu, ring] : rings_) ring.end();
  }

  // Writes what an archive begins with.
  bool begin() {
    if (merge_) return true;
    const auto& hello = capture_.hello();
    if (wait_ == MergeWait::kAlways && !hello) {
      if (waiting_ > kMaxWaitingBytes) is_ended_ = is_over_ = true;
      if (is_over_) sink_.skip_capture();
      return false;
    }
    const std::string name(hello && !hello->target.empty() ? hello->target : "barefxt");
    sink_.begin_capture(name, ticks_per_second());
    writer_.magic_number();
    provider_ = std::make_unique<ArchiveProvider>(writer_, 1, name);
    writer_.initialization(ticks_per_second());
    take_owners();
    tables_ = std::make_unique<ArchiveTables>(capture_, owners_.owners(), *provider_);
    tables_->write_arriving_prologue();
    merge_ = std::make_unique<CaptureMerge>(capture_, owners_.owners(), 1, *tables_, writer_,
                                            no_listener_, names_);
    merged_ = start_ticks();
    has_new_threads_ = false;
    return true;
  }

  void take_new_threads() {
    take_owners();
    merge_->read_threads();
    tables_->write_new_names();
  }

  void take_owners() {
    if (tables_) owners_.forget(tables_->forget_changes_made());
    owners_.take(capture_.threads());
    const std::optional<uint64_t> overflow = owners_.overflows_at();
    if (tables_ && overflow) tables_->bring_threads_to(*overflow);
  }

  // The turn of a CPU that may still have earlier records.
  Turn starved(const ArrivingPieces& ring) const {
    if (!ring.is_waited_for()) return {};
    // While a loss may go on, no record of that tick is merged, of any CPU.
    const bool is_held = ring.is_open() && !ring.cursor().is_over();
    return {frontier(ring), is_held ? uint16_t{0} : ring.cpu()};
  }
  // A CPU's next record is not earlier.
  uint64_t frontier(const ArrivingPieces& ring) const {
    return std::max(start_ticks(), ring.frontier());
  }

  // Those that have been waited for long enough.
  void give_up(bool is_idle) {
    const bool is_full = waiting_ > kMaxWaitingBytes;
    if (wait_ == MergeWait::kAlways) {
      for (auto& [cpu, ring] : rings_) {
        ring.give_up(false);
        if (!is_full || !ring.is_waited_for()) continue;
        sink_.lose(cpu, frontier(ring), last_of_all());
        ring.give_up();
      }
      return;
    }
    if (!is_stream() && !is_full) return;
    const uint64_t patience = kPatienceSeconds * ticks_per_second();
    for (auto& [cpu, ring] : rings_) {
      if (is_idle || is_full || more_than(frontier(ring), newest_) > patience) ring.give_up();
    }
  }

  Turn turn_of(const ArrivingPieces& ring) const {
    if (!ring.has_turn()) return {};
    const RingCursor& cursor = ring.cursor();
    const uint64_t time =
        cursor.is_over() ? capture_.stop_ticks().value_or(kNoTime - 1) : cursor.time();
    return {time, ring.cpu()};
  }

  void merge(bool is_idle) {
    last_of_all_.reset();
    for (auto& [cpu, ring] : rings_) {
      ring.open(*merge_);
      count_entered(ring);
    }
    for (auto& [cpu, ring] : rings_) announce_losses(ring);
    give_up(is_idle);
    merge_turns();
    for (auto& [cpu, ring] : rings_)
      ring.forget_read([&](const FrameEntry& piece) { capture_.forget(piece); });
    if (!is_ended_) return;
    merge_->write_end();
    is_over_ = true;
  }

  void announce_losses(ArrivingPieces& ring) {
    if (!ring.take_news()) return;
    if (!ring.cursor().losses_ahead().any()) return;
    tables_->write_cpu(ring.cpu());
    for (const LossPlace& place : merge_->losses_ahead(ring.merged())) {
      // Without an end nobody knows until when: then it is until the last record of all.
      const bool is_at_end = ring.cursor().is_over() && !capture_.has_end();
      const uint64_t to = is_at_end ? std::max(place.to, last_of_all()) : place.to;
      sink_.lose(place.cpu, place.from, to);
      ring.announce_until(to);
    }
  }

  // The same at any time between two arrivals.
  uint64_t last_of_all() {
    if (last_of_all_) return *last_of_all_;
    uint64_t last = merged_;
    for (const auto& [cpu, ring] : rings_) {
      if (!ring.is_open()) continue;
      RingCursor ahead = ring.cursor();
      for (; !ahead.is_over(); ahead.step())
        if (ahead.record_has_time()) last = std::max(last, ahead.time());
    }
    last_of_all_ = last;
    return last;
  }

  void merge_turns() {
    Turn limit;
    std::vector<Turn> heap;  // the earliest on top
    for (auto& [cpu, ring] : rings_) {
      limit = std::min(limit, starved(ring));
      if (ring.has_turn()) heap.push_back(turn_of(ring));
    }
    std::make_heap(heap.begin(), heap.end(), std::greater<>());
    while (!heap.empty() && heap.front() < limit) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      ArrivingPieces& ring = rings_.find(heap.back().cpu)->second;
      merge_one(ring, heap.back().time);
      heap.back() = turn_of(ring);
      if (ring.has_turn()) {
        std::push_heap(heap.begin(), heap.end(), std::greater<>());
      } else {
        heap.pop_back();
        limit = std::min(limit, starved(ring));
      }
    }
  }

  void merge_one(ArrivingPieces& ring, uint64_t time) {
    RingCursor& cursor = ring.merged().cursor;
    const size_t bytes = cursor.is_over() ? 0 : cursor.record_bytes();
    if (!cursor.is_over() && cursor.record_has_time() && time < merged_) {
      ++late_records_;
      sink_.lose(ring.cpu(), merged_, merged_);
      cursor.step();
    } else {
      if (!cursor.is_over()) merged_ = std::max(merged_, time);
      merge_->write_next(ring.merged());
    }
    waiting_ -= std::min(waiting_, bytes);
    ring.note_move();
    count_entered(ring);
    announce_losses(ring);
    if (writer_.bytes() - flushed_ >= kBytesAtOnce) flush();
  }

  void count_entered(ArrivingPieces& ring) {
    waiting_ -= std::min(waiting_, ring.take_entered() * sizeof(FrameEntry));
  }

  void flush() {
    if (!writer_.flush().ok()) return;  // into memory, which does not fail
    flushed_ = writer_.bytes();
    const std::vector<uint8_t> bytes = chunk_.take();
    if (!bytes.empty()) sink_.records(bytes);
  }

  ArrivalSink& sink_;
  MergeWait wait_;
  CaptureContent capture_;
  ArrivingOwners owners_;
  Chunk chunk_;
  ArchiveWriter writer_;
  uint64_t flushed_ = 0;
  KnownNames names_;
  NoListener no_listener_;
  std::unique_ptr<ArchiveProvider> provider_;
  std::unique_ptr<ArchiveTables> tables_;
  std::unique_ptr<CaptureMerge> merge_;
  std::map<uint16_t, ArrivingPieces> rings_;
  bool has_new_threads_ = false;
  bool is_ended_ = false;
  bool is_over_ = false;
  size_t waiting_ = 0;  // bytes of records and pieces that are not merged
  uint64_t merged_ = 0;
  uint64_t newest_ = 0;
  std::optional<uint64_t> last_of_all_;
  uint64_t late_records_ = 0;
  uint64_t late_pieces_ = 0;
  uint64_t late_tables_ = 0;
};

ArrivingMerge::ArrivingMerge(ArrivalSink& sink, MergeWait wait) : sink_(sink), wait_(wait) {}
ArrivingMerge::~ArrivingMerge() = default;

void ArrivingMerge::name_by(const FunctionNames* functions, const InterruptNames* interrupts,
                            const ProgramStrings* strings) {
  strings_ = strings;
  functions_ = functions;
  interrupts_ = interrupts;
}

void ArrivingMerge::on_frame(const FrameEntry& frame, std::span<const uint8_t> payload) {
  const bool is_another =
      trace_ != nullptr && (trace_->id() != frame.capture || trace_->contradicts(frame, payload));
  if (is_another) finish();
  if (is_another && !trace_->has_begun() && trace_->has_records()) sink_.skip_capture();
  if (trace_ == nullptr || is_another)
    trace_ = std::make_unique<Trace>(frame.capture, sink_, wait_,
                                     KnownNames{functions_, interrupts_}, strings_);
  trace_->add(frame, payload);
}

void ArrivingMerge::advance(bool is_idle) {
  if (trace_ != nullptr) trace_->advance(is_idle);
}

void ArrivingMerge::finish() {
  if (trace_ != nullptr) trace_->finish();
}

UnmergedFacts ArrivingMerge::unmerged() const {
  return trace_ != nullptr ? trace_->unmerged() : UnmergedFacts();
}

MergeState ArrivingMerge::state() const {
  MergeState state;
  if (trace_ != nullptr) trace_->see(state);
  return state;
}

}  // namespace barefxt::host
