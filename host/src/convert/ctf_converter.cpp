// Converts each kind of record.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include <barefxt/host/convert_ctf.h>
#include <barefxt/host/json.h>

#include "ctf_metadata.h"
#include "record_converter.h"
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

// Events have the numbers of the archive's types.
static_assert(static_cast<int>(EventId::kFlowEnd) == static_cast<int>(EventType::kFlowEnd));

// Ahead of an event's fields: its number, its time, its provider.
constexpr size_t kTimeOffset = sizeof(uint16_t);

class CtfRecords final : public TimedConverter {
 public:
  explicit CtfRecords(CtfConverter::Append append) : append_(std::move(append)) {}

 private:
  std::optional<uint64_t> happens_at(uint64_t ticks) {
    const std::optional<uint64_t> now = TimedConverter::happens_at(ticks);
    if (now) first_time_ = std::min(first_time_, *now);
    return now;
  }
  void add(EventId id, Nanoseconds time, const EventFields& fields);
  void put_thread(EventFields& fields, const ThreadId& id);
  void put_arguments(EventFields& fields, const Arguments& arguments);
  void put_label(EventFields& fields, const Text& text) {
    if (!text.registered) changes_.add(Change::kNamelessString);
    fields.text(Label(text).text());
  }
  void append_packet();

  void write_full_buffer(uint32_t provider, Nanoseconds time) override {
    add(EventId::kBufferFull, time, EventFields().number(provider));
  }
  Status end() override;
  void write(const Event& event) override;
  void write(const UserspaceObject& object) override;
  void write(const KernelObject& object) override;
  void write(const LegacyContextSwitch& change) override;
  void write(const ContextSwitch& change) override;
  void write(const ThreadWakeup& wakeup) override;
  void write(const Log& log) override;

  CtfConverter::Append append_;
  SortedPieces pieces_;
  static constexpr uint64_t kNoTime = ~uint64_t{0};
  uint64_t first_time_ = kNoTime;
  std::string packet_;  // events that go out together
  uint64_t packet_begin_ = 0;
  uint64_t packet_end_ = 0;
};

void CtfRecords::add(EventId id, Nanoseconds exact, const EventFields& fields) {
  const auto time = static_cast<uint64_t>(std::min(exact, kMaxTime));
  const auto provider = static_cast<uint32_t>(std::min<uint64_t>(provider_, ctf::kNoProvider));
  EventFields event;
  event.number(static_cast<uint16_t>(id)).number(time).number(provider).raw(fields.bytes());
  if (status_.ok()) status_ = pieces_.add({.time = time}, event.bytes());
}

void CtfRecords::put_thread(EventFields& fields, const ThreadId& id) {
  fields.number(process_of(id)).number(koid_of(id));
}

void CtfRecords::put_arguments(EventFields& fields, const Arguments& arguments) {
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

void CtfRecords::write(const Event& event) {
  const bool complete = event.type == EventType::kDurationComplete;
  const std::optional<uint64_t> begin = time(event.timestamp);
  if (!begin) return;
  const std::optional<uint64_t> now = happens_at(complete ? event.trailing : event.timestamp);
  if (!now) return;
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
  add(static_cast<EventId>(event.type), *now, fields);
}

// At the time of the last event ahead of it, like all that has no time of its own.
void CtfRecords::write(const KernelObject& object) {
  EventFields fields;
  fields.number(object.koid).number(static_cast<uint8_t>(object.object_type));
  put_label(fields, object.name);
  put_arguments(fields, object.arguments);
  add(EventId::kKernelObject, latest_time_.value_or(0), fields);
}

void CtfRecords::write(const UserspaceObject& object) {
  EventFields fields;
  fields.number(object.pointer).number(process_of(object.process));
  if (!object.process.registered) changes_.add(Change::kNamelessThread);
  put_label(fields, object.name);
  put_arguments(fields, object.arguments);
  add(EventId::kUserspaceObject, latest_time_.value_or(0), fields);
}

void CtfRecords::write(const LegacyContextSwitch& change) {
  const std::optional<uint64_t> now = happens_at(change.timestamp);
  if (!now) return;
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

void CtfRecords::write(const ContextSwitch& change) {
  const std::optional<uint64_t> now = happens_at(change.timestamp);
  if (!now) return;
  EventFields fields;
  fields.number(static_cast<uint16_t>(change.cpu))
      .number(static_cast<uint8_t>(change.outgoing_state))
      .number(change.outgoing)
      .number(change.incoming)
      .number(uint16_t{0});  // priorities, which are among the arguments
  put_arguments(fields, change.arguments);
  add(EventId::kContextSwitch, *now, fields);
}

void CtfRecords::write(const ThreadWakeup& wakeup) {
  const std::optional<uint64_t> now = happens_at(wakeup.timestamp);
  if (!now) return;
  EventFields fields;
  fields.number(static_cast<uint16_t>(wakeup.cpu)).number(wakeup.thread);
  put_arguments(fields, wakeup.arguments);
  add(EventId::kThreadWakeup, *now, fields);
}

void CtfRecords::write(const Log& log) {
  const std::optional<uint64_t> now = happens_at(log.timestamp);
  if (!now) return;
  EventFields fields;
  put_thread(fields, log.thread);
  fields.text(log.message);
  add(EventId::kLog, *now, fields);
}

void CtfRecords::append_packet() {
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
  status_ = append_(CtfConverter::kStreamFile, head.bytes());
  if (status_.ok()) status_ = append_(CtfConverter::kStreamFile, packet_);
  packet_.clear();
}

Status CtfRecords::end() {
  constexpr size_t kPacketBytes = size_t{1} << 16;
  if (status_.ok()) status_ = append_(CtfConverter::kMetadataFile, ctf::metadata());
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

}  // namespace

CtfConverter::CtfConverter(Append append)
    : Converter(std::make_unique<CtfRecords>(std::move(append))) {}

}  // namespace barefxt::host
