#include "record_copier.h"

#include <cstring>

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/blob.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/log.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/ring_record.h>

#include "../archive/utf8.h"
#include "capture_content.h"

namespace barefxt::host {
namespace {

// A field taken out of a word and put back with another value.
template <typename F>
uint64_t with(uint64_t word, uint64_t value) {
  return (word & ~F::kMask) | F::of(value);
}

}  // namespace

const char* describe(CopyVerdict verdict) {
  switch (verdict) {
    case CopyVerdict::kNotForProviders:
      return "of a type that only an archive's writer may use";
    case CopyVerdict::kRingOnly:
      return "of the runtime's own type, never finished";
    case CopyVerdict::kCallAlone:
      return "calls whose thread and time were in records that are missing";
    case CopyVerdict::kUnknown:
      return "of an unknown type";
    case CopyVerdict::kMalformed:
      return "malformed";
    case CopyVerdict::kEndBeforeBegin:
      return "ending before they begin";
    default:
      return "";
  }
}

// Inline, since every record needs these: that makes a third of the time.

inline uint64_t RecordCopier::load(size_t index) const {
  return load_word(from_ + index * fxt::kWordBytes, from_order_);
}

inline void RecordCopier::store(size_t index, uint64_t word) {
  store_word(to_ + index * fxt::kWordBytes, word, to_order_);
}

inline bool RecordCopier::fail(CopyVerdict verdict) {
  verdict_ = verdict;
  return false;
}

inline bool RecordCopier::words(size_t count) {
  if (count > limit_ - at_) return fail(CopyVerdict::kMalformed);
  for (const size_t end = at_ + count; at_ < end; ++at_) store(at_, load(at_));
  return true;
}

// One word, a time.
inline bool RecordCopier::time() {
  if (at_ >= limit_) return fail(CopyVerdict::kMalformed);
  last_time_ = (*clock_)(load(at_));
  store(at_++, last_time_);
  return true;
}

inline bool RecordCopier::stream(size_t bytes, bool is_text) {
  const size_t count = fxt::words_for_bytes(bytes);
  if (count > limit_ - at_) return fail(CopyVerdict::kMalformed);
  if (count == 0) return true;
  uint8_t* to = to_ + at_ * fxt::kWordBytes;
  std::memset(to + (count - 1) * fxt::kWordBytes, 0, fxt::kWordBytes);
  std::memcpy(to, from_ + at_ * fxt::kWordBytes, bytes);
  if (is_text) repaired_ += repair_utf8({to, bytes});
  at_ += count;
  return true;
}

inline bool RecordCopier::text(uint64_t ref) {
  return stream(fxt::StringRef{static_cast<uint16_t>(ref)}.bytes(), true);
}

inline bool RecordCopier::map_string(uint64_t ref, uint64_t& mapped) {
  const fxt::StringRef string{static_cast<uint16_t>(ref)};
  mapped = ref;
  if (!string.is_indexed()) return true;
  const std::optional<uint16_t> index = tables_.string(string.value);
  if (!index) {
    missing_ = string.value;
    return fail(CopyVerdict::kMissingString);
  }
  mapped = *index;
  return true;
}

inline bool RecordCopier::check_thread(uint64_t ref) {
  if (ref == 0 || tables_.has_thread(static_cast<uint8_t>(ref))) return true;
  missing_ = static_cast<unsigned>(ref);
  return fail(CopyVerdict::kMissingThread);
}

inline bool RecordCopier::inline_thread(uint64_t ref) {
  return words(fxt::ThreadRef{static_cast<uint8_t>(ref)}.inline_words());
}

CopyVerdict RecordCopier::copy(const RecordView& record, ByteOrder from_order,
                               const ClockMap& clock, uint8_t* to) {
  from_ = record.bytes.data();
  to_ = to;
  from_order_ = from_order;
  clock_ = &clock;
  header_ = record.header;
  at_ = 1;
  limit_ = record.words();
  repaired_ = 0;
  verdict_ = CopyVerdict::kCopied;
  // Fields that a newer writer appended to a known record are copied as words.
  if (this->record() && words(limit_ - at_)) {
    repaired_bytes_ += repaired_;
    if (EventPattern::can_learn(record) && copies_plain(from_order))
      patterns_[place_of(record.header)].learn(record, to, tables_.replacements());
    return CopyVerdict::kCopied;
  }
  return verdict_;
}

bool RecordCopier::arguments(uint64_t count) {
  for (; count != 0; --count)
    if (!argument()) return false;
  return true;
}

bool RecordCopier::argument() {
  using Header = fxt::ArgumentHeader;
  if (at_ >= limit_) return fail(CopyVerdict::kMalformed);
  const uint64_t header = load(at_);
  const size_t size = Header::SizeWords::in(header);
  if (size == 0 || size > limit_ - at_) return fail(CopyVerdict::kMalformed);

  const size_t record_limit = limit_;
  limit_ = at_ + size;
  uint64_t name = 0;
  if (!map_string(Header::Name::in(header), name)) return false;
  const auto type = static_cast<fxt::ArgumentType>(Header::Type::in(header));
  uint64_t clean = Header::make(type, size, {static_cast<uint16_t>(name)});
  uint64_t value = 0;
  switch (type) {
    case fxt::ArgumentType::kInt32:
    case fxt::ArgumentType::kUint32:
    case fxt::ArgumentType::kBlob:
      clean |= header & Header::Uint32::kMask;
      break;
    case fxt::ArgumentType::kBool:
      clean |= header & Header::Bool::kMask;
      break;
    case fxt::ArgumentType::kString:
      if (!map_string(Header::String::in(header), value)) return false;
      clean |= Header::String::of(value);
      break;
    default:
      break;
  }
  if (type > fxt::ArgumentType::kBlob) return fail(CopyVerdict::kUnknown);

  store(at_++, clean);
  if (!text(name)) return false;
  if (Header::has_value_word(type) && !words(1)) return false;
  if (type == fxt::ArgumentType::kString && !text(value)) return false;
  if (type == fxt::ArgumentType::kBlob && !stream(Header::BlobBytes::in(header), false))
    return false;
  if (!words(limit_ - at_)) return false;
  limit_ = record_limit;
  return true;
}

bool RecordCopier::record() {
  const fxt::RecordType type = fxt::RecordHeader::type(header_);
  // A wrapping that held what it should was taken off before.
  if (fxt::RingRecord::is(header_, fxt::RingRecordType::kTimed))
    return fail(CopyVerdict::kMalformed);
  // Calls are converted to events, not copied.
  if (fxt::CallRecord::is_call(header_)) return fail(CopyVerdict::kCallAlone);
  if (fxt::SampleRecord::is_sample(header_)) return sample();
  if (type == fxt::kRingRecordType) return fail(CopyVerdict::kRingOnly);
  switch (type) {
    case fxt::RecordType::kMetadata:
    case fxt::RecordType::kInitialization:
    case fxt::RecordType::kString:
    case fxt::RecordType::kThread:
      return fail(CopyVerdict::kNotForProviders);
    case fxt::RecordType::kEvent:
      return event();
    case fxt::RecordType::kBlob:
      return blob();
    case fxt::RecordType::kUserspaceObject:
      return userspace_object();
    case fxt::RecordType::kKernelObject:
      return kernel_object();
    case fxt::RecordType::kScheduling:
      return scheduling();
    case fxt::RecordType::kLog:
      return log();
    case fxt::RecordType::kProfiler:
      return profiler();
    case fxt::RecordType::kLarge:
      return large();
  }
  return fail(CopyVerdict::kUnknown);
}

bool RecordCopier::event() {
  using fxt::Event;
  const auto type = static_cast<fxt::EventType>(Event::Subtype::in(header_));
  if (type > fxt::EventType::kFlowEnd) return fail(CopyVerdict::kUnknown);
  const uint64_t thread = Event::Thread::in(header_);
  uint64_t category = 0;
  uint64_t name = 0;
  if (!map_string(Event::Category::in(header_), category) ||
      !map_string(Event::Name::in(header_), name) || !check_thread(thread))
    return false;
  store(0, with<Event::Name>(with<Event::Category>(header_, category), name));
  if (!time()) return false;
  const uint64_t begin = last_time_;
  if (!inline_thread(thread) || !text(category) || !text(name) ||
      !arguments(Event::ArgumentCount::in(header_)))
    return false;
  if (!Event::has_trailing_word(type)) return true;
  if (type != fxt::EventType::kDurationComplete) return words(1);
  if (!time()) return false;
  return last_time_ >= begin || fail(CopyVerdict::kEndBeforeBegin);
}

bool RecordCopier::blob() {
  using fxt::Blob;
  uint64_t name = 0;
  if (!map_string(Blob::Name::in(header_), name)) return false;
  const uint64_t clean = header_ & ~(Blob::MustBeZero47::kMask | Blob::MustBeZero56::kMask);
  store(0, with<Blob::Name>(clean, name));
  return text(name) && stream(Blob::PayloadBytes::in(header_), false);
}

bool RecordCopier::userspace_object() {
  using Object = fxt::UserspaceObject;
  uint64_t name = 0;
  const uint64_t process = Object::Process::in(header_);
  if (!map_string(Object::Name::in(header_), name) || !check_thread(process)) return false;
  store(0, with<Object::Name>(header_ & ~Object::MustBeZero::kMask, name));
  return words(process == 0 ? 2 : 1) && text(name) && arguments(Object::ArgumentCount::in(header_));
}

bool RecordCopier::kernel_object() {
  using Object = fxt::KernelObject;
  uint64_t name = 0;
  if (!map_string(Object::Name::in(header_), name)) return false;
  store(0, with<Object::Name>(header_ & ~Object::MustBeZero::kMask, name));
  return words(1) && text(name) && arguments(Object::ArgumentCount::in(header_));
}

bool RecordCopier::legacy_context_switch() {
  using Switch = fxt::LegacyContextSwitch;
  const uint64_t outgoing = Switch::OutgoingThread::in(header_);
  const uint64_t incoming = Switch::IncomingThread::in(header_);
  if (!is_state(Switch::OutgoingState::in(header_))) return fail(CopyVerdict::kMalformed);
  if (!check_thread(outgoing) || !check_thread(incoming)) return false;
  store(0, header_);
  return time() && inline_thread(outgoing) && inline_thread(incoming);
}

bool RecordCopier::scheduling() {
  switch (fxt::SchedulingHeader::Subtype::in(header_)) {
    case fxt::SchedulingHeader::kLegacyContextSwitch:
      return legacy_context_switch();
    case fxt::SchedulingHeader::kContextSwitch: {
      using Switch = fxt::ContextSwitch;
      if (Switch::Cpu::in(header_) >= kMaxCpus || !is_state(Switch::OutgoingState::in(header_)))
        return fail(CopyVerdict::kMalformed);
      store(0, header_ & ~Switch::MustBeZero::kMask);
      return time() && words(Switch::kFixedWords - 2) &&
             arguments(Switch::ArgumentCount::in(header_));
    }
    case fxt::SchedulingHeader::kThreadWakeup: {
      using Wakeup = fxt::ThreadWakeup;
      if (Wakeup::Cpu::in(header_) >= kMaxCpus) return fail(CopyVerdict::kMalformed);
      store(0, header_ & ~Wakeup::MustBeZero::kMask);
      return time() && words(Wakeup::kFixedWords - 2) &&
             arguments(Wakeup::ArgumentCount::in(header_));
    }
    default:
      return fail(CopyVerdict::kUnknown);
  }
}

size_t RecordCopier::append_to_wakeup(const ArchiveArgument& argument) {
  using Wakeup = fxt::ThreadWakeup;
  using Header = fxt::ArgumentHeader;
  uint64_t header = load_word(to_, to_order_);
  const size_t count = Wakeup::ArgumentCount::in(header);
  if (count == Wakeup::ArgumentCount::kMax) return 0;
  size_t end = Wakeup::kFixedWords;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t other = load_word(to_ + end * fxt::kWordBytes, to_order_);
    if (Header::Name::in(other) == argument.name.ref().value) return 0;
    end += Header::SizeWords::in(other);
  }
  // Words of a newer writer, behind the arguments, would be read as part of them.
  if (end != limit_ || end + argument.words() > fxt::kMaxRecordWords) return 0;
  at_ = end;
  const uint64_t type_and_name = Header::make(argument.type, argument.words(), argument.name.ref());
  if (argument.type == fxt::ArgumentType::kString) {
    store(at_++, type_and_name | Header::String::of(argument.text.ref().value));
  } else {
    store(at_++, type_and_name);
    store(at_++, argument.value);
  }
  limit_ = at_;
  store(0, with<Wakeup::ArgumentCount>(with<fxt::RecordHeader::SizeWords>(header, at_), count + 1));
  return argument.words();
}

