// One record of an archive as a typed view: its fields by the specification, with references
// resolved as far as possible.
//
// Invariants: a view points into the archive and into the reader's tables, and lives until the
// reader moves on. Nothing in it was allocated for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include <barefxt/fxt/blob.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/host/argument.h>
#include <barefxt/host/words.h>

namespace barefxt::host {

// The 2017 dialect numbers its events differently and knows fewer records.
enum class Dialect : uint8_t { kToday, k2017 };

// Why a place in an archive cannot be read as a record.
enum class Fault : uint8_t {
  kNone,
  kPartialWord,
  kZeroSize,
  kBeyondEnd,
  kTooShort,
  kStringBeyondRecord,
  kArgumentBeyondRecord,
  kArgumentTooShort,
  kPayloadBeyondRecord,
  kBadMagic,
  kImplausible,
  kUnwritten,
};
std::string_view describe(Fault fault);

struct MagicNumber {};
struct ProviderInfo {
  uint32_t id;
  std::string_view name;
};
struct ProviderSection {
  uint32_t id;
};
struct ProviderEvent {
  uint32_t id;
  unsigned event;
};
struct Initialization {
  uint64_t ticks_per_second;
};
struct StringRegistration {
  unsigned index;
  std::string_view value;
};
struct ThreadRegistration {
  unsigned index;
  uint64_t process;
  uint64_t thread;
};
struct Event {
  fxt::EventType type;  // today's numbers in either dialect; may be a number without a name
  uint64_t timestamp;
  ThreadId thread;
  Text category;
  Text name;
  Arguments arguments;
  uint64_t trailing;  // counter id, end timestamp, correlation id or scope
  bool has_scope;     // an instant that carries one

  bool is_known() const { return type <= fxt::EventType::kFlowEnd; }
};
struct Blob {
  Text name;
  unsigned type;
  std::string_view payload;
};
struct UserspaceObject {
  uint64_t pointer;
  ThreadId process;  // its thread is ignored
  Text name;
  Arguments arguments;
};
struct KernelObject {
  uint64_t koid;
  unsigned object_type;
  Text name;
  Arguments arguments;
};
struct LegacyContextSwitch {
  uint64_t timestamp;
  unsigned cpu;
  unsigned outgoing_state;
  ThreadId outgoing;
  ThreadId incoming;
  unsigned outgoing_priority;
  unsigned incoming_priority;
};
struct ContextSwitch {
  uint64_t timestamp;
  unsigned cpu;
  unsigned outgoing_state;
  uint64_t outgoing;
  uint64_t incoming;
  Arguments arguments;
};
struct ThreadWakeup {
  uint64_t timestamp;
  unsigned cpu;
  uint64_t thread;
  Arguments arguments;
};
struct Log {
  uint64_t timestamp;
  ThreadId thread;
  std::string_view message;
};
struct LargeBlob {
  unsigned format;
  Text category;
  Text name;
  uint64_t timestamp;  // format 0, like the two below
  ThreadId thread;
  Arguments arguments;
  std::string_view payload;
};
struct ProfilerModule {
  uint64_t timestamp;
  ThreadId thread;
  unsigned module;
  std::string_view name;
  std::string_view build_id;
};
struct ProfilerMmap {
  uint64_t timestamp;
  ThreadId thread;
  unsigned module;
  unsigned flags;
  uint64_t start;
  uint64_t range;
  uint64_t vaddr;
};
struct ProfilerBacktrace {
  uint64_t timestamp;
  ThreadId thread;
  Words frames;
};
struct Unknown {
  unsigned type;
  std::optional<unsigned> subtype;  // where the type has one
};
struct Malformed {
  Fault fault;
};

using Content =
    std::variant<MagicNumber, ProviderInfo, ProviderSection, ProviderEvent, Initialization,
                 StringRegistration, ThreadRegistration, Event, Blob, UserspaceObject, KernelObject,
                 LegacyContextSwitch, ContextSwitch, ThreadWakeup, Log, LargeBlob, ProfilerModule,
                 ProfilerMmap, ProfilerBacktrace, Unknown, Malformed>;

// The key of records without a provider: beyond all ids.
inline constexpr uint64_t kNoProvider = uint64_t{1} << 32;

struct Record {
  uint64_t offset = 0;
  std::string_view raw;              // the record's bytes, header included
  Word header = 0;                   // not meaningful where malformed
  std::optional<uint32_t> provider;  // the current one, or the one that the record names
  uint64_t extra_words = 0;          // beyond the known content
  Content content;

  uint64_t words() const { return raw.size() / fxt::kWordBytes; }
  bool is_malformed() const { return std::holds_alternative<Malformed>(content); }
};

// The timestamp of a record that has one.
std::optional<uint64_t> timestamp_of(const Record& record);

}  // namespace barefxt::host
