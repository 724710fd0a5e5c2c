// Converts each kind of record.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <barefxt/host/convert_perfetto.h>
#include <barefxt/host/json.h>
#include <barefxt/host/stacks.h>

#include "../heap/heap_counter.h"
#include "../reader/give_back.h"
#include "perfetto_annotation.h"
#include "perfetto_fields.h"
#include "perfetto_interrupts.h"
#include "perfetto_packets.h"
#include "perfetto_samples.h"
#include "perfetto_scheduling.h"
#include "perfetto_tracks.h"
#include "record_converter.h"
#include "sorted_pieces.h"
#include "unique_names.h"

namespace barefxt::host {
namespace {

using fxt::EventType;
using perfetto::kMaxShownCpus;
using perfetto::kSequence;
using perfetto::packet;
using perfetto::Packet;
using perfetto::TrackEvent;

// The order of pieces at one time: ends and others in the archive's order, then begins of complete
// durations, longest first, then those without length.
constexpr uint32_t kRankInOrder = 0;
constexpr uint32_t kRankCompleteBegin = 1;
constexpr uint32_t kRankPoint = 2;

// An argument in the place of a priority; 0 if there is none.
int64_t weight(const Arguments& arguments, std::string_view name) {
  const std::optional<Argument> found = arguments.find(name);
  return found && found->type == fxt::ArgumentType::kInt32 ? found->as_int32() : 0;
}

// The CPU of an interrupt, if it is one.
std::optional<unsigned> cpu_of(const Event& event) {
  if (!event.thread.registered) return {};
  return perfetto::cpu_of_interrupt(event.thread.process, event.thread.thread,
                                    event.category.bytes);
}

std::string entry(unsigned cpu, uint64_t time, const Event& event) {
  return perfetto::interrupt_entry(cpu, time, valid_utf8(Label(event.name).text()),
                                   perfetto::interrupt_number(event));
}

class PerfettoRecords final : public TimedConverter {
 public:
  PerfettoRecords(ByteSink& sink, ArchiveWakers& wakers, AddedRecords& added,
                  const ElfFile* program)
      : sink_(sink), wakers_(wakers), added_(added), samples_(program) {}

 private:
  // Nothing, and that is counted, where there are too many threads.
  std::optional<PerfettoTracks::Thread> tracks_of(const ThreadId& id);
  void add(const PieceOrder& order, std::string_view piece) {
    if (status_.ok()) status_ = pieces_.add(order, piece);
  }
  void add(const PieceOrder& order, uint64_t time, const ProtoMessage& event) {
    add(order, track_event(time, event));
  }
  static std::string track_event(uint64_t time, const ProtoMessage& event);
  // An event of a kind on a track, with category, name and arguments.
  ProtoMessage event_on(uint64_t track, unsigned kind, const Event& event);
  void annotate(ProtoMessage& message, const Arguments& arguments);
  void describe_track(const PieceOrder& order, uint64_t track, uint64_t parent,
                      std::string_view name, const ProtoMessage* counter);
  void flow(const Event& event, uint64_t now, ProtoMessage message);
  void operation(const Event& event, uint64_t now, uint64_t process);
  void counter(const Event& event, uint64_t now, uint64_t process);
  void complete(const Event& event, uint64_t begin, uint64_t end, uint64_t track);
  void add_whole(uint64_t begin, uint64_t end, const std::string& first, const std::string& last);
  // Interrupts once more, on the tracks that Perfetto has for them.
  void begin_interrupt(const Event& event, uint64_t now);
  void end_interrupt(const Event& event, uint64_t now);

  struct Switch {
    uint64_t ticks;
    unsigned cpu;
    unsigned state;
    uint64_t outgoing;
    uint64_t incoming;
    int64_t outgoing_priority;
    int64_t incoming_priority;
  };
  void write_switch(const Switch& change);
  void write_ahead_of(const Record& record) override {
    samples_.see(record);
    for (const AddedRecord& added : added_.before(record)) write_added(added);
  }
  void write_added(const AddedRecord& added);