bool RecordCopier::log() {
  using fxt::Log;
  const uint64_t thread = Log::Thread::in(header_);
  if (!check_thread(thread)) return false;
  store(0, header_ & ~(Log::MustBeZero31::kMask | Log::MustBeZero40::kMask));
  return time() && inline_thread(thread) && stream(Log::MessageBytes::in(header_), true);
}

bool RecordCopier::profiler() {
  const uint64_t thread = fxt::ProfilerHeader::Thread::in(header_);
  if (!check_thread(thread)) return false;
  const auto subtype = static_cast<fxt::ProfilerType>(fxt::ProfilerHeader::Subtype::in(header_));
  switch (subtype) {
    case fxt::ProfilerType::kModule:
      using Module = fxt::ProfilerModule;
      store(0, header_ & ~Module::MustBeZero::kMask);
      return time() && inline_thread(thread) && stream(Module::NameBytes::in(header_), true) &&
             stream(Module::BuildIdBytes::in(header_), false);
    case fxt::ProfilerType::kMmap:
      store(0, header_ & ~fxt::ProfilerMmap::MustBeZero::kMask);
      return time() && inline_thread(thread) && words(3);
    case fxt::ProfilerType::kBacktrace:
      using Backtrace = fxt::ProfilerBacktrace;
      store(0, header_ & ~Backtrace::MustBeZero::kMask);
      return time() && inline_thread(thread) && words(Backtrace::FrameCount::in(header_));
  }
  return fail(CopyVerdict::kUnknown);
}

