// The JSON lines of `barefxt print --json`, field by field in the documented order.
#include <barefxt/fxt/metadata.h>
#include <barefxt/host/json.h>
#include <barefxt/host/print.h>

namespace barefxt::host {
namespace {

// A number where it has no name.
void named(JsonRecord& object, std::string_view key, std::string_view name, uint64_t number) {
  if (name.empty()) {
    object.number(key, number);
  } else {
    Output& out = object.key(key);
    out.character('"');
    out.text(name);
    out.character('"');
  }
}

// {"name":"x"}, or {"name":null,"name_ref":17} where index 17 was never registered.
void text(JsonRecord& object, std::string_view key, std::string_view ref_key, const Text& value) {
  if (value.registered) {
    object.string(key, value.bytes);
  } else {
    object.null(key);
    object.number(ref_key, value.ref.value);
  }
}

void thread(JsonRecord& object, const ThreadId& id) {
  if (id.registered) {
    object.number("process", id.process);
    object.number("thread", id.thread);
  } else {
    object.null("thread");
    object.null("process");
    object.number("thread_ref", unsigned{id.ref.value});
  }
}

void value(JsonRecord& object, const Argument& argument) {
  switch (argument.type) {
    case fxt::ArgumentType::kNull:
      return;
    case fxt::ArgumentType::kInt32:
      return object.number("value", argument.as_int32());
    case fxt::ArgumentType::kInt64:
      return object.number("value", argument.as_int64());
    case fxt::ArgumentType::kUint32:
    case fxt::ArgumentType::kUint64:
    case fxt::ArgumentType::kPointer:
    case fxt::ArgumentType::kKoid:
      return object.number("value", argument.bits);
    case fxt::ArgumentType::kDouble:
      return object.real("value", argument.as_double());
    case fxt::ArgumentType::kString:
      return text(object, "value", "value_ref", argument.string);
    case fxt::ArgumentType::kBool:
      return object.key("value").text((argument.bits & 1) != 0 ? "true" : "false");
    case fxt::ArgumentType::kBlob:
      return object.base64("value", argument.blob);
  }
}

void arguments(JsonRecord& object, Output& out, const Arguments& all) {
  object.key("args");
  JsonList list(out);
  for (const Argument& argument : all) {
    JsonRecord one(list.next());
    text(one, "name", "name_ref", argument.name);
    named(one, "type", argument_type_name(argument.type), static_cast<unsigned>(argument.type));
    value(one, argument);
    if (argument.extra_words != 0) one.number("extra_words", argument.extra_words);
  }
}

std::string_view trailing_name(const Event& event) {
  switch (event.type) {
    case fxt::EventType::kCounter:
      return "counter_id";
    case fxt::EventType::kDurationComplete:
      return "end_timestamp";
    case fxt::EventType::kInstant:
      return event.has_scope ? "scope" : "";
    default:
      return event.is_known() && fxt::Event::has_trailing_word(event.type) ? "correlation_id" : "";
  }
}

class ContentPrinter {
 public:
  ContentPrinter(Output& out, JsonRecord& object, const Record& record)
      : out_(out), object_(object), record_(record) {}

