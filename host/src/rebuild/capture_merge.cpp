#include "capture_merge.h"

#include <algorithm>
#include <limits>

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/wire/frame.h>

#include "../archive/utf8.h"
#include "../heap/heap_event.h"
#include "heap_change.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

// The limit of koids whose last name in the ring is remembered.
constexpr size_t kMaxNames = 65536;

// This CPU reports the calls that all CPUs left out.
constexpr uint16_t kLeftOutCallsCpu = 0;

// Unlike the numbers that kernels give their modules.
constexpr uint16_t kImageModule = 0xffff;

bool is_backtrace(const RecordView& record) {
  return record.type() == fxt::RecordType::kProfiler &&
         fxt::ProfilerHeader::Subtype::in(record.header) ==
             static_cast<uint64_t>(fxt::ProfilerType::kBacktrace);
}

// The pseudo-thread of a CPU: as the target registered it, or as the prologue did instead.
// `entries`: the entries of such threads in the target's own table, by koid.
ArchiveThread cpu_thread(const std::unordered_map<uint64_t, const ThreadFacts*>& entries,
                         uint16_t cpu) {
  ArchiveThread thread{.index = 0, .process = kCpusProcess, .thread = kFirstCpuThread + cpu};
  if (const auto found = entries.find(thread.thread); found != entries.end()) {
    thread.index = found->second->index;
    thread.process = found->second->process;
  }
  return thread;
}

}  // namespace

CaptureMerge::CaptureMerge(const CaptureContent& capture, const FormerOwners& owners,
                           uint32_t provider, ArchiveTables& tables, ArchiveWriter& writer,
                           LossListener& listener, const KnownNames& names)
    : capture_(capture),
      owners_(owners),
      provider_(provider),
      tables_(tables),
      writer_(writer),
      listener_(listener),
      names_(names),
      copier_(tables, writer.byte_order()) {
  read_threads();
}

void CaptureMerge::read_threads() {
  by_koid_.clear();
  cpu_threads_.clear();
  entries_.clear();
  for (const ThreadFacts& entry : capture_.threads()) {
    if (entry.kind == 0) continue;
    if (entry.koid >= kFirstCpuThread) cpu_threads_[entry.koid] = &entry;
    entries_[entry.koid] = &entry;
    if (wire::is_thread(static_cast<wire::ThreadsEntryKind>(entry.kind)))
      by_koid_[entry.koid] = &entry;
  }
}

// A ring that is over still has its turn if something was lost at its end.
inline uint64_t CaptureMerge::sort_time(const RingCursor& cursor) const {
  if (!cursor.is_over()) return cursor.time();
  return capture_.stop_ticks().value_or(kNever);
}

// Most records need nothing but a copy. Returns false where it takes more; then none is written.
[[gnu::always_inline]] inline bool CaptureMerge::copy_plain(const RingCursor& cursor) {
  const RecordView& record = cursor.record();
  const bool may_end_calls = calls_.any() && record.type() == fxt::RecordType::kScheduling;
  const bool has_other_time = cursor.record_bytes() != record.bytes.size();
  uint8_t* to = writer_.open_record(RecordCopier::kMaxPlainWords);
  if (may_end_calls || has_other_time || !copier_.copies_plain(cursor.order()) ||
      !copier_.copy_plain(record, cursor.time(), cursor.clock(), to))
    return false;
  writer_.close_record(record.words());
  ++verdicts_[static_cast<size_t>(CopyVerdict::kCopied)];
  ++written_;
  latest_ = std::max(latest_, cursor.time());
  return true;
}

inline void CaptureMerge::write_record(const RingCursor& cursor,
                                       std::optional<InterruptNamer>& interrupts,
                                       WakerFinder* wakers) {
  tables_.bring_threads_to(cursor.time());
  if (interrupts || !copy_plain(cursor)) convert_record(cursor, interrupts, wakers);
}

