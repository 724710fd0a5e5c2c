// Records as text: JSON lines for programs, aligned lines for people.
#pragma once

#include <barefxt/host/output.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/referents.h>

namespace barefxt::host {

// One JSON object and a newline. With `raw`, the record's bytes too.
void print_json(Output& out, const Record& record, bool raw);

// Remembers what objects are called, to show names for koids and pointers.
class HumanPrinter {
 public:
  HumanPrinter(Output& out, bool raw) : out_(out), raw_(raw) {}
  void print(const Record& record, const ProviderState& state);
  // Remembers what a record that is not printed names.
  void pass(const Record& record) { referents_.learn(record); }
  const Referents& referents() const { return referents_; }

 private:
  struct Line;

  Output& out_;
  bool raw_;
  Referents referents_;
};

// Names as print and others show them; empty where a number has no name.
std::string_view event_name(fxt::EventType type);
std::string_view thread_state_name(unsigned state);
std::string_view argument_type_name(fxt::ArgumentType type);
std::string_view record_name(size_t content_index);  // an index of Content's alternatives
inline std::string_view record_name(const Record& record) {
  return record_name(record.content.index());
}

}  // namespace barefxt::host
