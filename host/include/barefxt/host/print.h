// Records as text: JSON lines for programs, aligned lines for people.
#pragma once

#include <unordered_map>

#include <barefxt/host/output.h>
#include <barefxt/host/reader.h>

namespace barefxt::host {

// One JSON object and a newline. With `raw`, the record's bytes too.
void print_json(Output& out, const Record& record, bool raw);

// Remembers what the kernel objects are called, to show names for koids.
class HumanPrinter {
 public:
  HumanPrinter(Output& out, bool raw) : out_(out), raw_(raw) {}
  void print(const Record& record, const ProviderState& state);

 private:
  struct Line;
  void learn(const Record& record);
  std::string_view name_of(std::uint64_t koid) const;

  // Names are views into the archive. Beyond so many koids the rest go without a name.
  static constexpr std::size_t kMostNames = std::size_t{1} << 20;
  Output& out_;
  bool raw_;
  std::unordered_map<std::uint64_t, std::string_view> names_;
};

// Names as print and others show them; empty where a number has no name.
std::string_view event_name(fxt::EventType type);
std::string_view thread_state_name(unsigned state);
std::string_view argument_type_name(fxt::ArgumentType type);
std::string_view record_name(std::size_t content_index);  // an index of Content's alternatives
inline std::string_view record_name(const Record& record) {
  return record_name(record.content.index());
}

}  // namespace barefxt::host