bool CaptureMerge::copy_lanes(Turns& turns, std::span<PlainLane> lanes) {
  // Switches of threads end calls, and events of interrupts are joined to others.
  if (!copier_.copies_plain(kOwnByteOrder) || calls_.any() || names_.interrupts != nullptr)
    return false;
  const uint64_t end = tables_.next_change();
  uint64_t latest = latest_;
  uint64_t written = 0;
  std::span<uint8_t> room;
  size_t used = 0;
  bool has_more = true;
  while (has_more) {
    PlainLane& lane = lanes[turns.ring()];
    if (!lane.is_plain() || lane.time() >= end) break;
    if (room.size() - used < RecordCopier::kMaxPlainWords * fxt::kWordBytes) {
      writer_.close_record(used / fxt::kWordBytes);
      room = writer_.open_records(RecordCopier::kMaxPlainWords);
      used = 0;
    }
    if (!copier_.copy_plain(lane.record(), lane.time(), lane.clock(), room.data() + used)) break;
    used += lane.record().bytes.size();
    latest = std::max(latest, lane.time());
    ++written;
    has_more = lane.step();
    if (has_more) turns.go_on_at(lane.time());
  }
  writer_.close_record(used / fxt::kWordBytes);
  latest_ = latest;
  written_ += written;
  verdicts_[static_cast<size_t>(CopyVerdict::kCopied)] += written;
  return !has_more;
}

void CaptureMerge::run() {
  std::vector<RingCursor> cursors;
  std::vector<Companions> companions;
  std::vector<PlainLane> lanes(capture_.rings().size());
  cursors.reserve(capture_.rings().size());
  companions.reserve(capture_.rings().size());
  Turns turns;
  for (const Ring& ring : capture_.rings()) {
    const size_t number = cursors.size();
    const RingCursor& start = cursors.emplace_back(capture_, ring);
    companions.push_back(
        {WakerFinder(capture_, start, cpu_thread(cpu_threads_, ring.cpu)), {}, {}});
    if (names_.interrupts != nullptr)
      companions.back().interrupts.emplace(capture_, *names_.interrupts);
    lanes[number].begin(start);
    if (!start.is_over() || start.losses_ahead().any()) turns.add(sort_time(start), number);
  }

  while (!turns.empty() && !writer_.failed()) {
    const bool is_written = copy_lanes(turns, lanes);
    const size_t ring = turns.ring();
    RingCursor& cursor = cursors[ring];
    lanes[ring].leave(cursor);
    if (!is_written) {
      auto& [wakers, gaps, interrupts] = companions[ring];
      if (cursor.losses_ahead().any()) {
        write_losses(cursor, gaps);
        if (interrupts) interrupts->on_loss();
      }
      if (cursor.is_over()) {
        turns.remove();
        continue;
      }
      write_record(cursor, interrupts, &wakers);
      cursor.step();
    }
    lanes[ring].begin(cursor);
    if (cursor.is_over() && !cursor.losses_ahead().any())
      turns.remove();
    else
      turns.go_on_at(sort_time(cursor));
  }
  write_end();
}

void CaptureMerge::write_end() {
  if (const auto& calls = capture_.left_out_calls(); calls && calls->any())
    write_left_out_calls(*calls);
}

CaptureMerge::ArrivingRing CaptureMerge::arriving(const Ring& ring) const {
  ArrivingRing arriving{RingCursor(capture_, ring), {}, {}};
  if (names_.interrupts != nullptr) arriving.interrupts.emplace(capture_, *names_.interrupts);
  return arriving;
}

std::vector<LossPlace> CaptureMerge::losses_ahead(ArrivingRing& ring) const {
  return places_of_losses(ring.cursor, ring.gaps);
}

void CaptureMerge::write_next(ArrivingRing& ring) {
  if (ring.cursor.losses_ahead().any()) {
    write_losses(ring.cursor, ring.gaps);
    if (ring.interrupts) ring.interrupts->on_loss();
  }
  if (ring.cursor.is_over()) return ring.cursor.pass_end();
  write_record(ring.cursor, ring.interrupts, nullptr);
  ring.cursor.step();
}

