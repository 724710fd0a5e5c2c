// Converts each kind of record.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include <barefxt/fxt/metadata.h>
#include <barefxt/host/convert_ctf.h>
#include <barefxt/host/json.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"
#include "chrome_names.h"
#include "chrome_writer.h"
#include "ctf_metadata.h"
#include "full_buffers.h"
#include "sorted_pieces.h"

namespace barefxt::host {
namespace {

using ctf::EventId;
using ctf::ValueType;
using fxt::EventType;

// Fields of an event, one after another, without anything between them.
class EventFields {
 public:
  template <typename Integer>
  EventFields& number(Integer value) {
    for (size_t i = 0; i < sizeof value; ++i)
      bytes_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
    return *this;
  }
  // UTF-8 that ends with a zero and contains no other.
  EventFields& text(std::string_view bytes) {
    for (const char c : valid_utf8(bytes)) {
      if (c == '\0')
        bytes_ += "\xef\xbf\xbd";
      else
        bytes_ += c;
    }
    bytes_ += '\0';
    return *this;
  }
  EventFields& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

void put_value(EventFields& fields, const Argument& argument) {
  const auto type = [&](ValueType value) { fields.number(static_cast<uint8_t>(value)); };
  switch (argument.type) {
    case fxt::ArgumentType::kNull:
      return type(ValueType::kNull);
    case fxt::ArgumentType::kInt32:
      type(ValueType::kSigned);
      fields.number(int64_t{argument.as_int32()});
      return;
    case fxt::ArgumentType::kInt64:
      type(ValueType::kSigned);
      fields.number(argument.bits);
      return;
    case fxt::ArgumentType::kUint32:
    case fxt::ArgumentType::kUint64:
      type(ValueType::kUnsigned);
      fields.number(argument.bits);
      return;
    case fxt::ArgumentType::kDouble:
      type(ValueType::kReal);
      fields.number(argument.bits);
      return;
    case fxt::ArgumentType::kString:
      type(ValueType::kText);
      fields.text(Label(argument.string).text());
      return;
    case fxt::ArgumentType::kPointer:
      type(ValueType::kPointer);
      fields.number(argument.bits);
      return;
    case fxt::ArgumentType::kKoid:
      type(ValueType::kKoid);
      fields.number(argument.bits);
      return;
    case fxt::ArgumentType::kBool:
      type(ValueType::kBool);
      fields.number(static_cast<uint8_t>(argument.bits & 1));
      return;
    case fxt::ArgumentType::kBlob:
      type(ValueType::kBytes);
      fields.number(static_cast<uint32_t>(argument.blob.size())).raw(argument.blob);
      return;
  }
}

EventId id_of(EventType type) {
  switch (type) {
    case EventType::kInstant:
      return EventId::kInstant;
    case EventType::kCounter:
      return EventId::kCounter;
    case EventType::kDurationBegin:
      return EventId::kDurationBegin;
    case EventType::kDurationEnd:
      return EventId::kDurationEnd;
    case EventType::kDurationComplete:
      return EventId::kDurationComplete;
    case EventType::kAsyncBegin:
      return EventId::kAsyncBegin;
    case EventType::kAsyncInstant:
      return EventId::kAsyncInstant;
    case EventType::kAsyncEnd:
      return EventId::kAsyncEnd;
    case EventType::kFlowBegin:
      return EventId::kFlowBegin;
    case EventType::kFlowStep:
      return EventId::kFlowStep;
    case EventType::kFlowEnd:
      break;
  }
  return EventId::kFlowEnd;
}

// Ahead of an event's fields: its number, its time, its provider.
constexpr size_t kTimeOffset = sizeof(uint16_t);

}  // namespace

class CtfConverter::Impl {
 public:
  explicit Impl(Append append) : append_(std::move(append)) {}

  void see(const Record& record, const ProviderState& state) {
    state_ = &state;
    provider_ = record.provider.value_or(ctf::kNoProvider);
    full_buffers_.settle(record, first_time_ == kNoTime,
                         [this](uint32_t provider, std::optional<uint64_t> ticks) {
                           write_full_buffer(provider, ticks);
                         });
    std::visit([this](const auto& content) { write(content); }, record.content);
  }
  Status finish();
  bool failed() const { return !status_.ok(); }
  const ChangeCounts& changes() const { return changes_; }

 private:
  std::optional<uint64_t> time(uint64_t ticks);
  void happens_at(uint64_t time) {
    latest_time_ = time;
    first_time_ = std::min(first_time_, time);
  }
  void add(EventId id, uint64_t time, const EventFields& fields);
  void put_thread(EventFields& fields, const ThreadId& id);
  void put_arguments(EventFields& fields, const Arguments& arguments);
  void put_label(EventFields& fields, const Text& text) {
    if (!text.registered) changes_.add(Change::kNamelessString);
    fields.text(Label(text).text());
  }
  uint64_t koid_of(const ThreadId& id);
  void append_packet();