  void write_full_buffer(uint32_t provider, Nanoseconds exact) override;
  Status end() override;
  void write(const Event& event) override;
  void write(const KernelObject& object) override {
    if (!object.name.registered) changes_.add(Change::kNamelessString);
    if (!tracks_.name(provider_, *state_, object)) changes_.add(Change::kNoPlaceInFormat);
  }
  void write(const LegacyContextSwitch& change) override {
    for (const ThreadId* id : {&change.outgoing, &change.incoming}) {
      if (id->registered && id->process != 0)
        (void)tracks_.thread(provider_, *state_, id->process, id->thread);
    }
    write_switch({change.timestamp, change.cpu, change.outgoing_state, koid_of(change.outgoing),
                  koid_of(change.incoming), change.outgoing_priority, change.incoming_priority});
  }
  void write(const ContextSwitch& change) override {
    write_switch({change.timestamp, change.cpu, change.outgoing_state, change.outgoing,
                  change.incoming, weight(change.arguments, "outgoing_weight"),
                  weight(change.arguments, "incoming_weight")});
  }
  bool has_switched(unsigned cpu, uint64_t by) const {
    const auto found = first_switches_.find(cpu);
    return found != first_switches_.end() && found->second <= by;
  }
  void write(const ThreadWakeup& wakeup) override;
  void write(const Log& log) override;
  void write(const ProfilerModule& module) override { samples_.name_image(module); }
  void write(const ProfilerBacktrace& sample) override;

