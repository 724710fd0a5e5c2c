// Writes an FXT archive, record by record, in either byte order: every record of the format.
//
// Invariants: every record is whole and padded with zeros, its reserved bits are zero; a record
// that would pass the format's 4095 words or 15 arguments is refused (false, nothing written),
// never cut. Records are put together where they go out from, and payloads of large blobs go
// straight to the sink, so memory is the buffer's. The writer knows the format, not the meaning:
// that a reference is registered before it is used is up to the caller (archive_provider.h sees to
// it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/blob.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/field.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/host/status.h>
#include <barefxt/host/words.h>

namespace barefxt::host {

// Receives an archive's bytes.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::span<const uint8_t> bytes) = 0;
};

// A string as a record names it: by its index in the string table, or spelled out in the record.
class ArchiveText {
 public:
  ArchiveText() = default;
  static ArchiveText indexed(unsigned index) {
    return ArchiveText(fxt::StringRef::index(index), {});
  }
  // Cut at the format's 32000 bytes, between two characters.
  static ArchiveText spelled_out(std::string_view text);

  fxt::StringRef ref() const { return ref_; }
  std::string_view inline_text() const { return inline_text_; }

 private:
  ArchiveText(fxt::StringRef ref, std::string_view inline_text)
      : ref_(ref), inline_text_(inline_text) {}

  fxt::StringRef ref_;
  std::string_view inline_text_;
};

// A thread as a record names it: by its index in the thread table, or by its koids.
struct ArchiveThread {
  uint8_t index = 0;  // 0: by koids
  uint64_t process = 0;
  uint64_t thread = 0;
};

struct ArchiveArgument {
  static ArchiveArgument null(ArchiveText name) { return plain(name, fxt::ArgumentType::kNull, 0); }
  static ArchiveArgument int32(ArchiveText name, int32_t value) {
    return plain(name, fxt::ArgumentType::kInt32, static_cast<uint32_t>(value));
  }
  static ArchiveArgument uint32(ArchiveText name, uint32_t value) {
    return plain(name, fxt::ArgumentType::kUint32, value);
  }
  static ArchiveArgument int64(ArchiveText name, int64_t value) {
    return plain(name, fxt::ArgumentType::kInt64, static_cast<uint64_t>(value));
  }
  static ArchiveArgument uint64(ArchiveText name, uint64_t value) {
    return plain(name, fxt::ArgumentType::kUint64, value);
  }
  static ArchiveArgument real(ArchiveText name, double value);
  static ArchiveArgument string(ArchiveText name, ArchiveText value) {
    return {name, fxt::ArgumentType::kString, 0, value, {}};
  }
  static ArchiveArgument pointer(ArchiveText name, uint64_t value) {
    return plain(name, fxt::ArgumentType::kPointer, value);
  }
  static ArchiveArgument koid(ArchiveText name, uint64_t value) {
    return plain(name, fxt::ArgumentType::kKoid, value);
  }
  static ArchiveArgument boolean(ArchiveText name, bool value) {
    return plain(name, fxt::ArgumentType::kBool, value ? 1u : 0u);
  }
  static ArchiveArgument blob(ArchiveText name, std::string_view bytes) {
    return {name, fxt::ArgumentType::kBlob, 0, {}, bytes};
  }
  // An argument of a numeric type; `bits` is its value.
  static ArchiveArgument plain(ArchiveText name, fxt::ArgumentType type, uint64_t bits) {
    return {name, type, bits, {}, {}};
  }

  // Its size in an archive.
  size_t words() const;

  ArchiveText name;
  fxt::ArgumentType type;
  uint64_t value;               // the bits, but for strings and blobs
  ArchiveText text;             // of strings
  std::string_view blob_bytes;  // of blobs
};

// Initializers that do nothing: GCC wants them where a designated initialization leaves members
// out. NOLINTBEGIN(readability-redundant-member-init)
struct ArchiveEvent {
  fxt::EventType type = fxt::EventType::kInstant;
  uint64_t timestamp = 0;
  ArchiveThread thread = {};
  ArchiveText category = {};
  ArchiveText name = {};
  // Counter id, end timestamp or correlation id, for the types that have one. (An instant has
  // none: the scope that some writers append is documented nowhere.)
  uint64_t trailing_word = 0;
};

struct ArchiveLegacyContextSwitch {
  uint64_t timestamp = 0;
  uint8_t cpu = 0;
  fxt::ThreadState outgoing_state = fxt::ThreadState::kNew;
  ArchiveThread outgoing = {};
  ArchiveThread incoming = {};
  uint8_t outgoing_priority = 0;
  uint8_t incoming_priority = 0;
};

struct ArchiveContextSwitch {
  uint64_t timestamp = 0;
  uint16_t cpu = 0;
  fxt::ThreadState outgoing_state = fxt::ThreadState::kNew;
  uint64_t outgoing = 0;  // koids of threads
  uint64_t incoming = 0;
};

struct ArchiveThreadWakeup {
  uint64_t timestamp = 0;
  uint16_t cpu = 0;
  uint64_t thread = 0;  // its koid
};

