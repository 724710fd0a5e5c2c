// Converts each kind of record.
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/host/convert_parquet.h>
#include <barefxt/host/json.h>
#include <barefxt/host/print.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"
#include "chrome_writer.h"
#include "parquet_writer.h"
#include "unique_names.h"

namespace barefxt::host {
namespace {

using fxt::EventType;

// The columns, in their order.
enum Column : uint8_t {
  kRecord,
  kKind,
  kProvider,
  kTime,
  kEndTime,
  kCpu,
  kProcess,
  kThread,
  kThreadName,
  kIdle,
  kState,
  kPriority,
  kIncoming,
  kIncomingName,
  kIncomingIdle,
  kIncomingPriority,
  kCategory,
  kName,
  kId,
  kArgument,
  kValue,
  kArguments,
  kMessage,
};

const std::vector<ParquetWriter::Column>& columns() {
  using enum ParquetType;
  static const std::vector<ParquetWriter::Column> kColumns = {
      {"record", kUnsigned},
      {"kind", kText},
      {"provider", kUnsigned},
      {"time", kSigned},
      {"end_time", kSigned},
      {"cpu", kUnsigned},
      {"process", kUnsigned},
      {"thread", kUnsigned},
      {"thread_name", kText},
      {"idle", kUnsigned},
      {"state", kText},
      {"priority", kSigned},
      {"incoming", kUnsigned},
      {"incoming_name", kText},
      {"incoming_idle", kUnsigned},
      {"incoming_priority", kSigned},
      {"category", kText},
      {"name", kText},
      {"id", kUnsigned},
      {"argument", kText},
      {"value", kReal},
      {"arguments", kText},
      {"message", kText},
  };
  return kColumns;
}

std::string_view kind_of(EventType type) {
  switch (type) {
    case EventType::kInstant:
      return "instant";
    case EventType::kCounter:
      return "counter";
    case EventType::kDurationBegin:
      return "duration_begin";
    case EventType::kDurationEnd:
      return "duration_end";
    case EventType::kDurationComplete:
      return "duration_complete";
    case EventType::kAsyncBegin:
      return "async_begin";
    case EventType::kAsyncInstant:
      return "async_instant";
    case EventType::kAsyncEnd:
      return "async_end";
    case EventType::kFlowBegin:
      return "flow_begin";
    case EventType::kFlowStep:
      return "flow_step";
    case EventType::kFlowEnd:
      break;
  }
  return "flow_end";
}

double as_real(const Argument& argument) {
  switch (argument.type) {
    case fxt::ArgumentType::kInt32:
      return argument.as_int32();
    case fxt::ArgumentType::kInt64:
      return static_cast<double>(argument.as_int64());
    case fxt::ArgumentType::kDouble:
      return argument.as_double();
    default:
      return static_cast<double>(argument.bits);
  }
}

}  // namespace

class ParquetConverter::Impl {
 public:
  explicit Impl(ByteSink& sink) : table_(sink, columns()) {}

  void learn(const Record& record);
  void see(const Record& record, const ProviderState& state) {
    state_ = &state;
    provider_ = record.provider;
    offset_ = record.offset;
    std::visit([this](const auto& content) { write(content); }, record.content);
  }
  Status finish() { return status_.ok() ? table_.finish() : status_; }
  bool failed() const { return !status_.ok(); }
  const ChangeCounts& changes() const { return changes_; }

 private:
  struct Known {
    std::string_view name;
    uint64_t process = 0;
  };

  std::optional<uint64_t> time(uint64_t ticks);
  void begin(std::string_view kind) {
    table_.number(kRecord, offset_);
    table_.text(kKind, kind);
    if (provider_) table_.number(kProvider, *provider_);
  }
  void end() {
    if (status_.ok()) status_ = table_.end_row();
  }
  void thread(const ThreadId& id);
  void runner(uint64_t koid, Column number, Column name, Column idle);
  void label(Column column, const Text& text) {
    if (!text.registered) changes_.add(Change::kNamelessString);
    table_.text(column, valid_utf8(Label(text).text()));
  }
  void arguments(const Arguments& all) {
    if (all.size() == 0) return;
    chrome_arguments(json_, all, changes_);
    table_.text(kArguments, json_.take());
  }
  void switched(uint64_t ticks, unsigned cpu, unsigned state, uint64_t outgoing, uint64_t incoming,
                const std::optional<std::pair<int64_t, int64_t>>& priorities, const Arguments& all);
  uint64_t koid_of(const ThreadId& id);

