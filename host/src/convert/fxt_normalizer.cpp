// Record by record: every reference asked for first, then the record written.
#include <deque>
#include <string>
#include <vector>

#include <barefxt/fxt/metadata.h>
#include <barefxt/host/convert_fxt.h>

#include "../archive/own_events.h"
#include "../archive/utf8.h"
#include "../reader/conformance.h"
#include "provider_set.h"
#include "record_converter.h"

namespace barefxt::host {
namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class FxtRecords final : public RecordConverter {
 public:
  FxtRecords(Form form, ByteSink& sink, ByteOrder order, ArchiveWakers& wakers, AddedRecords& added,
             LogPackets packets)
      : form_(form),
        wakers_(wakers),
        added_(added),
        packets_(packets),
        writer_(sink, order),
        providers_(writer_, changes_) {
    writer_.magic_number();
  }

  void see(const Record& record, const ProviderState& state) override {
    state_ = &state;
    arguments_.clear();
    repaired_.clear();
    for (AddedRecord added : added_.before(record)) {
      added.category = repaired(added.category);
      added.name = repaired(added.name);
      write_added(provider().records(), added);
    }
    std::visit([&](const auto& content) { write(record, content); }, record.content);
  }
  Status finish() override {
    providers_.finish();
    return writer_.flush();
  }
  bool failed() const override { return writer_.failed(); }

 private:
  ArchiveProvider& provider() { return providers_.current(); }
  ArchiveWriter& out(const Record& record) {
    note_dirt(record);
    return provider().records();
  }
  void note_dirt(const Record& record);

  ArchiveText text(const Text& text);
  std::string_view repaired(std::string_view text);
  ArchiveThread thread(const ThreadId& id);
  ArchiveArguments arguments(const Arguments& all);
  void argument(const Argument& argument);
  void split(const Record& record, const LargeBlob& blob);

  void write(const Record&, const MagicNumber&) {}  // ours is there already
  void write(const Record& record, const ProviderInfo& info);
  void write(const Record& record, const ProviderSection& section);
  void write(const Record& record, const ProviderEvent& event);
  void write(const Record& record, const Initialization& initialization);
  void write(const Record& record, const StringRegistration& string);
  void write(const Record& record, const ThreadRegistration& registration);
  void write(const Record& record, const Event& event);
  void write(const Record& record, const Blob& blob);
  void write(const Record& record, const UserspaceObject& object);
  void write(const Record& record, const KernelObject& object);
  void write(const Record& record, const LegacyContextSwitch& change);
  void write(const Record& record, const ContextSwitch& change);
  void write(const Record& record, const ThreadWakeup& wakeup);
  void write(const Record& record, const Log& log);
  void write(const Record& record, const LargeBlob& blob);
  void write(const Record& record, const ProfilerModule& module);
  void write(const Record& record, const ProfilerMmap& map);
  void write(const Record& record, const ProfilerBacktrace& backtrace);
  void write(const Record&, const Unknown&) { changes_.add(Change::kUnknownRecord); }
  void write(const Record&, const Malformed&) {}  // the reader counts them

  Form form_;
  ArchiveWakers& wakers_;
  AddedRecords& added_;
  LogPackets packets_;
  ArchiveWriter writer_;
  ProviderSet providers_;

  // These belong to the record that is being written.
  std::vector<ArchiveArgument> arguments_;
  std::deque<std::string> repaired_;
};

// Counts harmless content that the output lacks, for records that are written.
void FxtRecords::note_dirt(const Record& record) {
  if (record.extra_words != 0) changes_.add(Change::kExtraWords);
  bool dirty =
      reserved_bits_set(record, form_.dialect, form_.byte_order) != 0 || !padding_is_zero(record);
  for (const Argument& argument : arguments_of(record))
    dirty = dirty || reserved_bits_set(argument) != 0;
  if (dirty) changes_.add(Change::kReservedBits);
}

std::string_view FxtRecords::repaired(std::string_view text) {
  if (!is_utf8(bytes_of(text))) {
    std::string& copy = repaired_.emplace_back(text);
    repair_utf8({reinterpret_cast<uint8_t*>(copy.data()), copy.size()});
    changes_.add(Change::kRepairedText);
    text = copy;
  }
  if (text.size() > fxt::kMaxStringBytes) changes_.add(Change::kCutText);
  return utf8_cut(text, fxt::kMaxStringBytes);
}

ArchiveText FxtRecords::text(const Text& text) {
  if (text.is_inline()) return ArchiveText::spelled_out(repaired(text.bytes));
  if (text.registered) return provider().text(text.bytes);
  changes_.add(Change::kNamelessString);
  return provider().text(formatted("string#{}", text.ref.value));
}

ArchiveThread FxtRecords::thread(const ThreadId& id) {
  if (id.ref.is_inline()) return {.index = 0, .process = id.process, .thread = id.thread};
  if (id.registered) return provider().thread(id.process, id.thread);
  changes_.add(Change::kNamelessThread);
  const ArchiveThread unknown = provider().name_unknown_thread(id.ref.value);
  return provider().thread(unknown.process, unknown.thread);
}

void FxtRecords::argument(const Argument& argument) {
  if (!argument.is_known()) return changes_.add(Change::kUnknownArgument);
  if (argument.extra_words != 0) changes_.add(Change::kExtraWords);
  const ArchiveText name = text(argument.name);
  if (argument.type == fxt::ArgumentType::kString) {
    arguments_.push_back(ArchiveArgument::string(name, text(argument.string)));
  } else if (argument.type == fxt::ArgumentType::kBlob) {
    arguments_.push_back(ArchiveArgument::blob(name, argument.blob));
  } else {
    arguments_.push_back(ArchiveArgument::plain(name, argument.type, argument.bits));
  }
}

ArchiveArguments FxtRecords::arguments(const Arguments& all) {
  for (const Argument& argument : all) this->argument(argument);
  return arguments_;
}

void FxtRecords::write(const Record& record, const ProviderInfo& info) {
  note_dirt(record);
  providers_.declare(info.id, info.name);
  providers_.enter(info.id);
}

void FxtRecords::write(const Record& record, const ProviderSection& section) {
  note_dirt(record);
  if (!providers_.declared(section.id)) {
    changes_.add(Change::kUndeclaredProvider);
    providers_.declare(section.id, formatted("provider#{}", section.id));
  }
  providers_.enter(section.id);
  writer_.provider_section(section.id);
}

void FxtRecords::write(const Record& record, const ProviderEvent& event) {
  if (event.event != fxt::ProviderEvent::kBufferFull) return changes_.add(Change::kUnknownEvent);
  // A declaration makes a provider the current one. After it, records without a provider could not
  // be continued: ahead of any declaration the event stays without one, since it is a loss.
  if (!providers_.declared(event.id) && providers_.anybody()) {
    changes_.add(Change::kUndeclaredProvider);
    providers_.declare(event.id, formatted("provider#{}", event.id));
  }
  note_dirt(record);
  writer_.provider_event(event.id, event.event);
}

void FxtRecords::write(const Record& record, const Initialization& initialization) {
  uint64_t ticks_per_second = initialization.ticks_per_second;
  if (ticks_per_second == 0) {
    changes_.add(Change::kNoTicks);
    ticks_per_second = ProviderState::kDefaultTicksPerSecond;
  }
  out(record).initialization(ticks_per_second);
}

void FxtRecords::write(const Record& record, const StringRegistration& string) {
  note_dirt(record);
  if (string.index != 0) provider().announce(string.value);
}

void FxtRecords::write(const Record& record, const ThreadRegistration& registration) {
  note_dirt(record);
  if (registration.index != 0) provider().announce(registration.process, registration.thread);
}

// Ignored results of writes are safe: no record grows here, so one that was valid before still
// fits.
void FxtRecords::write(const Record& record, const Event& event) {
  if (!event.is_known()) return changes_.add(Change::kUnknownEvent);
  if (event.type == fxt::EventType::kDurationComplete && event.trailing < event.timestamp)
    return changes_.add(Change::kEndBeforeBegin);
  if (event.has_scope) changes_.add(Change::kScope);
  const ArchiveEvent written = {
      .type = event.type,
      .timestamp = event.timestamp,
      .thread = thread(event.thread),
      .category = text(event.category),
      .name = text(event.name),
      .trailing_word = event.trailing,
  };
  const ArchiveArguments all = arguments(event.arguments);
  (void)out(record).event(written, all);
}

void FxtRecords::write(const Record& record, const Blob& blob) {
  if (packets_ == LogPackets::kAdd && repeats_log(blob)) return;  // written anew with the log
  const ArchiveText name = text(blob.name);
  out(record).blob(name, static_cast<fxt::BlobType>(blob.type), blob.payload);
}

void FxtRecords::write(const Record& record, const UserspaceObject& object) {
  const ArchiveThread process = thread(object.process);
  const ArchiveText name = text(object.name);
  const ArchiveArguments all = arguments(object.arguments);
  (void)out(record).userspace_object(object.pointer, process, name, all);
}

void FxtRecords::write(const Record& record, const KernelObject& object) {
  const ArchiveText name = text(object.name);
  const ArchiveArguments all = arguments(object.arguments);
  (void)out(record).kernel_object(
      object.koid, static_cast<fxt::KernelObjectType>(object.object_type), name, all);
}

void FxtRecords::write(const Record& record, const LegacyContextSwitch& change) {
  // The 2017 dialect has no priorities: what is there are reserved bits.
  const bool has_priorities = form_.dialect == Dialect::kToday;
  const ArchiveLegacyContextSwitch written = {
      .timestamp = change.timestamp,
      .cpu = static_cast<uint8_t>(change.cpu),
      .outgoing_state = static_cast<fxt::ThreadState>(change.outgoing_state),
      .outgoing = thread(change.outgoing),
      .incoming = thread(change.incoming),
      .outgoing_priority =
          has_priorities ? static_cast<uint8_t>(change.outgoing_priority) : uint8_t{0},
      .incoming_priority =
          has_priorities ? static_cast<uint8_t>(change.incoming_priority) : uint8_t{0},
  };
  out(record).legacy_context_switch(written);
}

void FxtRecords::write(const Record& record, const ContextSwitch& change) {
  const ArchiveArguments all = arguments(change.arguments);
  (void)out(record).context_switch(
      {change.timestamp, static_cast<uint16_t>(change.cpu),
       static_cast<fxt::ThreadState>(change.outgoing_state), change.outgoing, change.incoming},
      all);
}

void FxtRecords::write(const Record& record, const ThreadWakeup& wakeup) {
  const ArchiveThreadWakeup written = {wakeup.timestamp, static_cast<uint16_t>(wakeup.cpu),
                                       wakeup.thread};
  (void)arguments(wakeup.arguments);
  const std::optional<uint64_t> waker = wakers_.next(record.provider, wakeup, record.offset);
  // An argument of an unknown type is left out.
  const std::optional<Argument> recorded = wakeup.arguments.find("waker");
  if (waker && !(recorded && recorded->is_known())) {
    arguments_.push_back(ArchiveArgument::koid(provider().text("waker"), *waker));
    // Else there is no room left for one more argument.
    if (out(record).thread_wakeup(written, arguments_)) return;
    arguments_.pop_back();
  }
  (void)out(record).thread_wakeup(written, arguments_);
}

void FxtRecords::write(const Record& record, const Log& log) {
  const ArchiveThread where = thread(log.thread);
  const std::string_view message = repaired(log.message);
  ArchiveWriter& to = out(record);
  if (packets_ == LogPackets::kAdd) write_log_packets(to, where, log.timestamp, message, *state_);
  to.log(log.timestamp, where, message);
}

void FxtRecords::write(const Record& record, const LargeBlob& blob) {
  if (record.words() > fxt::kMaxRecordWords) return split(record, blob);
  const ArchiveLargeBlob written = {
      .category = text(blob.category),
      .name = text(blob.name),
      .is_event = blob.format == fxt::LargeBlob::kFormatEvent,
      .timestamp = blob.timestamp,
      .thread = thread(blob.thread),
  };
  const ArchiveArguments all = arguments(blob.arguments);
  (void)out(record).large_blob(written, all, blob.payload);
}

// Writes the blob's description as a record of its own, and the payload in blobs of its name.
// Readers that step over large records by 12 bits of their size can step over these.
void FxtRecords::split(const Record& record, const LargeBlob& blob) {
  changes_.add(Change::kSplitLarge);
  const auto indexed = [this](const Text& text) {
    return text.is_inline() ? provider().text(text.bytes) : this->text(text);
  };
  const ArchiveLargeBlob head = {
      .category = indexed(blob.category),
      .name = indexed(blob.name),
      .is_event = blob.format == fxt::LargeBlob::kFormatEvent,
      .timestamp = blob.timestamp,
      .thread = thread(blob.thread),
  };
  ArchiveArguments all = arguments(blob.arguments);
  // Three words, timestamp, koids; arguments can make a large record long, too.
  size_t words = 6;
  for (const ArchiveArgument& argument : all) words += argument.words();
  for (; words > fxt::kMaxRecordWords; all = all.first(all.size() - 1)) {
    words -= all.back().words();
    changes_.add(Change::kLargeArgument);
  }
  (void)out(record).large_blob(head, all, {});
  writer_.blob(head.name, fxt::BlobType::kData, blob.payload);
}

void FxtRecords::write(const Record& record, const ProfilerModule& module) {
  const ArchiveThread where = thread(module.thread);
  const std::string_view name = repaired(module.name);
  (void)out(record).profiler_module(
      {module.timestamp, where, static_cast<uint16_t>(module.module), name, module.build_id});
}

void FxtRecords::write(const Record& record, const ProfilerMmap& map) {
  const ArchiveThread where = thread(map.thread);
  out(record).profiler_mmap({map.timestamp, where, static_cast<uint16_t>(map.module),
                             static_cast<uint8_t>(map.flags), map.start, map.range, map.vaddr});
}

void FxtRecords::write(const Record& record, const ProfilerBacktrace& backtrace) {
  const ArchiveThread where = thread(backtrace.thread);
  std::vector<uint64_t> frames(backtrace.frames.size());
  for (size_t i = 0; i < frames.size(); ++i) frames[i] = backtrace.frames[i];
  (void)out(record).profiler_backtrace({backtrace.timestamp, where, frames});
}

}  // namespace

FxtNormalizer::FxtNormalizer(Form form, ByteSink& sink, ByteOrder order, ArchiveWakers& wakers,
                             AddedRecords& added, LogPackets packets)
    : Converter(std::make_unique<FxtRecords>(form, sink, order, wakers, added, packets)) {}

}  // namespace barefxt::host