struct ArchiveLargeBlob {
  ArchiveText category = {};
  ArchiveText name = {};
  // Format 0 has these too, and arguments; format 1 has none of it.
  bool is_event = false;
  uint64_t timestamp = 0;
  ArchiveThread thread = {};
};

// NOLINTEND(readability-redundant-member-init)

struct ArchiveProfilerModule {
  uint64_t timestamp = 0;
  ArchiveThread thread = {};
  uint16_t module = 0;
  std::string_view name;      // cut at 255 bytes, between two characters
  std::string_view build_id;  // 255 bytes at most
};

struct ArchiveProfilerMmap {
  uint64_t timestamp = 0;
  ArchiveThread thread = {};
  uint16_t module = 0;
  uint8_t flags = 0;  // 3 bits
  uint64_t start = 0;
  uint64_t range = 0;
  uint64_t vaddr = 0;
};

struct ArchiveProfilerBacktrace {
  uint64_t timestamp = 0;
  ArchiveThread thread = {};
  std::span<const uint64_t> frames;  // 255 at most
};

using ArchiveArguments = std::span<const ArchiveArgument>;

class ArchiveWriter {
 public:
  ArchiveWriter(ByteSink& sink, ByteOrder order);

  void magic_number();
  // The name is cut at 255 bytes, between two characters.
  void provider_info(uint32_t provider, std::string_view name);
  void provider_section(uint32_t provider);
  void provider_event(uint32_t provider, unsigned event);
  void initialization(uint64_t ticks_per_second);
  // The text is cut at 32000 bytes, between two characters.
  void string(unsigned index, std::string_view text);
  void thread(unsigned index, uint64_t process, uint64_t thread);

  [[nodiscard]] bool event(const ArchiveEvent& event, ArchiveArguments arguments);
  // As many records as the payload takes; one where it is empty.
  void blob(ArchiveText name, fxt::BlobType type, std::string_view payload);
  [[nodiscard]] bool userspace_object(uint64_t pointer, const ArchiveThread& process,
                                      ArchiveText name, ArchiveArguments arguments);
  [[nodiscard]] bool kernel_object(uint64_t koid, fxt::KernelObjectType type, ArchiveText name,
                                   ArchiveArguments arguments);
  void legacy_context_switch(const ArchiveLegacyContextSwitch& change);
  [[nodiscard]] bool context_switch(const ArchiveContextSwitch& change, ArchiveArguments arguments);
  [[nodiscard]] bool thread_wakeup(const ArchiveThreadWakeup& wakeup, ArchiveArguments arguments);
  // The message is cut at 32000 bytes, between two characters.
  void log(uint64_t timestamp, const ArchiveThread& thread, std::string_view message);
  [[nodiscard]] bool profiler_module(const ArchiveProfilerModule& module);
  void profiler_mmap(const ArchiveProfilerMmap& map);
  [[nodiscard]] bool profiler_backtrace(const ArchiveProfilerBacktrace& backtrace);

  // A large record, of up to 2^32-1 words. Mind that not all readers step over one of 4096 words or
  // more: Perfetto reads its payload as records.
  [[nodiscard]] bool large_blob(const ArchiveLargeBlob& blob, ArchiveArguments arguments,
                                std::string_view payload);
  // The same with a payload that comes in pieces, `payload_bytes` in all. Bytes missing when the
  // next record begins become zeros; bytes beyond the size are ignored.
  [[nodiscard]] bool open_large_blob(const ArchiveLargeBlob& blob, ArchiveArguments arguments,
                                     uint64_t payload_bytes);
  void large_blob_payload(std::string_view piece);

  // A record that the caller makes itself: room for `words` of it, to be filled in this writer's
  // byte order, and how many of them have become a record (0: none).
  uint8_t* open_record(size_t words) {
    const size_t bytes = words * fxt::kWordBytes;
    if (payload_left_ != 0 || room_ - used_ < bytes) make_room(bytes);
    return buffer_.get() + used_;
  }
  void close_record(size_t words) { used_ += words * fxt::kWordBytes; }
  // The same for several records that make room for `words` at least.
  std::span<uint8_t> open_records(size_t words) {
    uint8_t* const at = open_record(words);
    return {at, room_ - used_};
  }

  ByteOrder byte_order() const { return order_; }
  // The provider whose records these are: named last by a provider info or section record.
  std::optional<uint32_t> provider() const { return provider_; }
  uint64_t bytes() const { return written_ + used_; }

  // Hands everything to the sink. The first failure there is stays: nothing is written after it.
  Status flush();
  bool failed() const { return !status_.ok(); }

 private:
  void make_room(size_t bytes);
  void drain();
  void send(std::span<const uint8_t> bytes);
  void end_payload();
  void pad_payload(uint64_t zeros);

  ByteSink& sink_;
  ByteOrder order_;
  Status status_;
  uint64_t written_ = 0;
  size_t used_ = 0;
  uint64_t payload_left_ = 0;  // of an open large blob
  unsigned payload_padding_ = 0;
  std::optional<uint32_t> provider_;
  // Not cleared: a short archive touches few of its pages.
  std::unique_ptr<uint8_t[]> buffer_;
  size_t room_;
};

}  // namespace barefxt::host
