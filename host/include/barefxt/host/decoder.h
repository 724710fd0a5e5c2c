// The format, read: one function per record type, fields in the specification's order. Framing is
// the reader's business.
//
// Each view is made in its place, with the frequent types inlined into the walk and the others kept
// out of its way.
#pragma once

#include <barefxt/fxt/log.h>
#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/tables.h>
#include <barefxt/host/cursor.h>

namespace barefxt::host {

// The size that a header claims, in words.
BAREFXT_INLINE uint64_t claimed_words(Word header) {
  return fxt::RecordHeader::type(header) == fxt::RecordType::kLarge
             ? fxt::LargeRecordHeader::SizeWords::in(header)
             : fxt::RecordHeader::SizeWords::in(header);
}

template <bool kSwap>
class Decoder {
 public:
  // `data` holds the record of `size` bytes: whole words, its header at least.
  BAREFXT_INLINE Decoder(Word header, const uint8_t* data, uint64_t size, Dialect dialect,
                         const ProviderState& state)
      : header_(header), cursor_(data + fxt::kWordBytes, data + size, state), dialect_(dialect) {}

  // Fills header, content and extra_words of the record.
  [[gnu::noinline]] Fault decode(Record& out) {
    out.header = header_;
    const Fault fault = decode_content(out.content);
    out.extra_words = cursor_.left();
    return fault != Fault::kNone ? fault : cursor_.fault();
  }

  // Calls `with` with the view of a record of the frequent types and true, so that the view need
  // never be in memory; of any other type, false.
  template <typename With>
  BAREFXT_INLINE bool decode_frequent(const With& with) {
    const auto deliver = [&](const auto& view) __attribute__((always_inline)) {
      if (cursor_.fault() != Fault::kNone) [[unlikely]]
        return false;
      with(view, cursor_.left());
      return true;
    };
    if (fxt::RecordHeader::type(header_) == Type::kEvent) return deliver(event());
    if (fxt::RecordHeader::type(header_) != Type::kScheduling) return false;
    switch (scheduling_subtype()) {
      case fxt::SchedulingHeader::kLegacyContextSwitch:
        return deliver(legacy_context_switch());
      case fxt::SchedulingHeader::kContextSwitch:
        return deliver(context_switch());
      case fxt::SchedulingHeader::kThreadWakeup:
        return deliver(thread_wakeup());
      default:
        return false;
    }
  }

 private:
  using Type = fxt::RecordType;

  template <typename Field>
  fxt::StringRef string_ref(Word header) const {
    return {static_cast<uint16_t>(Field::in(header))};
  }
  template <typename Field>
  fxt::ThreadRef thread_ref(Word header) const {
    return {static_cast<uint8_t>(Field::in(header))};
  }
  template <typename Field>
  unsigned number() const {
    static_assert(Field::kBits <= 32);
    return static_cast<unsigned>(Field::in(header_));
  }

  // Returns today's number of an event type: the 2017 dialect has no complete duration. A number
  // without a name there stays without one.
  BAREFXT_INLINE fxt::EventType event_type() const {
    const unsigned number = this->number<fxt::Event::Subtype>();
    const bool same = dialect_ == Dialect::kToday ||
                      number < static_cast<unsigned>(fxt::EventType2017::kAsyncBegin);
    return static_cast<fxt::EventType>(same ? number : number + 1);
  }

  // Braces, here and below: the members are made in this order.
  BAREFXT_INLINE Event event() {
    const fxt::EventType type = event_type();
    bool has_scope = false;
    return {
        .type = type,
        .timestamp = cursor_.word(),
        .thread = cursor_.thread(thread_ref<fxt::Event::Thread>(header_)),
        .category = cursor_.text(string_ref<fxt::Event::Category>(header_)),
        .name = cursor_.text(string_ref<fxt::Event::Name>(header_)),
        .arguments = cursor_.arguments(number<fxt::Event::ArgumentCount>()),
        .trailing = trailing_word(type, has_scope),
        .has_scope = has_scope,
    };
  }

  // Without a branch, since a processor cannot predict it.
  BAREFXT_INLINE Word trailing_word(fxt::EventType type, bool& has_scope) {
    const unsigned number = static_cast<unsigned>(type);
    has_scope = static_cast<unsigned>(number == 0) & static_cast<unsigned>(cursor_.left() == 1);
    return cursor_.word_if((kTrailing >> number & 1) | unsigned{has_scope});
  }

  // Bit by bit, the known event types that end in a word of their own.
  static constexpr unsigned kTrailing = [] {
    unsigned types = 0;
    for (auto type = fxt::EventType::kInstant; type <= fxt::EventType::kFlowEnd;
         type = static_cast<fxt::EventType>(static_cast<unsigned>(type) + 1)) {
      if (fxt::Event::has_trailing_word(type)) types |= 1U << static_cast<unsigned>(type);
    }
    return types;
  }();