// Perfetto reads a wakeup without a waker as one by the woken thread itself. A hook that knows the
// waker better has recorded it.
CaptureMerge::WakeupArguments CaptureMerge::wakeup_arguments(const RingCursor& cursor,
                                                             WakerFinder* wakers) {
  const RecordView& record = cursor.record();
  WakeupArguments arguments;
  const auto waker = wakers != nullptr ? wakers->next_waker() : std::optional<ArchiveThread>();
  if (waker) {
    const std::optional<uint64_t> koid =
        waker->thread != 0 ? waker->thread : tables_.koid_of(waker->index);
    if (koid) arguments.add(ArchiveArgument::koid(tables_.intern("waker"), *koid));
  }
  if (names_.interrupts == nullptr) return arguments;
  if (const auto number = interrupt_of_wakeup(capture_, record, cursor.order()))
    if (const std::string_view name = names_.interrupts->name(*number); !name.empty())
      arguments.add(ArchiveArgument::string(tables_.intern("interrupt"), tables_.intern(name)));
  return arguments;
}

// In place of an event with the interrupt's number.
void CaptureMerge::write_interrupt(const NamedInterrupt& interrupt, const RingCursor& cursor) {
  if (interrupt.thread.index != 0 && !tables_.has_thread(interrupt.thread.index))
    tables_.register_missing_thread(interrupt.thread.index);
  const ArchiveEvent event{.type = interrupt.type,
                           .timestamp = cursor.time(),
                           .thread = interrupt.thread,
                           .category = tables_.intern("irq"),
                           .name = tables_.intern(interrupt.name)};
  const bool is_begin = interrupt.type == fxt::EventType::kDurationBegin;
  const ArchiveArgument number = ArchiveArgument::uint32(tables_.intern("irq"), interrupt.number);
  (void)writer_.event(event, {&number, is_begin ? size_t{1} : size_t{0}});  // that always fits
  ++verdicts_[static_cast<size_t>(CopyVerdict::kCopied)];
  ++written_;
  latest_ = std::max(latest_, cursor.time());
}

void CaptureMerge::convert_record(const RingCursor& cursor,
                                  std::optional<InterruptNamer>& interrupts, WakerFinder* wakers) {
  const RecordView& record = cursor.record();
  if (record.type() == fxt::RecordType::kKernelObject && write_name(cursor)) return;
  if (const std::optional<FunctionCall>& call = cursor.call()) return write_call(*call, cursor);
  if (interrupts)
    if (const auto interrupt = interrupts->read(record, cursor.order()))
      return write_interrupt(*interrupt, cursor);
  if (record.type() == fxt::RecordType::kScheduling) {
    if (calls_.any()) end_calls_with_thread(cursor);
    if (fxt::SchedulingHeader::Subtype::in(record.header) == fxt::SchedulingHeader::kThreadWakeup)
      return copy_record(cursor, wakeup_arguments(cursor, wakers).all());
  }
  if (record.type() == fxt::RecordType::kEvent) return copy_record(cursor, {});
  // Compact records are samples, and blocks of a heap with their callers.
  const bool is_compact = fxt::RingRecord::is_compact(record.header);
  if (!has_build_ && (is_compact || is_backtrace(record))) write_build(cursor);
  if (is_compact && fxt::HeapRecord::is_heap(record.header)) return write_heap(cursor);
  copy_record(cursor, {});
}

// As an instant with the block and its caller.
void CaptureMerge::write_heap(const RingCursor& cursor) {
  const std::optional<HeapChange> change = heap_change(cursor.record(), cursor.order());
  if (!change) {
    ++verdicts_[static_cast<size_t>(CopyVerdict::kMalformed)];
    return;
  }
  if (change->thread.index != 0 && !tables_.has_thread(change->thread.index))
    tables_.register_missing_thread(change->thread.index);
  const bool is_free = change->action == fxt::HeapAction::kFree;
  const ArchiveEvent event{.timestamp = cursor.time(),
                           .thread = change->thread,
                           .category = tables_.intern(kHeapCategory),
                           .name = tables_.intern(heap_event_name(change->action))};
  std::array<ArchiveArgument, 3> arguments{};
  size_t count = 0;
  arguments[count++] =
      ArchiveArgument::pointer(tables_.intern(kHeapAddress), change->block.address);
  if (!is_free) {
    const ArchiveText bytes = tables_.intern(kHeapBytes);
    const bool is_short = change->block.bytes >> 32 == 0;
    arguments[count++] =
        is_short ? ArchiveArgument::uint32(bytes, static_cast<uint32_t>(change->block.bytes))
                 : ArchiveArgument::uint64(bytes, change->block.bytes);
  }
  arguments[count++] = ArchiveArgument::pointer(tables_.intern(kHeapCaller), change->block.caller);
  (void)writer_.event(event, std::span(arguments).first(count));  // that always fits
  ++verdicts_[static_cast<size_t>(CopyVerdict::kCopied)];
  ++written_;
  latest_ = std::max(latest_, cursor.time());
}

