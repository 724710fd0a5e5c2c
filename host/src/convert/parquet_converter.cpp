// Converts each kind of record.
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include <barefxt/fxt/object.h>
#include <barefxt/host/convert_parquet.h>
#include <barefxt/host/json.h>
#include <barefxt/host/print.h>
#include <barefxt/host/stats.h>

#include "../heap/heap_event.h"
#include "chrome_writer.h"
#include "parquet_writer.h"
#include "record_converter.h"
#include "sample_names.h"
#include "unique_names.h"

namespace barefxt::host {
namespace {

using fxt::EventType;

// The columns, in their order.
enum Column : uint8_t {  // unscoped: indices
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
  kKnown,
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
      {"known", kUnsigned},
  };
  return kColumns;
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

std::optional<uint64_t> first_pointer(const Arguments& arguments) {
  for (const Argument& argument : arguments)
    if (argument.type == fxt::ArgumentType::kPointer) return argument.bits;
  return std::nullopt;
}

class ParquetRecords final : public TimedConverter {
 public:
  ParquetRecords(ByteSink& sink, const ElfFile* program)
      : table_(sink, columns()), sampled_(program) {}

  void learn(const Record& record);
  void miss() { is_whole_ = false; }

 private:
  struct Known {
    std::string_view name;
    uint64_t process = 0;
  };

  void begin(std::string_view kind) {
    table_.number(kRecord, offset_);
    table_.text(kKind, kind);
    if (provider_ != kNoProvider) table_.number(kProvider, provider_);
  }
  void end_row() {
    if (is_whole_) table_.number(kKnown, 1);
    if (status_.ok()) status_ = table_.end_row();
  }
  Status end() override { return status_.ok() ? table_.finish() : status_; }
  void thread(const ThreadId& id);
  std::optional<unsigned> cpu_of(const ThreadId& id);
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

  void write(const ProviderEvent& event) override;
  void write(const Event& event) override;
  void write(const KernelObject& object) override;
  void write(const LegacyContextSwitch& change) override {
    switched(change.timestamp, change.cpu, change.outgoing_state, koid_of(change.outgoing),
             koid_of(change.incoming), {{change.outgoing_priority, change.incoming_priority}}, {});
  }
  void write(const ContextSwitch& change) override {
    switched(change.timestamp, change.cpu, change.outgoing_state, change.outgoing, change.incoming,
             {}, change.arguments);
  }
  void write(const ThreadWakeup& wakeup) override;
  void write(const Log& log) override;
  void write(const ProfilerBacktrace& sample) override;
  void write_path(uint32_t leaf);
  void write_ahead_of(const Record& record) override { node_ = samples_.see(record, true); }

  static constexpr size_t kMaxKnown = size_t{1} << 20;