  ByteSink& sink_;
  ArchiveWakers& wakers_;
  AddedRecords& added_;
  PerfettoTracks tracks_;
  PerfettoSamples samples_;
  SortedPieces pieces_;
  HeapCounter heaps_;
  std::optional<uint64_t> first_provider_;
  std::unordered_map<uint64_t, bool> waits_;  // by the thread's number, where that is known
  std::unordered_map<unsigned, uint64_t> first_switches_;  // times in ns, by CPU
  uint64_t logs_ = 0;
  uint64_t completes_ = 0;
};

std::optional<PerfettoTracks::Thread> PerfettoRecords::tracks_of(const ThreadId& id) {
  const auto found = tracks_.thread(provider_, *state_, process_of(id), koid_of(id));
  if (!found) changes_.add(Change::kUnplacedEvent);
  return found;
}

std::string PerfettoRecords::track_event(uint64_t time, const ProtoMessage& event) {
  return packet(ProtoMessage()
                    .number(Packet::kTimestamp, time)
                    .number(Packet::kSequence, kSequence)
                    .message(Packet::kTrackEvent, event));
}

void PerfettoRecords::annotate(ProtoMessage& message, const Arguments& arguments) {
  UniqueNames names;
  for (const Argument& argument : arguments) {
    if (!argument.is_known()) {
      changes_.add(Change::kUnknownArgument);
      continue;
    }
    message.message(TrackEvent::kAnnotation,
                    perfetto::annotation(argument, names.unique(argument.name)));
  }
}

ProtoMessage PerfettoRecords::event_on(uint64_t track, unsigned kind, const Event& event) {
  ProtoMessage message;
  message.number(TrackEvent::kType, uint64_t{kind}).number(TrackEvent::kTrack, track);
  const std::string category = valid_utf8(Label(event.category).text());
  if (!category.empty()) message.text(TrackEvent::kCategory, category);
  message.text(TrackEvent::kName, valid_utf8(Label(event.name).text()));
  annotate(message, event.arguments);
  return message;
}

void PerfettoRecords::describe_track(const PieceOrder& order, uint64_t track, uint64_t parent,
                                     std::string_view name, const ProtoMessage* counter) {
  ProtoMessage descriptor;
  descriptor.number(perfetto::TrackDescriptor::kUuid, track)
      .number(perfetto::TrackDescriptor::kParent, parent)
      .text(perfetto::TrackDescriptor::kName, name);
  if (counter != nullptr) descriptor.message(perfetto::TrackDescriptor::kCounter, *counter);
  add(order, packet(ProtoMessage()
                        .number(Packet::kSequence, kSequence)
                        .message(Packet::kTrackDescriptor, descriptor)));
}

void PerfettoRecords::write_full_buffer(uint32_t provider, Nanoseconds exact) {
  const auto time = static_cast<uint64_t>(std::min(exact, kMaxTime));
  ProtoMessage id;
  id.text(perfetto::Annotation::kName, "provider")
      .number(perfetto::Annotation::kUnsigned, uint64_t{provider});
  add({time, kRankPoint, 0}, time,
      ProtoMessage()
          .number(TrackEvent::kType, uint64_t{TrackEvent::kInstant})
          .number(TrackEvent::kTrack, PerfettoTracks::kGlobalTrack)
          .text(TrackEvent::kCategory, "barefxt")
          .text(TrackEvent::kName, "buffer full")
          .message(TrackEvent::kAnnotation, id));
}

void PerfettoRecords::write(const Event& event) {
  const std::optional<uint64_t> now = happens_at(event.timestamp);
  if (!now) return;
  for (const Text* text : {&event.category, &event.name})
    if (!text->registered) changes_.add(Change::kNamelessString);
  if (!first_provider_) first_provider_ = provider_;
  const std::optional<PerfettoTracks::Thread> thread = tracks_of(event.thread);
  if (!thread) return;
  const PerfettoTracks::Thread on = *thread;
  switch (event.type) {
    case EventType::kInstant: {
      if (const auto live = heaps_.after(event, provider_)) write(*live);
      uint64_t track = on.thread;
      if (event.has_scope && event.trailing == static_cast<unsigned>(fxt::InstantScope::kProcess))
        track = on.process;
      if (event.has_scope && event.trailing == static_cast<unsigned>(fxt::InstantScope::kGlobal))
        track = PerfettoTracks::kGlobalTrack;
      return add({*now, kRankPoint, 0}, *now, event_on(track, TrackEvent::kInstant, event));
    }
    case EventType::kCounter:
      return counter(event, *now, on.process);
    case EventType::kDurationBegin:
      begin_interrupt(event, *now);
      return add({*now, kRankInOrder, 0}, *now, event_on(on.thread, TrackEvent::kBegin, event));
    case EventType::kDurationEnd: {
      end_interrupt(event, *now);
      ProtoMessage end;
      end.number(TrackEvent::kType, uint64_t{TrackEvent::kEnd})
          .number(TrackEvent::kTrack, on.thread);
      annotate(end, event.arguments);
      return add({*now, kRankInOrder, 0}, *now, end);
    }
    case EventType::kDurationComplete: {
      if (event.name.bytes == "drop_stats") forget_all(waits_);
      const std::optional<uint64_t> end = time(event.trailing);
      if (end) complete(event, *now, *end, on.thread);
      return;
    }
    case EventType::kAsyncBegin:
    case EventType::kAsyncInstant:
    case EventType::kAsyncEnd:
      return operation(event, *now, on.process);
    case EventType::kFlowBegin:
    case EventType::kFlowStep:
    case EventType::kFlowEnd:
      return flow(event, *now, event_on(on.thread, TrackEvent::kInstant, event));
  }
}

void PerfettoRecords::complete(const Event& event, uint64_t begin, uint64_t end, uint64_t track) {
  add_whole(begin, end, track_event(begin, event_on(track, TrackEvent::kBegin, event)),
            track_event(end, ProtoMessage()
                                 .number(TrackEvent::kType, uint64_t{TrackEvent::kEnd})
                                 .number(TrackEvent::kTrack, track)));
  if (const std::optional<unsigned> cpu = cpu_of(event))
    add_whole(begin, end, entry(*cpu, begin, event), perfetto::interrupt_exit(*cpu, end));
}

// Adds a piece with a begin and an end. Among those that begin together, the one that ends last
// encloses the others. If they end together as well, the last in the archive does.
void PerfettoRecords::add_whole(uint64_t begin, uint64_t end, const std::string& first,
                                const std::string& last) {
  const PieceOrder order = {begin, kRankCompleteBegin, ~end, ~completes_++};
  if (begin == end) return add(order, first + last);
  add(order, first);
  add({end, kRankInOrder, 0}, last);
}

void PerfettoRecords::begin_interrupt(const Event& event, uint64_t now) {
  if (const std::optional<unsigned> cpu = cpu_of(event))
    add({now, kRankInOrder, 0}, entry(*cpu, now, event));
}
void PerfettoRecords::end_interrupt(const Event& event, uint64_t now) {
  if (const std::optional<unsigned> cpu = cpu_of(event))
    add({now, kRankInOrder, 0}, perfetto::interrupt_exit(*cpu, now));
}

// A point on its thread; an arrow leads from point to point.
void PerfettoRecords::flow(const Event& event, uint64_t now, ProtoMessage message) {
  // Ids are each provider's own, and Perfetto's are everybody's.
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15U;
  const uint64_t id =
      event.trailing ^
      (provider_ == first_provider_.value_or(provider_) ? 0 : (provider_ + 1) * kSpread);
  message.fixed(event.type == EventType::kFlowEnd ? TrackEvent::kLastOfFlow : TrackEvent::kFlow,
                id);
  add({now, kRankPoint, 0}, now, message);
}

// A track of its own under its process while it is open; viewers join tracks of one name.
void PerfettoRecords::operation(const Event& event, uint64_t now, uint64_t process) {
  const std::string name = valid_utf8(Label(event.name).text());
  const std::string key = formatted("{} {}", provider_, event.trailing);
  const std::optional<PerfettoTracks::Track> track = tracks_.operation(key);
  if (!track) return changes_.add(Change::kUnplacedEvent);
  const PieceOrder order = {now, kRankInOrder, 0};
  if (track->is_new) describe_track(order, track->id, process, name, nullptr);
  switch (event.type) {
    case EventType::kAsyncBegin:
      tracks_.begin_operation(key);
      return add(order, now, event_on(track->id, TrackEvent::kBegin, event));
    case EventType::kAsyncInstant:
      return add(order, now, event_on(track->id, TrackEvent::kInstant, event));
    default: {
      tracks_.end_operation(key);
      ProtoMessage end;
      end.number(TrackEvent::kType, uint64_t{TrackEvent::kEnd})
          .number(TrackEvent::kTrack, track->id);
      annotate(end, event.arguments);
      return add(order, now, end);
    }
  }
}

void PerfettoRecords::counter(const Event& event, uint64_t now, uint64_t process) {
  UniqueNames names;
  const std::string category = valid_utf8(Label(event.category).text());
  const std::string_view owner = is_stack(event.category.bytes, event.name.bytes)
                                     ? tracks_.name_of(provider_, event.trailing)
                                     : std::string_view();
  for (const Argument& argument : event.arguments) {
    const std::string series = valid_utf8(names.unique(argument.name));
    const bool real = argument.type == fxt::ArgumentType::kDouble;
    if (!argument.is_numeric() || (real && !std::isfinite(argument.as_double()))) {
      changes_.add(argument.is_known() ? Change::kSeriesValue : Change::kUnknownArgument);
      continue;
    }
    std::string name = valid_utf8(Label(event.name).text());
    if (!series.empty()) name += ":" + series;
    std::string key = std::to_string(process);
    append(key, " {} {}:{}", category, name, event.trailing);
    if (!owner.empty())
      name += ":" + valid_utf8(owner);
    else if (event.trailing != 0)
      append(name, ":{}", event.trailing);
    const auto track = tracks_.counter(key);
    if (!track) {
      changes_.add(Change::kUnplacedEvent);
      continue;
    }
    const PieceOrder order = {now, kRankPoint, 0};
    if (track->is_new) {
      ProtoMessage about;
      about.text(perfetto::CounterDescriptor::kCategory, category);
      describe_track({0, kRankInOrder, 0}, track->id, process, name, &about);
    }
    ProtoMessage value;
    value.number(TrackEvent::kType, uint64_t{TrackEvent::kCounter})
        .number(TrackEvent::kTrack, track->id);
    if (argument.type == fxt::ArgumentType::kInt32)
      value.number(TrackEvent::kCounterValue, int64_t{argument.as_int32()});
    else if (real)
      value.real(TrackEvent::kRealCounterValue, argument.as_double());
    else if (argument.type == fxt::ArgumentType::kUint64 && argument.as_int64() < 0)
      value.real(TrackEvent::kRealCounterValue, static_cast<double>(argument.bits));
    else
      value.number(TrackEvent::kCounterValue, argument.bits);
    add(order, now, value);
  }
}

void PerfettoRecords::write_switch(const Switch& change) {
  const std::optional<uint64_t> now = happens_at(change.ticks);
  if (!now) return;
  if (change.cpu >= kMaxShownCpus) return changes_.add(Change::kUnplacedEvent);
  const auto out = tracks_.scheduled(provider_, *state_, change.outgoing);
  const auto in = tracks_.scheduled(provider_, *state_, change.incoming);
  if (!out || !in) return changes_.add(Change::kUnplacedEvent);
  const auto first = first_switches_.try_emplace(change.cpu, *now).first;
  first->second = std::min(first->second, *now);
  waits_[out->number] = change.state > static_cast<unsigned>(fxt::ThreadState::kRunning);
  waits_[in->number] = false;
  add({*now, kRankInOrder, 0},
      perfetto::switch_packet(change.cpu, *now, {*out, change.outgoing_priority}, change.state,
                              {*in, change.incoming_priority}));
}

void PerfettoRecords::write_added(const AddedRecord& added) {
  if (added.kind == AddedRecord::Kind::kSwitch)
    return write_switch({added.time, added.cpu, static_cast<unsigned>(fxt::ThreadState::kNew),
                         added.outgoing, added.incoming, 0, added.weight});
  const std::optional<uint64_t> now = happens_at(added.time);
  const auto thread = tracks_.thread(provider_, *state_, added.process, added.thread);
  if (!now || !thread) return;
  const bool is_begin = added.kind == AddedRecord::Kind::kBegin;
  ProtoMessage why;
  why.text(perfetto::Annotation::kName, kAddedArgument)
      .text(perfetto::Annotation::kText, added.why);
  ProtoMessage half;
  half.number(TrackEvent::kType, uint64_t{is_begin ? TrackEvent::kBegin : TrackEvent::kEnd})
      .number(TrackEvent::kTrack, thread->thread);
  if (is_begin && !added.category.empty())
    half.text(TrackEvent::kCategory, valid_utf8(added.category));
  if (is_begin) half.text(TrackEvent::kName, valid_utf8(added.name));
  half.message(TrackEvent::kAnnotation, why);
  add({*now, kRankInOrder, 0}, *now, half);
  if (const auto cpu = perfetto::cpu_of_interrupt(added.process, added.thread, added.category))
    add({*now, kRankInOrder, 0},
        is_begin ? perfetto::interrupt_entry(*cpu, *now, valid_utf8(added.name), 0)
                 : perfetto::interrupt_exit(*cpu, *now));
}

void PerfettoRecords::write(const ThreadWakeup& wakeup) {
  const std::optional<uint64_t> koid = wakers_.next(
      provider_ == kNoProvider ? std::nullopt : std::optional(static_cast<uint32_t>(provider_)),
      wakeup, offset_);
  const std::optional<uint64_t> now = happens_at(wakeup.timestamp);
  if (!now) return;
  if (wakeup.cpu >= kMaxShownCpus) return changes_.add(Change::kUnplacedEvent);
  const auto woken = tracks_.scheduled(provider_, *state_, wakeup.thread);
  if (!woken) return changes_.add(Change::kUnplacedEvent);
  // One of a thread that runs or is ready would cut its time in two.
  const auto waits = waits_.try_emplace(woken->number, true).first;
  if (!std::exchange(waits->second, false)) return changes_.add(Change::kNoPlaceInFormat);
  const bool in_interrupt = koid && *koid >= kFirstCpuThread;
  const PieceOrder order = {*now, kRankInOrder, 0};
  if (in_interrupt && has_switched(wakeup.cpu, *now))
    return add(order, perfetto::interrupt_wakeup_packet(wakeup.cpu, *now, *woken));
  const auto waker =
      koid && !in_interrupt ? tracks_.scheduled(provider_, *state_, *koid) : std::nullopt;
  add(order, perfetto::wakeup_packet(wakeup.cpu, *now, *woken, waker ? waker->number : 0));
}

void PerfettoRecords::write(const Log& log) {
  const std::optional<uint64_t> now = happens_at(log.timestamp);
  if (!now) return;
  const std::optional<PerfettoTracks::Thread> on = tracks_of(log.thread);
  if (!on) return;
  add({*now, kRankPoint, 0}, perfetto::log_packet(*now, kSequence, perfetto::kNeedsState,
                                                  on->thread, ++logs_, valid_utf8(log.message)));
}

void PerfettoRecords::write(const ProfilerBacktrace& sample) {
  const std::optional<uint64_t> now = happens_at(sample.timestamp);
  if (!now) return;
  const std::optional<PerfettoTracks::Thread> on = tracks_of(sample.thread);
  if (!on) return;
  if (const std::optional<std::string> piece = samples_.piece(*now, on->entry))
    return add({*now, kRankPoint, 0}, *piece);
  changes_.add(Change::kUnplacedEvent);
}

Status PerfettoRecords::end() {
  if (!status_.ok()) return status_;
  const auto write = [this](std::string_view bytes) {
    if (status_.ok())
      status_ = sink_.write({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  };
  std::string buffer;
  const auto put = [&](std::string_view piece) {
    constexpr size_t kBufferBytes = size_t{1} << 16;
    buffer += piece;
    if (buffer.size() < kBufferBytes) return;
    write(buffer);
    buffer.clear();
  };
  put(packet(ProtoMessage()
                 .number(Packet::kSequence, kSequence)
                 .number(Packet::kSequenceFlags, uint64_t{perfetto::kStateCleared})
                 .number(Packet::kFirstOfSequence, uint64_t{1})));
  tracks_.describe([&](const ProtoMessage& descriptor) {
    put(packet(ProtoMessage()
                   .number(Packet::kSequence, kSequence)
                   .message(Packet::kTrackDescriptor, descriptor)));
  });
  samples_.write_stacks(changes_, put);
  const auto put_piece = [&](std::string_view piece) {
    if (PerfettoSamples::is_sample(piece))
      put(PerfettoSamples::packet(piece, tracks_));
    else
      put(piece);
  };
  if (Status status = pieces_.take(put_piece); !status.ok()) return status;
  write(buffer);
  return status_;
}

}  // namespace

PerfettoConverter::PerfettoConverter(ByteSink& sink, ArchiveWakers& wakers, AddedRecords& added,
                                     const ElfFile* program)
    : Converter(std::make_unique<PerfettoRecords>(sink, wakers, added, program)) {}

}  // namespace barefxt::host
