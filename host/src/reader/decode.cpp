// The format, read: one function per record type, fields in the specification's order.
#include "decode.h"

#include <barefxt/fxt/log.h>
#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/tables.h>

#include "cursor.h"

namespace barefxt::host {
namespace {

template <typename Field>
fxt::StringRef string_ref(Word header) {
  return {static_cast<std::uint16_t>(Field::in(header))};
}

template <typename Field>
fxt::ThreadRef thread_ref(Word header) {
  return {static_cast<std::uint8_t>(Field::in(header))};
}

template <typename Field>
unsigned number(Word header) {
  static_assert(Field::kBits <= 32);
  return static_cast<unsigned>(Field::in(header));
}

Unknown unknown(Word header) {
  const auto type = fxt::RecordHeader::type(header);
  Unknown what{static_cast<unsigned>(type), std::nullopt};
  if (type == fxt::RecordType::kMetadata) {
    what.subtype = number<fxt::MetadataHeader::Subtype>(header);
  } else if (type == fxt::RecordType::kScheduling) {
    what.subtype = number<fxt::SchedulingHeader::Subtype>(header);
  } else if (type == fxt::RecordType::kProfiler) {
    what.subtype = number<fxt::ProfilerHeader::Subtype>(header);
  } else if (type == fxt::RecordType::kLarge) {
    what.subtype = number<fxt::LargeRecordHeader::LargeType>(header);
  }
  return what;
}

Fault metadata(Word header, Cursor& cursor, Record& out) {
  switch (static_cast<fxt::MetadataType>(fxt::MetadataHeader::Subtype::in(header))) {
    case fxt::MetadataType::kProviderInfo: {
      const auto bytes = fxt::ProviderInfo::NameBytes::in(header);
      out.content = ProviderInfo{number<fxt::ProviderInfo::Id>(header),
                                 cursor.stream(bytes, Fault::kStringBeyondRecord)};
      break;
    }
    case fxt::MetadataType::kProviderSection:
      out.content = ProviderSection{number<fxt::ProviderSection::Id>(header)};
      break;
    case fxt::MetadataType::kProviderEvent:
      out.content = ProviderEvent{number<fxt::ProviderEvent::Id>(header),
                                  number<fxt::ProviderEvent::Event>(header)};
      break;
    case fxt::MetadataType::kTraceInfo:
      if (fxt::TraceInfo::InfoType::in(header) == 0) {
        // The one record that may not grow.
        if (header != fxt::MagicNumber::make()) return Fault::kBadMagic;
        out.content = MagicNumber{};
      } else {
        out.content = unknown(header);
      }
      break;
    default:
      out.content = unknown(header);
  }
  return cursor.fault();
}

// Today's number for an event type: the 2017 dialect's lack the duration complete.
fxt::EventType event_type(Word number, Dialect dialect) {
  if (dialect == Dialect::kToday || number < static_cast<Word>(fxt::EventType2017::kAsyncBegin)) {
    return static_cast<fxt::EventType>(number);
  }
  constexpr auto kNameless = static_cast<fxt::EventType>(fxt::Event::Subtype::kMax);
  return number <= static_cast<Word>(fxt::EventType2017::kFlowEnd)
             ? static_cast<fxt::EventType>(number + 1)
             : kNameless;
}

void event(Word header, Cursor& cursor, Dialect dialect, Record& out) {
  Event& event = out.content.emplace<Event>();
  event.type = event_type(fxt::Event::Subtype::in(header), dialect);
  event.timestamp = cursor.word();
  event.thread = cursor.thread(thread_ref<fxt::Event::Thread>(header));
  event.category = cursor.text(string_ref<fxt::Event::Category>(header));
  event.name = cursor.text(string_ref<fxt::Event::Name>(header));
  event.arguments = cursor.arguments(number<fxt::Event::ArgumentCount>(header));
  if (event.is_known() && fxt::Event::has_trailing_word(event.type)) {
    event.trailing = cursor.word();
  } else if (event.type == fxt::EventType::kInstant && cursor.left() == 1) {
    event.has_scope = true;
    event.trailing = cursor.word();
  }
}

void blob(Word header, Cursor& cursor, Dialect dialect, Record& out) {
  const Text name = cursor.text(string_ref<fxt::Blob::Name>(header));
  const auto bytes = dialect == Dialect::k2017 ? fxt::Blob::PayloadBytes2017::in(header)
                                               : fxt::Blob::PayloadBytes::in(header);
  out.content = Blob{name, number<fxt::Blob::Subtype>(header),
                     cursor.stream(bytes, Fault::kPayloadBeyondRecord)};
}

void userspace_object(Word header, Cursor& cursor, Record& out) {
  UserspaceObject& object = out.content.emplace<UserspaceObject>();
  object.pointer = cursor.word();
  object.process = cursor.process(thread_ref<fxt::UserspaceObject::Process>(header));
  object.name = cursor.text(string_ref<fxt::UserspaceObject::Name>(header));
  object.arguments = cursor.arguments(number<fxt::UserspaceObject::ArgumentCount>(header));
}

void kernel_object(Word header, Cursor& cursor, Record& out) {
  KernelObject& object = out.content.emplace<KernelObject>();
  object.object_type = number<fxt::KernelObject::ObjectType>(header);
  object.koid = cursor.word();
  object.name = cursor.text(string_ref<fxt::KernelObject::Name>(header));
  object.arguments = cursor.arguments(number<fxt::KernelObject::ArgumentCount>(header));
}

void legacy_context_switch(Word header, Cursor& cursor, Record& out) {
  using fxt::LegacyContextSwitch;
  host::LegacyContextSwitch& change = out.content.emplace<host::LegacyContextSwitch>();
  change.cpu = number<LegacyContextSwitch::Cpu>(header);
  change.outgoing_state = number<LegacyContextSwitch::OutgoingState>(header);
  change.outgoing_priority = number<LegacyContextSwitch::OutgoingPriority>(header);
  change.incoming_priority = number<LegacyContextSwitch::IncomingPriority>(header);
  change.timestamp = cursor.word();
  change.outgoing = cursor.thread(thread_ref<LegacyContextSwitch::OutgoingThread>(header));
  change.incoming = cursor.thread(thread_ref<LegacyContextSwitch::IncomingThread>(header));
}

void context_switch(Word header, Cursor& cursor, Record& out) {
  ContextSwitch& change = out.content.emplace<ContextSwitch>();
  change.cpu = number<fxt::ContextSwitch::Cpu>(header);
  change.outgoing_state = number<fxt::ContextSwitch::OutgoingState>(header);
  change.timestamp = cursor.word();
  change.outgoing = cursor.word();
  change.incoming = cursor.word();
  change.arguments = cursor.arguments(number<fxt::ContextSwitch::ArgumentCount>(header));
}

void thread_wakeup(Word header, Cursor& cursor, Record& out) {
  ThreadWakeup& wakeup = out.content.emplace<ThreadWakeup>();
  wakeup.cpu = number<fxt::ThreadWakeup::Cpu>(header);
  wakeup.timestamp = cursor.word();
  wakeup.thread = cursor.word();
  wakeup.arguments = cursor.arguments(number<fxt::ThreadWakeup::ArgumentCount>(header));
}

bool scheduling(Word header, Cursor& cursor, Dialect dialect, Record& out) {
  // The 2017 dialect has these bits reserved, so they choose nothing there.
  const unsigned subtype = dialect == Dialect::k2017
                               ? fxt::SchedulingHeader::kLegacyContextSwitch
                               : number<fxt::SchedulingHeader::Subtype>(header);
  switch (subtype) {
    case fxt::SchedulingHeader::kLegacyContextSwitch:
      legacy_context_switch(header, cursor, out);
      return true;
    case fxt::SchedulingHeader::kContextSwitch:
      context_switch(header, cursor, out);
      return true;
    case fxt::SchedulingHeader::kThreadWakeup:
      thread_wakeup(header, cursor, out);
      return true;
    default:
      return false;
  }
}

void log(Word header, Cursor& cursor, Record& out) {
  Log& log = out.content.emplace<Log>();
  log.timestamp = cursor.word();
  log.thread = cursor.thread(thread_ref<fxt::Log::Thread>(header));
  log.message = cursor.stream(fxt::Log::MessageBytes::in(header), Fault::kStringBeyondRecord);
}

bool profiler(Word header, Cursor& cursor, Record& out) {
  const auto subtype = static_cast<fxt::ProfilerType>(fxt::ProfilerHeader::Subtype::in(header));
  if (subtype > fxt::ProfilerType::kBacktrace) return false;
  const std::uint64_t timestamp = cursor.word();
  const ThreadId thread = cursor.thread(thread_ref<fxt::ProfilerHeader::Thread>(header));
  if (subtype == fxt::ProfilerType::kModule) {
    using fxt::ProfilerModule;
    const auto name =
        cursor.stream(ProfilerModule::NameBytes::in(header), Fault::kStringBeyondRecord);
    const auto build_id =
        cursor.stream(ProfilerModule::BuildIdBytes::in(header), Fault::kPayloadBeyondRecord);
    out.content = host::ProfilerModule{timestamp, thread, number<ProfilerModule::ModuleId>(header),
                                       name, build_id};
  } else if (subtype == fxt::ProfilerType::kMmap) {
    using fxt::ProfilerMmap;
    const Word start = cursor.word();
    const Word range = cursor.word();
    out.content = host::ProfilerMmap{timestamp,
                                     thread,
                                     number<ProfilerMmap::ModuleId>(header),
                                     number<ProfilerMmap::Flags>(header),
                                     start,
                                     range,
                                     cursor.word()};
  } else {
    const auto frames = fxt::ProfilerBacktrace::FrameCount::in(header);
    out.content =
        ProfilerBacktrace{timestamp, thread, cursor.take(frames, Fault::kPayloadBeyondRecord)};
  }
  return true;
}

bool large(Word header, Cursor& cursor, Record& out) {
  if (number<fxt::LargeRecordHeader::LargeType>(header) != fxt::LargeBlob::kLargeType) return false;
  const unsigned format = number<fxt::LargeBlob::Format>(header);
  if (format > fxt::LargeBlob::kFormatBare) return false;
  LargeBlob& blob = out.content.emplace<LargeBlob>();
  blob.format = format;
  const Word second = cursor.word();
  blob.category = cursor.text(string_ref<fxt::LargeBlob::Category>(second));
  blob.name = cursor.text(string_ref<fxt::LargeBlob::Name>(second));
  if (format == fxt::LargeBlob::kFormatEvent) {
    blob.timestamp = cursor.word();
    blob.thread = cursor.thread(thread_ref<fxt::LargeBlob::Thread>(second));
    blob.arguments = cursor.arguments(number<fxt::LargeBlob::ArgumentCount>(second));
  }
  const Word bytes = cursor.word();
  blob.payload = cursor.stream(bytes, Fault::kPayloadBeyondRecord);
  return true;
}

}  // namespace

Fault decode(Words words, Dialect dialect, const ProviderState& state, Record& out) {
  const Word header = words[0];
  Cursor cursor(words.from(1), state);
  bool known = true;
  out.header = header;
  out.extra_words = 0;
  switch (fxt::RecordHeader::type(header)) {
    case fxt::RecordType::kMetadata: {
      const Fault fault = metadata(header, cursor, out);
      if (fault != Fault::kNone) return fault;
      known = !std::holds_alternative<Unknown>(out.content);
      break;
    }
    case fxt::RecordType::kInitialization:
      out.content = Initialization{cursor.word()};
      break;
    case fxt::RecordType::kString: {
      const auto bytes = fxt::StringRecord::LengthBytes::in(header);
      out.content = StringRegistration{number<fxt::StringRecord::Index>(header),
                                       cursor.stream(bytes, Fault::kStringBeyondRecord)};
      break;
    }
    case fxt::RecordType::kThread: {
      const Word process = cursor.word();
      out.content =
          ThreadRegistration{number<fxt::ThreadRecord::Index>(header), process, cursor.word()};
      break;
    }
    case fxt::RecordType::kEvent:
      event(header, cursor, dialect, out);
      break;
    case fxt::RecordType::kBlob:
      blob(header, cursor, dialect, out);
      break;
    case fxt::RecordType::kUserspaceObject:
      userspace_object(header, cursor, out);
      break;
    case fxt::RecordType::kKernelObject:
      kernel_object(header, cursor, out);
      break;
    case fxt::RecordType::kScheduling:
      known = scheduling(header, cursor, dialect, out);
      break;
    case fxt::RecordType::kLog:
      log(header, cursor, out);
      break;
    case fxt::RecordType::kProfiler:
      known = profiler(header, cursor, out);
      break;
    case fxt::RecordType::kLarge:
      known = large(header, cursor, out);
      break;
    default:
      known = false;
  }
  if (!known) {
    out.content = unknown(header);
    return Fault::kNone;
  }
  out.extra_words = cursor.left();
  return cursor.fault();
}

}  // namespace barefxt::host