// Ahead of the first such record: addresses without their build could be named by any program.
void CaptureMerge::write_build(const RingCursor& cursor) {
  has_build_ = true;
  const auto& hello = capture_.hello();
  if (!hello || hello->build_id.empty()) return;
  std::string name(hello->target.empty() ? "barefxt" : hello->target);
  repair_utf8({reinterpret_cast<uint8_t*>(name.data()), name.size()});
  const ArchiveThread thread = cpu_thread(cpu_threads_, cursor.cpu());
  (void)writer_.profiler_module(
      {.timestamp = cursor.time(),
       .thread = {.index = 0, .process = thread.process, .thread = thread.thread},
       .module = kImageModule,
       .name = name,
       .build_id = hello->build_id});  // that always fits
}

void CaptureMerge::copy_record(const RingCursor& cursor, std::span<const ArchiveArgument> added) {
  const RecordView& record = cursor.record();
  size_t room = 0;
  for (const ArchiveArgument& argument : added) room += argument.words();
  while (true) {
    const size_t copied = RecordCopier::copied_words(record);
    uint8_t* to = writer_.open_record(std::min(copied, fxt::kMaxRecordWords + 1) + room);
    const CopyVerdict verdict = copier_.copy(record, cursor.order(), cursor.clock(), to);
    if (verdict == CopyVerdict::kMissingString) {
      tables_.register_missing_string(copier_.missing());
    } else if (verdict == CopyVerdict::kMissingThread) {
      tables_.register_missing_thread(copier_.missing());
    } else {
      ++verdicts_[static_cast<size_t>(verdict)];
      if (verdict != CopyVerdict::kCopied) return;
      size_t words = copied;
      for (const ArchiveArgument& argument : added) words += copier_.append_to_wakeup(argument);
      writer_.close_record(words);
      ++written_;
      if (cursor.record_has_time()) latest_ = std::max(latest_, cursor.time());
      return;
    }
  }
}

void CaptureMerge::write_rename(const ThreadFacts& who, uint16_t cpu, std::string_view before,
                                std::string_view after, uint64_t time) {
  const bool is_thread = wire::is_thread(static_cast<wire::ThreadsEntryKind>(who.kind));
  const ArchiveThread where = cpu_thread(cpu_threads_, cpu);
  const ArchiveArgument arguments[] = {
      ArchiveArgument::koid(tables_.intern("koid"), who.koid),
      ArchiveArgument::string(tables_.intern("old"), tables_.intern(before)),
      ArchiveArgument::string(tables_.intern("new"), tables_.intern(after)),
  };
  const ArchiveEvent event{
      .type = fxt::EventType::kInstant,
      .timestamp = time,
      .thread = {.index = 0,
                 .process = is_thread ? who.process : where.process,
                 .thread = is_thread ? who.koid : where.thread},
      .category = tables_.intern("sched"),
      .name = tables_.intern("renamed"),
  };
  (void)writer_.event(event, arguments);  // that always fits
  ++written_;
  latest_ = std::max(latest_, time);
}