  void write(const MagicNumber&) {}
  void write(const ProviderInfo&) {}
  void write(const ProviderSection&) {}
  void write(const ProviderEvent& event) {
    if (event.event != fxt::ProviderEvent::kBufferFull) return changes_.add(Change::kUnknownEvent);
    full_buffers_.add(event.id);
  }
  void write_full_buffer(uint32_t provider, std::optional<uint64_t> ticks) {
    const Nanoseconds exact = ticks ? nanoseconds(*ticks, *state_) : latest_time_;
    add(EventId::kBufferFull, static_cast<uint64_t>(std::min(exact, kMaxTime)),
        EventFields().number(provider));
  }
  void write(const Initialization& initialization) {
    if (initialization.ticks_per_second == 0) changes_.add(Change::kNoTicks);
  }
  void write(const StringRegistration&) {}
  void write(const ThreadRegistration&) {}
  void write(const Event& event);
  void write(const Blob& blob) {
    if (!repeats_log(blob)) changes_.add(Change::kNoPlaceInFormat);
  }
  void write(const UserspaceObject& object);
  void write(const KernelObject& object);
  void write(const LegacyContextSwitch& change);
  void write(const ContextSwitch& change);
  void write(const ThreadWakeup& wakeup);
  void write(const Log& log);
  void write(const LargeBlob&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const ProfilerModule&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const ProfilerMmap&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const ProfilerBacktrace&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const Unknown&) { changes_.add(Change::kUnknownRecord); }
  void write(const Malformed&) {}  // the reader counts them