  // The 2017 dialect has these bits reserved, so they choose nothing there.
  BAREFXT_INLINE unsigned scheduling_subtype() const {
    return dialect_ == Dialect::k2017 ? fxt::SchedulingHeader::kLegacyContextSwitch
                                      : number<fxt::SchedulingHeader::Subtype>();
  }

  BAREFXT_INLINE LegacyContextSwitch legacy_context_switch() {
    using Fields = fxt::LegacyContextSwitch;
    return {
        .timestamp = cursor_.word(),
        .cpu = number<Fields::Cpu>(),
        .outgoing_state = number<Fields::OutgoingState>(),
        .outgoing = cursor_.thread(thread_ref<Fields::OutgoingThread>(header_)),
        .incoming = cursor_.thread(thread_ref<Fields::IncomingThread>(header_)),
        .outgoing_priority = number<Fields::OutgoingPriority>(),
        .incoming_priority = number<Fields::IncomingPriority>(),
    };
  }

  BAREFXT_INLINE ContextSwitch context_switch() {
    using Fields = fxt::ContextSwitch;
    return {
        .timestamp = cursor_.word(),
        .cpu = number<Fields::Cpu>(),
        .outgoing_state = number<Fields::OutgoingState>(),
        .outgoing = cursor_.word(),
        .incoming = cursor_.word(),
        .arguments = cursor_.arguments(number<Fields::ArgumentCount>()),
    };
  }

  BAREFXT_INLINE ThreadWakeup thread_wakeup() {
    using Fields = fxt::ThreadWakeup;
    return {
        .timestamp = cursor_.word(),
        .cpu = number<Fields::Cpu>(),
        .thread = cursor_.word(),
        .arguments = cursor_.arguments(number<Fields::ArgumentCount>()),
    };
  }

  template <typename View, typename Make>
  static void put(Content& out, const Make& make) {
    out.emplace<View>(InPlace{make});
  }

  // Returns only the fault that taking words cannot find.
  Fault decode_content(Content& out) {
    switch (fxt::RecordHeader::type(header_)) {
      case Type::kMetadata:
        return metadata(out);
      case Type::kInitialization:
        out = Initialization{cursor_.word()};
        break;
      case Type::kString:
        out = StringRegistration{number<fxt::StringRecord::Index>(),
                                 cursor_.stream(fxt::StringRecord::LengthBytes::in(header_),
                                                Fault::kStringBeyondRecord)};
        break;
      case Type::kThread:
        out =
            ThreadRegistration{number<fxt::ThreadRecord::Index>(), cursor_.word(), cursor_.word()};
        break;
      case Type::kEvent:
        put<Event>(out, [&] { return event(); });
        break;
      case Type::kBlob:
        out = blob();
        break;
      case Type::kUserspaceObject:
        out = userspace_object();
        break;
      case Type::kKernelObject:
        out = kernel_object();
        break;
      case Type::kScheduling:
        scheduling(out);
        break;
      case Type::kLog:
        out = log();
        break;
      case Type::kProfiler:
        profiler(out);
        break;
      case Type::kLarge:
        large(out);
        break;
      default:
        out = unknown(std::nullopt);
    }
    return Fault::kNone;
  }

  // Nothing in it can be checked, and nothing of it is beyond what is known.
  Unknown unknown(std::optional<unsigned> subtype) {
    cursor_.words(cursor_.left(), Fault::kNone);
    return {static_cast<unsigned>(fxt::RecordHeader::type(header_)), subtype};
  }

  void scheduling(Content& out) {
    switch (const unsigned subtype = scheduling_subtype()) {
      case fxt::SchedulingHeader::kLegacyContextSwitch:
        return put<LegacyContextSwitch>(out, [&] { return legacy_context_switch(); });
      case fxt::SchedulingHeader::kContextSwitch:
        return put<ContextSwitch>(out, [&] { return context_switch(); });
      case fxt::SchedulingHeader::kThreadWakeup:
        return put<ThreadWakeup>(out, [&] { return thread_wakeup(); });
      default:
        out = unknown(subtype);
    }
  }

  Fault metadata(Content& out) {
    using fxt::MetadataType;
    const unsigned subtype = number<fxt::MetadataHeader::Subtype>();
    switch (static_cast<MetadataType>(subtype)) {
      case MetadataType::kProviderInfo:
        out = ProviderInfo{
            number<fxt::ProviderInfo::Id>(),
            cursor_.stream(fxt::ProviderInfo::NameBytes::in(header_), Fault::kStringBeyondRecord)};
        break;
      case MetadataType::kProviderSection:
        out = ProviderSection{number<fxt::ProviderSection::Id>()};
        break;
      case MetadataType::kProviderEvent:
        out = ProviderEvent{number<fxt::ProviderEvent::Id>(), number<fxt::ProviderEvent::Event>()};
        break;
      case MetadataType::kTraceInfo:
        if (fxt::TraceInfo::InfoType::in(header_) != 0) {
          out = unknown(subtype);
          break;
        }
        // The one record that may not grow.
        if (header_ != fxt::MagicNumber::make()) return Fault::kBadMagic;
        out = MagicNumber{};
        break;
      default:
        out = unknown(subtype);
    }
    return Fault::kNone;
  }