// A name in the ring. Returns true if something else is written instead of the record. Readers take
// the last name that they meet. If the table has a newer name, no object is written here, only the
// instant when a name ends.
bool CaptureMerge::write_name(const RingCursor& cursor) {
  using Object = fxt::KernelObject;
  const RecordView& record = cursor.record();
  const ObjectFacts facts = object_facts(capture_, record, cursor.order()).value_or(ObjectFacts());
  if (facts.name.empty()) return false;
  const uint64_t koid = word_at(record, 1, cursor.order());
  const auto in_table = entries_.find(koid);
  const bool has_entry =
      in_table != entries_.end() &&
      (facts.is_former || in_table->second->since != 0 || owners_.has_name(koid));
  if (has_entry && !facts.is_former && cursor.time() >= in_table->second->since) return false;
  const uint64_t type = Object::ObjectType::in(record.header);
  const bool is_thread = type == static_cast<uint64_t>(fxt::KernelObjectType::kThread);
  const bool is_process = type == static_cast<uint64_t>(fxt::KernelObjectType::kProcess);
  if (!has_entry && (!(is_thread || is_process) || by_koid_.contains(koid))) return false;

  ThreadFacts who;
  who.kind = static_cast<uint8_t>(is_thread ? wire::ThreadsEntryKind::kThread
                                            : wire::ThreadsEntryKind::kProcess);
  who.koid = static_cast<uint32_t>(koid);
  who.process = static_cast<uint32_t>(facts.process);
  if (facts.is_former) {
    const RingName* const next = owners_.name_after(koid, cursor.time());
    // It got the entry back, before another had it.
    const bool goes_on = next != nullptr ? next->is_former && next->since == facts.since
                                         : has_entry && in_table->second->since == facts.since;
    const std::string_view after = next != nullptr ? next->name
                                   : has_entry     ? in_table->second->name
                                                   : facts.name;
    // Also if the names are equal: it may have had another name in between, and this event ends it.
    if (!goes_on && (next != nullptr || has_entry))
      write_rename(who, cursor.cpu(), facts.name, after, cursor.time());
    // The target recorded its renames meanwhile itself.
    ring_names_.erase(koid);
  } else if (ring_names_.size() < kMaxNames || ring_names_.contains(koid)) {
    std::string& last = ring_names_[koid];
    if (!last.empty() && last != facts.name)
      write_rename(who, cursor.cpu(), last, facts.name, cursor.time());
    last = facts.name;
  }
  // The table may have the beginning of the same.
  if (!has_entry || (!facts.is_former && facts.name.starts_with(in_table->second->name)))
    return false;
  ++verdicts_[static_cast<size_t>(CopyVerdict::kCopied)];
  return true;
}

// By index, if the thread has one. A switch may name only its koid.
ArchiveThread CaptureMerge::as_archive_names(ArchiveThread thread) const {
  if (thread.index != 0) return thread;
  const auto found = by_koid_.find(thread.thread);
  if (found == by_koid_.end()) return thread;
  thread.process = found->second->process;
  thread.index = found->second->index;
  return thread;
}

ArchiveEvent CaptureMerge::event_of_call(fxt::EventType type, const ArchiveThread& thread,
                                         uint32_t function, uint64_t time) {
  if (names_.functions == nullptr || names_.functions->name(function).empty()) ++nameless_calls_;
  ++written_;
  return {.type = type,
          .timestamp = time,
          .thread = thread,
          .category = tables_.intern(kFunctionCategory),
          .name = tables_.intern(FunctionNames::name_for_people(names_.functions, function))};
}

void CaptureMerge::write_half_of_call(fxt::EventType type, const ArchiveThread& thread,
                                      uint32_t function, uint64_t time,
                                      std::optional<uint64_t> argument) {
  const ArchiveEvent event = event_of_call(type, thread, function, time);
  // These always fit.
  if (argument) {
    const ArchiveArgument first = ArchiveArgument::uint64(tables_.intern("argument 0"), *argument);
    (void)writer_.event(event, {&first, 1});
  } else {
    (void)writer_.event(event, {});
  }
}

void CaptureMerge::write_call(FunctionCall call, const RingCursor& cursor) {
  const uint64_t time = cursor.time();
  call.thread = as_archive_names(call.thread);
  if (call.thread.index != 0 && !tables_.has_thread(call.thread.index))
    tables_.register_missing_thread(call.thread.index);
  latest_ = std::max(latest_, time);
  ++verdicts_[static_cast<size_t>(CopyVerdict::kCopied)];
  if (call.begin) {
    const uint64_t begin = std::min(cursor.clock()(*call.begin), time);
    ArchiveEvent event =
        event_of_call(fxt::EventType::kDurationComplete, call.thread, call.function, begin);
    event.trailing_word = time;
    (void)writer_.event(event, {});
    return;
  }
  if (call.action == fxt::CallAction::kEntry ||
      call.action == fxt::CallAction::kEntryWithArgument) {
    if (calls_.enter(call))
      write_half_of_call(fxt::EventType::kDurationBegin, call.thread, call.function, time,
                         call.argument);
    return;
  }
  for (const uint32_t function : calls_.leave(call))
    write_half_of_call(fxt::EventType::kDurationEnd, call.thread, function, time);
}

