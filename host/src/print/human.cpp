// Records for people: offset, time and what happened, names for koids and pointers where the
// archive has any.
#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/host/json.h>
#include <barefxt/host/print.h>

namespace barefxt::host {
namespace {

constexpr size_t kMaxShownBytes = 32;

// Text as a terminal may safely show it: quoted, control characters escaped.
void quoted(Output& out, std::string_view bytes) { json_string(out, bytes); }

void quoted(Output& out, const Text& text) {
  if (text.registered) {
    quoted(out, text.bytes);
  } else {
    out.print("<string {}?>", text.ref.value);
  }
}

void bare(Output& out, const Text& text) {
  // Names are mostly plain words; what is not stands in quotes.
  const auto plain = [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\'; };
  bool all = text.registered && !text.bytes.empty();
  for (const char c : text.bytes) all = all && plain(c);
  if (all) {
    out.text(text.bytes);
  } else {
    quoted(out, text);
  }
}

void hexadecimal(Output& out, std::string_view bytes, size_t most) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : bytes.substr(0, most)) {
    const auto byte = static_cast<uint8_t>(c);
    out.character(kDigits[byte >> 4]);
    out.character(kDigits[byte & 0xf]);
  }
  if (bytes.size() > most) out.text("…");
}

void seconds(Output& out, uint64_t ticks, uint64_t ticks_per_second) {
  if (ticks_per_second == 0) {
    out.print("{:18} ticks", ticks);
    return;
  }
  const uint64_t whole = ticks / ticks_per_second;
  // Wide enough for any rate: the rest times 10^9 may pass 64 bits.
  const auto rest = static_cast<unsigned __int128>(ticks % ticks_per_second) * 1'000'000'000;
  out.print("{:8}.{:09}", whole, static_cast<uint64_t>(rest / ticks_per_second));
}

// The process whose pointers are in a record's arguments.
std::optional<uint64_t> process_of(const Record& record) {
  const ThreadId* who = nullptr;
  if (const auto* event = std::get_if<Event>(&record.content)) {
    who = &event->thread;
  } else if (const auto* object = std::get_if<UserspaceObject>(&record.content)) {
    who = &object->process;
  } else if (const auto* large = std::get_if<LargeBlob>(&record.content)) {
    who = &large->thread;
  }
  if (who == nullptr || !who->registered) return std::nullopt;
  return who->process;
}

}  // namespace

// One line being written.
struct HumanPrinter::Line {
  HumanPrinter& printer;
  Output& out;
  const Record& record;
  const ProviderState& state;

  void what(std::string_view title) const { out.print("{:<17} ", title); }

  // The name of what a number stands for, where there is one, before the number.
  void named(std::string_view name) const {
    if (name.empty()) return;
    bare(out, {name, {}, true});
    out.character('/');
  }
  void koid(uint64_t id) const {
    named(printer.referents_.kernel_object(id));
    out.number(id);
  }
  void thread(const ThreadId& id) const {
    if (!id.registered) {
      out.print("<thread {}?>", id.ref.value);
      return;
    }
    koid(id.process);
    out.character(':');
    koid(id.thread);
  }
  void value(const Argument& argument) const {
    switch (argument.type) {
      case fxt::ArgumentType::kNull:
        return out.text("null");
      case fxt::ArgumentType::kInt32:
        return out.number(argument.as_int32());
      case fxt::ArgumentType::kInt64:
        return out.number(argument.as_int64());
      case fxt::ArgumentType::kUint32:
      case fxt::ArgumentType::kUint64:
        return out.number(argument.bits);
      case fxt::ArgumentType::kDouble:
        return out.print("{:g}", argument.as_double());
      case fxt::ArgumentType::kString:
        return quoted(out, argument.string);
      case fxt::ArgumentType::kPointer:
        if (const auto process = process_of(record)) {
          named(printer.referents_.userspace_object(*process, argument.bits));
        }
        return out.print("0x{:x}", argument.bits);
      case fxt::ArgumentType::kKoid:
        return koid(argument.bits);
      case fxt::ArgumentType::kBool:
        return out.text((argument.bits & 1) != 0 ? "true" : "false");
      case fxt::ArgumentType::kBlob:
        out.print("{} bytes ", argument.blob.size());
        return hexadecimal(out, argument.blob, kMaxShownBytes);
    }
    out.print("<argument type {}>", static_cast<unsigned>(argument.type));
  }
  void arguments(const Arguments& all) const {
    for (const Argument& argument : all) {
      out.text("  ");
      bare(out, argument.name);
      out.character('=');
      value(argument);
    }
  }
  void state_name(unsigned number) const {
    const std::string_view name = thread_state_name(number);
    if (name.empty()) {
      out.print("state {}", number);
    } else {
      out.text(name);
    }
  }
  void payload(std::string_view bytes) const {
    out.print("  {} bytes  ", bytes.size());
    hexadecimal(out, bytes, kMaxShownBytes);
  }