  Blob blob() {
    return {
        .name = cursor_.text(string_ref<fxt::Blob::Name>(header_)),
        .type = number<fxt::Blob::Subtype>(),
        .payload =
            cursor_.stream(dialect_ == Dialect::k2017 ? fxt::Blob::PayloadBytes2017::in(header_)
                                                      : fxt::Blob::PayloadBytes::in(header_),
                           Fault::kPayloadBeyondRecord),
    };
  }

  UserspaceObject userspace_object() {
    using Fields = fxt::UserspaceObject;
    return {
        .pointer = cursor_.word(),
        .process = cursor_.process(thread_ref<Fields::Process>(header_)),
        .name = cursor_.text(string_ref<Fields::Name>(header_)),
        .arguments = cursor_.arguments(number<Fields::ArgumentCount>()),
    };
  }

  KernelObject kernel_object() {
    using Fields = fxt::KernelObject;
    return {
        .koid = cursor_.word(),
        .object_type = number<Fields::ObjectType>(),
        .name = cursor_.text(string_ref<Fields::Name>(header_)),
        .arguments = cursor_.arguments(number<Fields::ArgumentCount>()),
    };
  }

  Log log() {
    return {
        .timestamp = cursor_.word(),
        .thread = cursor_.thread(thread_ref<fxt::Log::Thread>(header_)),
        .message = cursor_.stream(fxt::Log::MessageBytes::in(header_), Fault::kStringBeyondRecord),
    };
  }

  void profiler(Content& out) {
    using fxt::ProfilerType;
    const unsigned subtype = number<fxt::ProfilerHeader::Subtype>();
    if (subtype > static_cast<unsigned>(ProfilerType::kBacktrace)) {
      out = unknown(subtype);
      return;
    }
    const uint64_t timestamp = cursor_.word();
    const ThreadId thread = cursor_.thread(thread_ref<fxt::ProfilerHeader::Thread>(header_));
    if (subtype == static_cast<unsigned>(ProfilerType::kModule)) {
      using Fields = fxt::ProfilerModule;
      out = ProfilerModule{
          .timestamp = timestamp,
          .thread = thread,
          .module = number<Fields::ModuleId>(),
          .name = cursor_.stream(Fields::NameBytes::in(header_), Fault::kStringBeyondRecord),
          .build_id =
              cursor_.stream(Fields::BuildIdBytes::in(header_), Fault::kPayloadBeyondRecord),
      };
    } else if (subtype == static_cast<unsigned>(ProfilerType::kMmap)) {
      using Fields = fxt::ProfilerMmap;
      out = ProfilerMmap{
          .timestamp = timestamp,
          .thread = thread,
          .module = number<Fields::ModuleId>(),
          .flags = number<Fields::Flags>(),
          .start = cursor_.word(),
          .range = cursor_.word(),
          .vaddr = cursor_.word(),
      };
    } else {
      out = ProfilerBacktrace{
          .timestamp = timestamp,
          .thread = thread,
          .frames = cursor_.words(fxt::ProfilerBacktrace::FrameCount::in(header_),
                                  Fault::kPayloadBeyondRecord),
      };
    }
  }

  void large(Content& out) {
    using Fields = fxt::LargeBlob;
    const unsigned large_type = number<fxt::LargeRecordHeader::LargeType>();
    const unsigned format = number<Fields::Format>();
    if (large_type != Fields::kLargeType || format > Fields::kFormatBare) {
      out = unknown(large_type);
      return;
    }
    const Word second = cursor_.word();
    LargeBlob& blob = out.emplace<LargeBlob>();
    blob.format = format;
    blob.category = cursor_.text(string_ref<Fields::Category>(second));
    blob.name = cursor_.text(string_ref<Fields::Name>(second));
    if (format == Fields::kFormatEvent) {
      blob.timestamp = cursor_.word();
      blob.thread = cursor_.thread(thread_ref<Fields::Thread>(second));
      blob.arguments = cursor_.arguments(static_cast<unsigned>(Fields::ArgumentCount::in(second)));
    }
    const Word bytes = cursor_.word();
    blob.payload = cursor_.stream(bytes, Fault::kPayloadBeyondRecord);
  }

  Word header_;
  Cursor<kSwap> cursor_;
  Dialect dialect_;
};

}  // namespace barefxt::host