  ParquetWriter table_;
  StringOutput json_;
  std::unordered_map<uint64_t, Known> known_;  // threads, by koid
  bool is_whole_ = true;
  SampleNames sampled_;  // those that were learnt
  std::optional<ProfileSymbols> symbols_;
  Profile samples_{Selection()};  // so far
  std::optional<uint32_t> node_;  // of the sample at hand
};

// Records are missing from the archive.
bool is_missing_some(const Record& record) {
  if (const auto* event = std::get_if<Event>(&record.content)) return is_loss(*event);
  if (const auto* event = std::get_if<ProviderEvent>(&record.content))
    return event->event == fxt::ProviderEvent::kBufferFull;
  const auto* malformed = std::get_if<Malformed>(&record.content);
  return malformed != nullptr && malformed->fault != Fault::kUnwritten;
}

void ParquetRecords::learn(const Record& record) {
  if (is_missing_some(record)) miss();
  (void)sampled_.see(record);
  const auto* object = std::get_if<KernelObject>(&record.content);
  constexpr auto kThreadObject = static_cast<unsigned>(fxt::KernelObjectType::kThread);
  if (object == nullptr || object->object_type != kThreadObject || known_.size() == kMaxKnown)
    return;
  Known& known = known_[object->koid];
  if (object->name.registered) known.name = object->name.bytes;
  const std::optional<Argument> process = object->arguments.find("process");
  if (process && process->type == fxt::ArgumentType::kKoid) known.process = process->bits;
}

// A thread with its name, and whether it stands for nothing to do.
void ParquetRecords::runner(uint64_t koid, Column number, Column name, Column idle) {
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

void ParquetRecords::thread(const ThreadId& id) {
  table_.number(kProcess, process_of(id));
  runner(koid_of(id), kThread, kThreadName, kIdle);
}

// The CPU that the pseudo-thread stands for.
std::optional<unsigned> ParquetRecords::cpu_of(const ThreadId& id) {
  const auto found = known_.find(koid_of(id));
  return found == known_.end() ? std::nullopt : cpu_of_name(found->second.name);
}

void ParquetRecords::write(const ProviderEvent& event) {
  if (event.event != fxt::ProviderEvent::kBufferFull) return changes_.add(Change::kUnknownEvent);
  begin("buffer_full");
  end_row();
}

void ParquetRecords::write(const Event& event) {
  const bool complete = event.type == EventType::kDurationComplete;
  const std::optional<uint64_t> now = time(event.timestamp);
  if (!now) return;
  const std::optional<uint64_t> last = complete ? time(event.trailing) : now;
  if (!last) return;
  const auto row = [&] {
    begin(event_name(event.type));
    table_.number(kTime, *now);
    if (complete) table_.number(kEndTime, *last);
    if (const auto cpu = cpu_of(event.thread)) table_.number(kCpu, *cpu);
    thread(event.thread);
    label(kCategory, event.category);
    label(kName, event.name);
    const bool is_about_address = complete || heap_event(event).has_value();
    if (const auto object = is_about_address ? first_pointer(event.arguments) : std::nullopt)
      table_.number(kId, *object);
    if (!complete && event.type != EventType::kInstant && event.type != EventType::kDurationBegin &&
        event.type != EventType::kDurationEnd)
      table_.number(kId, event.trailing);
  };
  if (event.type != EventType::kCounter) {
    row();
    arguments(event.arguments);
    return end_row();
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
    end_row();
  }
}

void ParquetRecords::write(const KernelObject& object) {
  begin("kernel_object");
  table_.number(kId, object.koid);
  table_.text(kCategory, std::to_string(object.object_type));
  label(kName, object.name);
  arguments(object.arguments);
  end_row();
}

void ParquetRecords::switched(uint64_t ticks, unsigned cpu, unsigned state, uint64_t outgoing,
                              uint64_t incoming,
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
  end_row();
}

void ParquetRecords::write(const ThreadWakeup& wakeup) {
  const std::optional<uint64_t> now = time(wakeup.timestamp);
  if (!now) return;
  begin("thread_wakeup");
  table_.number(kTime, *now);
  table_.number(kCpu, wakeup.cpu);
  runner(wakeup.thread, kThread, kThreadName, kIdle);
  arguments(wakeup.arguments);
  end_row();
}

void ParquetRecords::write(const Log& log) {
  const std::optional<uint64_t> now = time(log.timestamp);
  if (!now) return;
  begin("log");
  table_.number(kTime, *now);
  thread(log.thread);
  table_.text(kMessage, valid_utf8(log.message));
  end_row();
}

// The path of functions, as in folded stacks, and the addresses.
void ParquetRecords::write(const ProfilerBacktrace& sample) {
  const std::optional<uint64_t> now = time(sample.timestamp);
  if (!now) return;
  begin("sample");
  table_.number(kTime, *now);
  thread(sample.thread);
  if (node_) write_path(*node_);
  {
    JsonObject object(json_);
    object.key("frames");
    JsonList frames(json_);
    for (size_t i = 0; i < sample.frames.size(); ++i)
      json_string(frames.next(), formatted("0x{:x}", sample.frames[i]));
  }
  table_.text(kArguments, json_.take());
  end_row();
}

void ParquetRecords::write_path(uint32_t leaf) {
  if (!symbols_) symbols_.emplace(sampled_.symbols(changes_));
  const std::vector<Profile::Node>& nodes = samples_.nodes();
  if (const auto cpu = samples_.groups()[nodes[leaf].group].cpu) table_.number(kCpu, *cpu);
  table_.number(kId, nodes[leaf].address);
  std::vector<std::string> path;  // innermost first
  for (uint32_t at = leaf; at != Profile::Node::kNone; at = nodes[at].parent)
    for (const ProfileSymbols::Frame& frame : symbols_->frames_at(nodes[at].address, at != leaf))
      path.push_back(valid_utf8(symbols_->name(frame.function)));
  table_.text(kName, path.front());
  std::string folded;
  for (auto function = path.rbegin(); function != path.rend(); ++function) {
    if (!folded.empty()) folded += ';';
    folded += *function;
  }
  table_.text(kMessage, folded);
}

}  // namespace

ParquetConverter::ParquetConverter(ByteSink& sink, const ElfFile* program)
    : Converter(std::make_unique<ParquetRecords>(sink, program)) {}
void ParquetConverter::learn(const Record& record) {
  static_cast<ParquetRecords&>(*converter_).learn(record);
}
void ParquetConverter::miss() { static_cast<ParquetRecords&>(*converter_).miss(); }

}  // namespace barefxt::host