  void write(const MagicNumber&) {}
  void write(const ProviderInfo&) {}
  void write(const ProviderSection&) {}
  void write(const ProviderEvent& event);
  void write(const Initialization& initialization) {
    if (initialization.ticks_per_second == 0) changes_.add(Change::kNoTicks);
  }
  void write(const StringRegistration&) {}
  void write(const ThreadRegistration&) {}
  void write(const Event& event);
  void write(const Blob& blob) {
    if (!repeats_log(blob)) changes_.add(Change::kNoPlaceInFormat);
  }
  void write(const UserspaceObject&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const KernelObject& object);
  void write(const LegacyContextSwitch& change) {
    switched(change.timestamp, change.cpu, change.outgoing_state, koid_of(change.outgoing),
             koid_of(change.incoming), {{change.outgoing_priority, change.incoming_priority}}, {});
  }
  void write(const ContextSwitch& change) {
    switched(change.timestamp, change.cpu, change.outgoing_state, change.outgoing, change.incoming,
             {}, change.arguments);
  }
  void write(const ThreadWakeup& wakeup);
  void write(const Log& log);
  void write(const LargeBlob&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const ProfilerModule&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const ProfilerMmap&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const ProfilerBacktrace&) { changes_.add(Change::kNoPlaceInFormat); }
  void write(const Unknown&) { changes_.add(Change::kUnknownRecord); }
  void write(const Malformed&) {}  // the reader counts them

  static constexpr size_t kMaxKnown = size_t{1} << 20;