// A thread that ends does so in the middle of a function, which never returns.
void CaptureMerge::end_calls_with_thread(const RingCursor& cursor) {
  const auto threads = threads_of_switch(cursor.record(), cursor.order());
  if (!threads || !threads->outgoing_ended()) return;
  const ArchiveThread thread = as_archive_names(threads->outgoing);
  for (const uint32_t function : calls_.leave_all(thread))
    write_half_of_call(fxt::EventType::kDurationEnd, thread, function, cursor.time());
}

std::vector<LossPlace> CaptureMerge::places_of_losses(const RingCursor& cursor,
                                                      GapEnds& gaps) const {
  const Losses& losses = cursor.losses_ahead();
  if (!losses.any()) return {};
  const ArchiveThread thread = cpu_thread(cpu_threads_, cursor.cpu());
  const auto end_of_gap = [&](uint64_t begin) {
    return gaps.end_of_gap(cursor, begin, thread)
        .value_or(std::max(begin, capture_.stop_ticks().value_or(latest_)));
  };
  LossPlace place;
  place.cpu = cursor.cpu();
  place.from = cursor.time_before().value_or(cursor.is_over() ? latest_ : end_of_gap(0));
  place.to = end_of_gap(place.from);
  std::vector<LossPlace> places;
  if (losses.in_ring) {
    place.amount = *losses.in_ring;
    places.push_back(place);
  }
  if (losses.on_line) {
    place.on_line = true;
    place.amount = *losses.on_line;
    places.push_back(place);
  }
  return places;
}

void CaptureMerge::write_losses(const RingCursor& cursor, GapEnds& gaps) {
  for (const LossPlace& place : places_of_losses(cursor, gaps)) write_loss(place);
}

// At the end, on the pseudo-thread of a CPU.
void CaptureMerge::write_left_out_calls(const LeftOutCalls& calls) {
  const ArchiveThread thread = cpu_thread(cpu_threads_, kLeftOutCallsCpu);
  const ArchiveArgument arguments[] = {
      ArchiveArgument::uint64(tables_.intern("too_short"), calls.too_short),
      ArchiveArgument::uint64(tables_.intern("too_deep"), calls.too_deep),
      ArchiveArgument::uint64(tables_.intern("without_end"), calls.without_end),
      ArchiveArgument::uint64(tables_.intern("open"), calls.open),
  };
  const ArchiveEvent event{
      .type = fxt::EventType::kInstant,
      .timestamp = std::max(latest_, capture_.stop_ticks().value_or(latest_)),
      .thread = {.index = 0, .process = thread.process, .thread = thread.thread},
      .category = tables_.intern("barefxt"),
      .name = tables_.intern("calls_left_out"),
  };
  (void)writer_.event(event, arguments);  // that always fits
}

void CaptureMerge::write_loss(const LossPlace& place) {
  const ArchiveThread thread = cpu_thread(cpu_threads_, place.cpu);
  std::vector<ArchiveArgument> arguments;
  if (place.amount.known) {
    arguments.push_back(ArchiveArgument::uint64(tables_.intern("records"), place.amount.records));
    arguments.push_back(ArchiveArgument::uint64(tables_.intern("bytes"), place.amount.bytes));
  }
  arguments.push_back(ArchiveArgument::string(tables_.intern("where"),
                                              tables_.intern(place.on_line ? "line" : "ring")));
  if (place.amount.counted_elsewhere)
    arguments.push_back(
        ArchiveArgument::string(tables_.intern("counted"), tables_.intern("earlier")));
  const ArchiveEvent event{
      .type = fxt::EventType::kDurationComplete,
      .timestamp = place.from,
      .thread = {.index = 0, .process = thread.process, .thread = thread.thread},
      .category = tables_.intern("barefxt"),
      .name = tables_.intern("drop_stats"),
      .trailing_word = place.to,
  };
  writer_.provider_event(provider_, fxt::ProviderEvent::kBufferFull);
  (void)writer_.event(event, arguments);  // nine short words and arguments always fit
  listener_.on_loss(place);
}

}  // namespace barefxt::host