  Append append_;
  ChangeCounts changes_;
  SortedPieces pieces_;
  Status status_;
  const ProviderState* state_ = nullptr;
  uint32_t provider_ = ctf::kNoProvider;
  static constexpr uint64_t kNoTime = ~uint64_t{0};
  FullBuffers full_buffers_;
  uint64_t latest_time_ = 0;
  uint64_t first_time_ = kNoTime;
  std::string packet_;  // events that go out together
  uint64_t packet_begin_ = 0;
  uint64_t packet_end_ = 0;
};

// In nanoseconds. Readers hold 63 bits, so later records are left out.
std::optional<uint64_t> CtfConverter::Impl::time(uint64_t ticks) {
  const Nanoseconds exact = nanoseconds(ticks, *state_);
  if (exact <= kMaxTime) return static_cast<uint64_t>(exact);
  changes_.add(Change::kUnplacedEvent);
  return std::nullopt;
}

void CtfConverter::Impl::add(EventId id, uint64_t time, const EventFields& fields) {
  EventFields event;
  event.number(static_cast<uint16_t>(id)).number(time).number(provider_).raw(fields.bytes());
  if (status_.ok()) status_ = pieces_.add({.time = time}, event.bytes());
}

uint64_t CtfConverter::Impl::koid_of(const ThreadId& id) {
  if (id.registered) return id.thread;
  changes_.add(Change::kNamelessThread);
  return kUnknownThreadsProcess + id.ref.value;
}

void CtfConverter::Impl::put_thread(EventFields& fields, const ThreadId& id) {
  fields.number(id.registered ? id.process : kUnknownThreadsProcess).number(koid_of(id));
}

void CtfConverter::Impl::put_arguments(EventFields& fields, const Arguments& arguments) {
  uint32_t count = 0;
  EventFields list;
  for (const Argument& argument : arguments) {
    if (!argument.is_known()) {
      changes_.add(Change::kUnknownArgument);
      continue;
    }
    ++count;
    put_label(list, argument.name);
    put_value(list, argument);
  }
  fields.number(count).raw(list.bytes());
}

void CtfConverter::Impl::write(const Event& event) {
  if (!event.is_known()) return changes_.add(Change::kUnknownEvent);
  const bool complete = event.type == EventType::kDurationComplete;
  if (complete && event.trailing < event.timestamp) return changes_.add(Change::kEndBeforeBegin);
  const std::optional<uint64_t> begin = time(event.timestamp);
  if (!begin) return;
  const std::optional<uint64_t> now = complete ? time(event.trailing) : begin;
  if (!now) return;
  happens_at(*now);
  EventFields fields;
  put_thread(fields, event.thread);
  put_label(fields, event.category);
  put_label(fields, event.name);
  if (complete) {
    fields.number(*begin).number(*now - *begin);
  } else if (event.type == EventType::kInstant) {
    fields.number(event.has_scope ? event.trailing : uint64_t{0});
  } else if (event.type != EventType::kDurationBegin && event.type != EventType::kDurationEnd) {
    fields.number(event.trailing);
  }
  put_arguments(fields, event.arguments);
  add(id_of(event.type), *now, fields);
}

// At the time of the last event ahead of it, like all that has no time of its own.
void CtfConverter::Impl::write(const KernelObject& object) {
  EventFields fields;
  fields.number(object.koid).number(static_cast<uint8_t>(object.object_type));
  put_label(fields, object.name);
  put_arguments(fields, object.arguments);
  add(EventId::kKernelObject, latest_time_, fields);
}

void CtfConverter::Impl::write(const UserspaceObject& object) {
  EventFields fields;
  fields.number(object.pointer)
      .number(object.process.registered ? object.process.process : kUnknownThreadsProcess);
  if (!object.process.registered) changes_.add(Change::kNamelessThread);
  put_label(fields, object.name);
  put_arguments(fields, object.arguments);
  add(EventId::kUserspaceObject, latest_time_, fields);
}

void CtfConverter::Impl::write(const LegacyContextSwitch& change) {
  const std::optional<uint64_t> now = time(change.timestamp);
  if (!now) return;
  happens_at(*now);
  EventFields fields;
  fields.number(static_cast<uint16_t>(change.cpu))
      .number(static_cast<uint8_t>(change.outgoing_state))
      .number(koid_of(change.outgoing))
      .number(koid_of(change.incoming))
      .number(static_cast<uint8_t>(change.outgoing_priority))
      .number(static_cast<uint8_t>(change.incoming_priority))
      .number(uint32_t{0});
  add(EventId::kContextSwitch, *now, fields);
}

void CtfConverter::Impl::write(const ContextSwitch& change) {
  const std::optional<uint64_t> now = time(change.timestamp);
  if (!now) return;
  happens_at(*now);
  EventFields fields;
  fields.number(static_cast<uint16_t>(change.cpu))
      .number(static_cast<uint8_t>(change.outgoing_state))
      .number(change.outgoing)
      .number(change.incoming)
      .number(uint16_t{0});  // priorities, which are among the arguments
  put_arguments(fields, change.arguments);
  add(EventId::kContextSwitch, *now, fields);
}

void CtfConverter::Impl::write(const ThreadWakeup& wakeup) {
  const std::optional<uint64_t> now = time(wakeup.timestamp);
  if (!now) return;
  happens_at(*now);
  EventFields fields;
  fields.number(static_cast<uint16_t>(wakeup.cpu)).number(wakeup.thread);
  put_arguments(fields, wakeup.arguments);
  add(EventId::kThreadWakeup, *now, fields);
}

void CtfConverter::Impl::write(const Log& log) {
  const std::optional<uint64_t> now = time(log.timestamp);
  if (!now) return;
  happens_at(*now);
  EventFields fields;
  put_thread(fields, log.thread);
  fields.text(log.message);
  add(EventId::kLog, *now, fields);
}

void CtfConverter::Impl::append_packet() {
  if (packet_.empty() || !status_.ok()) return;
  constexpr size_t kHeadBytes = 2 * sizeof(uint32_t) + 4 * sizeof(uint64_t);
  const uint64_t bits = (kHeadBytes + packet_.size()) * 8;
  EventFields head;
  head.number(ctf::kPacketMagic)
      .number(uint32_t{0})
      .number(packet_begin_)
      .number(packet_end_)
      .number(bits)
      .number(bits);
  status_ = append_(kStreamFile, head.bytes());
  if (status_.ok()) status_ = append_(kStreamFile, packet_);
  packet_.clear();
}

Status CtfConverter::Impl::finish() {
  full_buffers_.finish([this](uint32_t provider, std::optional<uint64_t>) {
    write_full_buffer(provider, std::nullopt);
  });
  constexpr size_t kPacketBytes = size_t{1} << 16;
  if (status_.ok()) status_ = append_(kMetadataFile, ctf::kMetadata);
  if (!status_.ok()) return status_;
  Status status = pieces_.take([&](std::string_view event) {
    if (packet_.size() + event.size() > kPacketBytes) append_packet();
    uint64_t time = 0;
    for (size_t i = 0; i < sizeof time; ++i)
      time |= uint64_t{static_cast<uint8_t>(event[kTimeOffset + i])} << (8 * i);
    // Records ahead of the first with a time get that time.
    if (first_time_ != kNoTime) time = std::max(time, first_time_);
    if (packet_.empty()) packet_begin_ = time;
    packet_end_ = time;
    packet_ += event.substr(0, kTimeOffset);
    packet_ += EventFields().number(time).bytes();
    packet_ += event.substr(kTimeOffset + sizeof time);
  });
  if (!status.ok()) return status;
  append_packet();
  return status_;
}

CtfConverter::CtfConverter(Append append) : impl_(std::make_unique<Impl>(std::move(append))) {}
CtfConverter::~CtfConverter() = default;
void CtfConverter::see(const Record& record, const ProviderState& state) {
  impl_->see(record, state);
}
Status CtfConverter::finish() { return impl_->finish(); }
bool CtfConverter::failed() const { return impl_->failed(); }
const ChangeCounts& CtfConverter::changes() const { return impl_->changes(); }

}  // namespace barefxt::host
