// All threads at once: the one that is earliest goes on.
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <queue>
#include <vector>

#include <barefxt/host/convert_xray.h>

#include "../archive/archive_provider.h"

namespace barefxt::host {
namespace {

constexpr uint32_t kProvider = 1;
constexpr uint64_t kTicksWhereUnknown = 1'000'000'000;

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class XrayArchive {
 public:
  XrayArchive(const XrayLog& log, const InstrumentationMap* map, ByteSink& sink, ByteOrder order)
      : log_(log), map_(map), writer_(sink, order) {}

  Result<XrayChanges> write();

 private:
  void write(const XrayRecord& record);
  void write_call(const XrayRecord& record, const ArchiveThread& thread);
  void write_event(const XrayRecord& record, const ArchiveThread& thread);
  std::string_view name_of(uint32_t function);

  const XrayLog& log_;
  const InstrumentationMap* map_;
  ArchiveWriter writer_;
  std::unique_ptr<ArchiveProvider> provider_;
  std::string nameless_;
  std::vector<ArchiveArgument> arguments_;
  XrayChanges changes_;
};

std::string_view XrayArchive::name_of(uint32_t function) {
  if (map_ != nullptr && !map_->name(function).empty()) return map_->name(function);
  nameless_ = formatted("function#{}", function);
  return nameless_;
}

void XrayArchive::write_call(const XrayRecord& record, const ArchiveThread& thread) {
  const bool is_entry = record.kind == XrayKind::kEntry;
  const ArchiveText category = provider_->text("function");
  const ArchiveText name = provider_->text(name_of(record.function));
  if (is_entry && (map_ == nullptr || map_->name(record.function).empty()))
    ++changes_.nameless_functions;
  arguments_.clear();
  const size_t count = std::min<size_t>(record.arguments.size(), fxt::kMaxArguments);
  changes_.left_out_arguments += record.arguments.size() - count;
  for (size_t i = 0; i < count; ++i)
    arguments_.push_back(
        ArchiveArgument::uint64(provider_->text(formatted("argument {}", i)), record.arguments[i]));
  (void)provider_->records().event(
      {.type = is_entry ? fxt::EventType::kDurationBegin : fxt::EventType::kDurationEnd,
       .timestamp = record.tsc,
       .thread = thread,
       .category = category,
       .name = name},
      arguments_);
}

void XrayArchive::write_event(const XrayRecord& record, const ArchiveThread& thread) {
  const bool is_typed = record.kind == XrayKind::kTypedEvent;
  const ArchiveEvent event = {
      .type = fxt::EventType::kInstant,
      .timestamp = record.tsc,
      .thread = thread,
      .category = provider_->text("xray"),
      .name = provider_->text(is_typed ? "typed event" : "custom event"),
  };
  arguments_.clear();
  if (is_typed)
    arguments_.push_back(ArchiveArgument::uint32(provider_->text("type"), record.event_type));
  const ArchiveArguments without_payload = arguments_;
  const size_t count = without_payload.size();
  arguments_.push_back(ArchiveArgument::blob(provider_->text("payload"), text_of(record.payload)));
  ArchiveWriter& records = provider_->records();
  if (records.event(event, arguments_)) return;
  // Too large for a record: in blobs of the event's name behind it.
  arguments_.resize(count, ArchiveArgument::null({}));
  (void)records.event(event, arguments_);
  records.blob(event.name, fxt::BlobType::kData, text_of(record.payload));
}

void XrayArchive::write(const XrayRecord& record) {
  const uint64_t process = record.thread.process ? static_cast<uint32_t>(*record.thread.process)
                                                 : kUnknownThreadsProcess;
  const ArchiveThread thread =
      provider_->thread(process, static_cast<uint32_t>(record.thread.thread));
  if (record.kind < XrayKind::kCustomEvent) {
    write_call(record, thread);
  } else {
    write_event(record, thread);
  }
}

Result<XrayChanges> XrayArchive::write() {
  writer_.magic_number();
  provider_ = std::make_unique<ArchiveProvider>(writer_, kProvider, "xray");
  provider_->records().initialization(
      log_.header().cycle_frequency == 0 ? kTicksWhereUnknown : log_.header().cycle_frequency);

  struct Head {
    uint64_t tsc;
    size_t thread;
    const XrayRecord* record;
    bool operator<(const Head& other) const {  // the earliest is the greatest
      return tsc != other.tsc ? tsc > other.tsc : thread > other.thread;
    }
  };
  XrayThreadReader::OpenCalls open(XrayThreadReader::kMaxOpen);
  std::deque<XrayThreadReader> readers;
  std::priority_queue<Head> heads;
  const auto push = [&](size_t thread) {
    if (const XrayRecord* record = readers[thread].next())
      heads.push({record->tsc, thread, record});
  };
  for (const XrayLog::Thread& thread : log_.threads()) {
    readers.emplace_back(log_, thread, open);
    push(readers.size() - 1);
  }
  while (!heads.empty() && !writer_.failed()) {
    const Head head = heads.top();
    heads.pop();
    write(*head.record);
    push(head.thread);
  }
  if (Status status = writer_.flush(); !status.ok()) return status.error();
  for (const XrayThreadReader& reader : readers) changes_.repairs.add(reader.repairs());
  return changes_;
}

}  // namespace

Result<XrayChanges> xray_to_fxt(const XrayLog& log, const InstrumentationMap* map, ByteSink& sink,
                                ByteOrder order) {
  return XrayArchive(log, map, sink, order).write();
}

}  // namespace barefxt::host