  void operator()(const MagicNumber&) {}
  void operator()(const ProviderInfo& info) { object_.string("name", info.name); }
  void operator()(const ProviderSection&) {}
  void operator()(const ProviderEvent& event) {
    named(object_, "event", event.event == fxt::ProviderEvent::kBufferFull ? "buffer_full" : "",
          event.event);
  }
  void operator()(const Initialization& initialization) {
    object_.number("ticks_per_second", initialization.ticks_per_second);
  }
  void operator()(const StringRegistration& string) {
    object_.number("index", string.index);
    object_.string("value", string.value);
  }
  void operator()(const ThreadRegistration& registration) {
    object_.number("index", registration.index);
    object_.number("process", registration.process);
    object_.number("thread", registration.thread);
  }
  void operator()(const Event& event) {
    named(object_, "event", event_name(event.type), fxt::Event::Subtype::in(record_.header));
    object_.number("timestamp", event.timestamp);
    thread(object_, event.thread);
    text(object_, "category", "category_ref", event.category);
    text(object_, "name", "name_ref", event.name);
    arguments(object_, out_, event.arguments);
    const std::string_view trailing = trailing_name(event);
    if (!trailing.empty()) object_.number(trailing, event.trailing);
  }
  void operator()(const Blob& blob) {
    text(object_, "name", "name_ref", blob.name);
    object_.number("blob_type", blob.type);
    object_.base64("payload", blob.payload);
  }
  void operator()(const UserspaceObject& object) {
    object_.number("pointer", object.pointer);
    if (object.process.registered) {
      object_.number("process", object.process.process);
    } else {
      object_.null("process");
      object_.number("thread_ref", unsigned{object.process.ref.value});
    }
    text(object_, "name", "name_ref", object.name);
    arguments(object_, out_, object.arguments);
  }
  void operator()(const KernelObject& object) {
    object_.number("koid", object.koid);
    object_.number("object_type", object.object_type);
    text(object_, "name", "name_ref", object.name);
    arguments(object_, out_, object.arguments);
  }
  void operator()(const LegacyContextSwitch& change) {
    switch_start(change.timestamp, change.cpu, change.outgoing_state);
    side("outgoing", change.outgoing);
    side("incoming", change.incoming);
    object_.number("outgoing_priority", change.outgoing_priority);
    object_.number("incoming_priority", change.incoming_priority);
  }
  void operator()(const ContextSwitch& change) {
    switch_start(change.timestamp, change.cpu, change.outgoing_state);
    side("outgoing", change.outgoing);
    side("incoming", change.incoming);
    arguments(object_, out_, change.arguments);
  }
  void operator()(const ThreadWakeup& wakeup) {
    object_.number("timestamp", wakeup.timestamp);
    object_.number("cpu", wakeup.cpu);
    object_.number("thread", wakeup.thread);
    arguments(object_, out_, wakeup.arguments);
  }
  void operator()(const Log& log) {
    object_.number("timestamp", log.timestamp);
    thread(object_, log.thread);
    object_.string("message", log.message);
  }
  void operator()(const LargeBlob& blob) {
    object_.number("format", blob.format);
    text(object_, "category", "category_ref", blob.category);
    text(object_, "name", "name_ref", blob.name);
    if (blob.format == fxt::LargeBlob::kFormatEvent) {
      object_.number("timestamp", blob.timestamp);
      thread(object_, blob.thread);
      arguments(object_, out_, blob.arguments);
    }
    object_.base64("payload", blob.payload);
  }
  void operator()(const ProfilerModule& module) {
    profiler_start(module.timestamp, module.thread);
    object_.number("module", module.module);
    object_.string("name", module.name);
    object_.base64("build_id", module.build_id);
  }
  void operator()(const ProfilerMmap& map) {
    profiler_start(map.timestamp, map.thread);
    object_.number("module", map.module);
    object_.number("flags", map.flags);
    object_.number("start", map.start);
    object_.number("range", map.range);
    object_.number("vaddr", map.vaddr);
  }
  void operator()(const ProfilerBacktrace& backtrace) {
    profiler_start(backtrace.timestamp, backtrace.thread);
    object_.key("frames");
    JsonList list(out_);
    for (size_t i = 0; i < backtrace.frames.size(); ++i) {
      list.next().number(backtrace.frames[i]);
    }
  }
  void operator()(const Unknown& unknown) {
    object_.number("type", unknown.type);
    if (unknown.subtype) object_.number("subtype", *unknown.subtype);
    object_.number("words", record_.words());
  }
  void operator()(const Malformed& malformed) {
    object_.number("bytes", record_.raw.size());
    object_.string("why", describe(malformed.fault));
  }

 private:
  void switch_start(uint64_t timestamp, unsigned cpu, unsigned state) {
    object_.number("timestamp", timestamp);
    object_.number("cpu", cpu);
    named(object_, "outgoing_state", thread_state_name(state), state);
  }
  void side(std::string_view key, const ThreadId& id) {
    object_.key(key);
    JsonRecord one(out_);
    thread(one, id);
  }
  void side(std::string_view key, uint64_t koid) {
    object_.key(key);
    JsonRecord one(out_);
    one.number("thread", koid);
  }
  void profiler_start(uint64_t timestamp, const ThreadId& id) {
    object_.number("timestamp", timestamp);
    thread(object_, id);
  }

  Output& out_;
  JsonRecord& object_;
  const Record& record_;
};

}  // namespace

void print_json(Output& out, const Record& record, bool raw) {
  {
    JsonRecord object(out);
    object.number("offset", record.offset);
    named(object, "record", record_name(record), 0);
    if (record.provider) object.number("provider", *record.provider);
    std::visit(ContentPrinter(out, object, record), record.content);
    if (record.extra_words != 0) object.number("extra_words", record.extra_words);
    const bool always = record.is_malformed() || std::holds_alternative<Unknown>(record.content);
    if (raw || always) object.base64("raw", record.raw);
  }
  out.character('\n');
}

}  // namespace barefxt::host