  void operator()(const MagicNumber&) const { what("magic"); }
  void operator()(const ProviderInfo& info) const {
    what("provider");
    out.print("{} ", info.id);
    quoted(out, info.name);
  }
  void operator()(const ProviderSection& section) const {
    what("provider section");
    out.number(section.id);
  }
  void operator()(const ProviderEvent& event) const {
    what("provider event");
    out.print("{} ", event.id);
    if (event.event == fxt::ProviderEvent::kBufferFull) {
      out.text("buffer full, records were lost");
    } else {
      out.print("event {}", event.event);
    }
  }
  void operator()(const Initialization& initialization) const {
    what("initialization");
    out.print("{} ticks per second", initialization.ticks_per_second);
  }
  void operator()(const StringRegistration& string) const {
    what("string");
    out.print("{} ", string.index);
    quoted(out, string.value);
  }
  void operator()(const ThreadRegistration& registration) const {
    what("thread");
    out.print("{} process {} thread {}", registration.index, registration.process,
              registration.thread);
  }
  void operator()(const Event& event) const {
    const std::string name(event_name(event.type));
    if (name.empty()) {
      const Word type = fxt::Event::Subtype::in(record.header);
      what(formatted("event type {}", type));
    } else {
      what(name);
    }
    thread(event.thread);
    out.text("  ");
    bare(out, event.category);
    out.character(' ');
    bare(out, event.name);
    if (event.type == fxt::EventType::kDurationComplete) {
      if (event.trailing < event.timestamp) {
        out.text("  ends before it begins, at");
        seconds(out, event.trailing, state.ticks_per_second);
      } else {
        out.text("  for");
        seconds(out, event.trailing - event.timestamp, state.ticks_per_second);
      }
    } else if (event.type == fxt::EventType::kCounter ||
               (event.is_known() && fxt::Event::has_trailing_word(event.type))) {
      out.print("  id {}", event.trailing);
    } else if (event.has_scope) {
      out.print("  scope {}", event.trailing);
    }
    arguments(event.arguments);
  }
  void operator()(const Blob& blob) const {
    what("blob");
    quoted(out, blob.name);
    out.print("  type {}", blob.type);
    // Blobs of one name are chunks of one: which of them this is, and where it goes.
    if (blob.name.registered) {
      const BlobChunk& chunk = printer.referents_.chunk();
      out.print("  chunk {} at byte {}", chunk.number, chunk.offset);
    }
    payload(blob.payload);
  }
  void operator()(const UserspaceObject& object) const {
    what("userspace object");
    out.print("0x{:x} of ", object.pointer);
    if (object.process.registered) {
      koid(object.process.process);
    } else {
      out.print("<thread {}?>", object.process.ref.value);
    }
    out.character(' ');
    quoted(out, object.name);
    arguments(object.arguments);
  }
  void operator()(const KernelObject& object) const {
    what("kernel object");
    if (object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kProcess)) {
      out.text("process ");
    } else if (object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kThread)) {
      out.text("thread ");
    } else {
      out.print("type {} ", object.object_type);
    }
    out.print("{} ", object.koid);
    quoted(out, object.name);
    arguments(object.arguments);
  }
  void operator()(const LegacyContextSwitch& change) const {
    what("context switch");
    out.print("cpu {:<3} ", change.cpu);
    thread(change.outgoing);
    out.text(" (");
    state_name(change.outgoing_state);
    out.print(", priority {}) -> ", change.outgoing_priority);
    thread(change.incoming);
    out.print(" (priority {})", change.incoming_priority);
  }
  void operator()(const ContextSwitch& change) const {
    what("context switch");
    out.print("cpu {:<3} ", change.cpu);
    koid(change.outgoing);
    out.text(" (");
    state_name(change.outgoing_state);
    out.text(") -> ");
    koid(change.incoming);
    arguments(change.arguments);
  }
  void operator()(const ThreadWakeup& wakeup) const {
    what("thread wakeup");
    out.print("cpu {:<3} ", wakeup.cpu);
    koid(wakeup.thread);
    arguments(wakeup.arguments);
  }
  void operator()(const Log& log) const {
    what("log");
    thread(log.thread);
    out.text("  ");
    quoted(out, log.message);
  }
  void operator()(const LargeBlob& blob) const {
    what("large blob");
    if (blob.format == fxt::LargeBlob::kFormatEvent) {
      thread(blob.thread);
      out.text("  ");
    }
    bare(out, blob.category);
    out.character(' ');
    bare(out, blob.name);
    arguments(blob.arguments);
    payload(blob.payload);
  }
  void operator()(const ProfilerModule& module) const {
    what("profiler module");
    thread(module.thread);
    out.print("  module {} ", module.module);
    quoted(out, module.name);
    out.text("  build id ");
    hexadecimal(out, module.build_id, module.build_id.size());
  }
  void operator()(const ProfilerMmap& map) const {
    what("profiler mmap");
    thread(map.thread);
    out.print("  module {} flags {}  0x{:x} +0x{:x} at 0x{:x}", map.module, map.flags, map.start,
              map.range, map.vaddr);
  }
  void operator()(const ProfilerBacktrace& backtrace) const {
    what("backtrace");
    thread(backtrace.thread);
    for (size_t i = 0; i < backtrace.frames.size(); ++i) {
      out.print("  0x{:x}", backtrace.frames[i]);
    }
  }
  void operator()(const Unknown& unknown) const {
    what("unknown");
    out.print("type {}", unknown.type);
    if (unknown.subtype) out.print(" subtype {}", *unknown.subtype);
    payload(record.raw);
  }
  void operator()(const Malformed& malformed) const {
    what("MALFORMED");
    out.text(describe(malformed.fault));
    payload(record.raw);
  }
};

void HumanPrinter::print(const Record& record, const ProviderState& state) {
  referents_.learn(record);
  out_.print("{:10} ", record.offset);
  if (const auto timestamp = timestamp_of(record)) {
    seconds(out_, *timestamp, state.ticks_per_second);
  } else {
    out_.print("{:>18}", "");
  }
  out_.text("  ");
  std::visit(Line{*this, out_, record, state}, record.content);
  if (record.extra_words != 0) out_.print("  +{} words", record.extra_words);
  if (raw_) {
    out_.text("\n           ");
    hexadecimal(out_, record.raw, record.raw.size());
  }
  out_.character('\n');
}

}  // namespace barefxt::host