  ParquetWriter table_;
  ChangeCounts changes_;
  StringOutput json_;
  Status status_;
  std::unordered_map<uint64_t, Known> known_;  // threads, by koid
  const ProviderState* state_ = nullptr;
  std::optional<uint32_t> provider_;
  uint64_t offset_ = 0;
};

// In nanoseconds. The table holds 63 bits, so later records are left out.
std::optional<uint64_t> ParquetConverter::Impl::time(uint64_t ticks) {
  const Nanoseconds exact = nanoseconds(ticks, *state_);
  if (exact <= static_cast<Nanoseconds>(std::numeric_limits<int64_t>::max()))
    return static_cast<uint64_t>(exact);
  changes_.add(Change::kUnplacedEvent);
  return std::nullopt;
}

void ParquetConverter::Impl::learn(const Record& record) {
  const auto* object = std::get_if<KernelObject>(&record.content);
  constexpr auto kThreadObject = static_cast<unsigned>(fxt::KernelObjectType::kThread);
  if (object == nullptr || object->object_type != kThreadObject || known_.size() == kMaxKnown)
    return;
  Known& known = known_[object->koid];
  if (object->name.registered) known.name = object->name.bytes;
  const std::optional<Argument> process = object->arguments.find("process");
  if (process && process->type == fxt::ArgumentType::kKoid) known.process = process->bits;
}

uint64_t ParquetConverter::Impl::koid_of(const ThreadId& id) {
  if (id.registered) return id.thread;
  changes_.add(Change::kNamelessThread);
  return kUnknownThreadsProcess + id.ref.value;
}

// A thread with its name, and whether it stands for nothing to do.
void ParquetConverter::Impl::runner(uint64_t koid, Column number, Column name, Column idle) {
  table_.number(number, koid);
  const auto found = known_.find(koid);
  if (found == known_.end()) {
    table_.number(idle, koid == 0 ? 1 : 0);
    return;
  }
  const Known& known = found->second;
  if (!known.name.empty()) table_.text(name, valid_utf8(known.name));
  table_.number(idle, known.name.starts_with("idle/") || known.process == 0 ? 1 : 0);
}

void ParquetConverter::Impl::thread(const ThreadId& id) {
  table_.number(kProcess, id.registered ? id.process : kUnknownThreadsProcess);
  runner(koid_of(id), kThread, kThreadName, kIdle);
}

void ParquetConverter::Impl::write(const ProviderEvent& event) {
  if (event.event != fxt::ProviderEvent::kBufferFull) return changes_.add(Change::kUnknownEvent);
  begin("buffer_full");
  end();
}

void ParquetConverter::Impl::write(const Event& event) {
  if (!event.is_known()) return changes_.add(Change::kUnknownEvent);
  const bool complete = event.type == EventType::kDurationComplete;
  if (complete && event.trailing < event.timestamp) return changes_.add(Change::kEndBeforeBegin);
  const std::optional<uint64_t> now = time(event.timestamp);
  if (!now) return;
  const std::optional<uint64_t> last = complete ? time(event.trailing) : now;
  if (!last) return;
  const auto row = [&] {
    begin(kind_of(event.type));
    table_.number(kTime, *now);
    if (complete) table_.number(kEndTime, *last);
    thread(event.thread);
    label(kCategory, event.category);
    label(kName, event.name);
    if (!complete && event.type != EventType::kInstant && event.type != EventType::kDurationBegin &&
        event.type != EventType::kDurationEnd)
      table_.number(kId, event.trailing);
  };
  if (event.type != EventType::kCounter) {
    row();
    arguments(event.arguments);
    return end();
  }
  UniqueNames names;
  for (const Argument& argument : event.arguments) {
    if (!argument.is_numeric()) {
      changes_.add(argument.is_known() ? Change::kSeriesValue : Change::kUnknownArgument);
      continue;
    }
    row();
    table_.text(kArgument, valid_utf8(names.unique(argument.name)));
    table_.real(kValue, as_real(argument));
    end();
  }
}

void ParquetConverter::Impl::write(const KernelObject& object) {
  begin("kernel_object");
  table_.number(kId, object.koid);
  table_.text(kCategory, std::to_string(object.object_type));
  label(kName, object.name);
  arguments(object.arguments);
  end();
}

void ParquetConverter::Impl::switched(uint64_t ticks, unsigned cpu, unsigned state,
                                      uint64_t outgoing, uint64_t incoming,
                                      const std::optional<std::pair<int64_t, int64_t>>& priorities,
                                      const Arguments& all) {
  const std::optional<uint64_t> now = time(ticks);
  if (!now) return;
  begin("context_switch");
  table_.number(kTime, *now);
  table_.number(kCpu, cpu);
  runner(outgoing, kThread, kThreadName, kIdle);
  runner(incoming, kIncoming, kIncomingName, kIncomingIdle);
  const std::string_view name = thread_state_name(state);
  table_.text(kState, name.empty() ? std::to_string(state) : std::string(name));
  if (priorities) {
    table_.number(kPriority, static_cast<uint64_t>(priorities->first));
    table_.number(kIncomingPriority, static_cast<uint64_t>(priorities->second));
  }
  arguments(all);
  end();
}

void ParquetConverter::Impl::write(const ThreadWakeup& wakeup) {
  const std::optional<uint64_t> now = time(wakeup.timestamp);
  if (!now) return;
  begin("thread_wakeup");
  table_.number(kTime, *now);
  table_.number(kCpu, wakeup.cpu);
  runner(wakeup.thread, kThread, kThreadName, kIdle);
  arguments(wakeup.arguments);
  end();
}

void ParquetConverter::Impl::write(const Log& log) {
  const std::optional<uint64_t> now = time(log.timestamp);
  if (!now) return;
  begin("log");
  table_.number(kTime, *now);
  thread(log.thread);
  table_.text(kMessage, valid_utf8(log.message));
  end();
}

ParquetConverter::ParquetConverter(ByteSink& sink) : impl_(std::make_unique<Impl>(sink)) {}
ParquetConverter::~ParquetConverter() = default;
void ParquetConverter::learn(const Record& record) { impl_->learn(record); }
void ParquetConverter::see(const Record& record, const ProviderState& state) {
  impl_->see(record, state);
}
Status ParquetConverter::finish() { return impl_->finish(); }
bool ParquetConverter::failed() const { return impl_->failed(); }
const ChangeCounts& ParquetConverter::changes() const { return impl_->changes(); }

}  // namespace barefxt::host
