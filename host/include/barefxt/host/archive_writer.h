// Writes an FXT archive, record by record, in either byte order.
//
// Invariants: every record is whole and padded with zeros; a record that would pass the format's
// 4095 words is refused (false, nothing written), never cut. The writer knows the format, not the
// meaning: that a reference is registered before it is used is up to the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/field.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/host/outcome.h>
#include <barefxt/host/words.h>

namespace barefxt::host {

// Where the bytes go.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  [[nodiscard]] virtual Outcome write(std::span<const uint8_t> bytes) = 0;
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
  static ArchiveArgument null(ArchiveText name) { return {name, fxt::ArgumentType::kNull, 0, {}}; }
  static ArchiveArgument int32(ArchiveText name, int32_t value) {
    return {name, fxt::ArgumentType::kInt32, static_cast<uint32_t>(value), {}};
  }
  static ArchiveArgument uint32(ArchiveText name, uint32_t value) {
    return {name, fxt::ArgumentType::kUint32, value, {}};
  }
  static ArchiveArgument int64(ArchiveText name, int64_t value) {
    return {name, fxt::ArgumentType::kInt64, static_cast<uint64_t>(value), {}};
  }
  static ArchiveArgument uint64(ArchiveText name, uint64_t value) {
    return {name, fxt::ArgumentType::kUint64, value, {}};
  }
  static ArchiveArgument real(ArchiveText name, double value);
  static ArchiveArgument string(ArchiveText name, ArchiveText value) {
    return {name, fxt::ArgumentType::kString, 0, value};
  }
  static ArchiveArgument pointer(ArchiveText name, uint64_t value) {
    return {name, fxt::ArgumentType::kPointer, value, {}};
  }
  static ArchiveArgument koid(ArchiveText name, uint64_t value) {
    return {name, fxt::ArgumentType::kKoid, value, {}};
  }
  static ArchiveArgument boolean(ArchiveText name, bool value) {
    return {name, fxt::ArgumentType::kBool, value ? 1u : 0u, {}};
  }

  ArchiveText name;
  fxt::ArgumentType type;
  uint64_t value;    // the bits, but for strings
  ArchiveText text;  // of strings
};

struct ArchiveEvent {
  fxt::EventType type = fxt::EventType::kInstant;
  uint64_t timestamp = 0;
  ArchiveThread thread = {};
  ArchiveText category;
  ArchiveText name;
  // Counter id, end timestamp or correlation id, for the types that have one.
  uint64_t trailing_word = 0;
};

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
  [[nodiscard]] bool kernel_object(uint64_t koid, fxt::KernelObjectType type, ArchiveText name,
                                   std::span<const ArchiveArgument> arguments);
  [[nodiscard]] bool event(const ArchiveEvent& event, std::span<const ArchiveArgument> arguments);

  // A record that the caller makes itself: room for `words` of it, to be filled in this writer's
  // byte order, and how many of them have become a record (0: none).
  uint8_t* open_record(size_t words);
  void close_record(size_t words) { used_ += words * fxt::kWordBytes; }

  ByteOrder byte_order() const { return order_; }
  uint64_t bytes() const { return written_ + used_; }

  // Hands everything to the sink. The first failure there is stays: nothing is written after it.
  [[nodiscard]] Outcome flush();
  bool failed() const { return failure_.has_value(); }

 private:
  class Record;

  void drain();
  bool append(const Record& record);

  ByteSink& sink_;
  ByteOrder order_;
  Outcome failure_;
  uint64_t written_ = 0;
  size_t used_ = 0;
  std::vector<uint8_t> buffer_;
  std::vector<uint8_t> scratch_;
};

}  // namespace barefxt::host