bool RecordCopier::sample() {
  using fxt::SampleRecord;
  using Backtrace = fxt::ProfilerBacktrace;
  const uint64_t thread = SampleRecord::Thread::in(header_);
  const fxt::ThreadRef reference{static_cast<uint8_t>(thread)};
  if (limit_ != SampleRecord::kWords + reference.inline_words())
    return fail(CopyVerdict::kMalformed);
  if (!check_thread(thread)) return false;
  if (!time() || !inline_thread(thread)) return false;
  store(0, Backtrace::make(limit_ + 1, fxt::ProfilerType::kBacktrace, reference) |
               Backtrace::FrameCount::of(1));
  store(at_, SampleRecord::address(header_));
  return true;
}

bool RecordCopier::large() {
  using fxt::LargeBlob;
  // Perfetto steps over large records by 12 bits of their size.
  if (limit_ > fxt::kMaxRecordWords) return fail(CopyVerdict::kMalformed);
  const uint64_t kind = LargeBlob::Format::in(header_);
  if (fxt::LargeRecordHeader::LargeType::in(header_) != LargeBlob::kLargeType ||
      kind > LargeBlob::kFormatBare)
    return fail(CopyVerdict::kUnknown);
  if (limit_ < 2) return fail(CopyVerdict::kMalformed);

  const uint64_t format = load(at_);
  const bool is_event = kind == LargeBlob::kFormatEvent;
  const uint64_t thread = is_event ? LargeBlob::Thread::in(format) : 0;
  uint64_t category = 0;
  uint64_t name = 0;
  if (!map_string(LargeBlob::Category::in(format), category) ||
      !map_string(LargeBlob::Name::in(format), name) || !check_thread(thread))
    return false;
  store(0, header_ & ~LargeBlob::MustBeZero::kMask);
  const uint64_t clean =
      format & ~(is_event ? LargeBlob::EventMustBeZero::kMask : LargeBlob::BareMustBeZero::kMask);
  store(at_++, with<LargeBlob::Name>(with<LargeBlob::Category>(clean, category), name));
  if (!text(category) || !text(name)) return false;
  if (is_event &&
      (!time() || !inline_thread(thread) || !arguments(LargeBlob::ArgumentCount::in(format))))
    return false;
  if (!words(1)) return false;
  const uint64_t payload_bytes = load(at_ - 1);
  if (payload_bytes > (limit_ - at_) * fxt::kWordBytes) return fail(CopyVerdict::kMalformed);
  return stream(payload_bytes, false);
}

}  // namespace barefxt::host
