// Walks archives as a reader does that leaves nothing out.
#pragma once

#include <barefxt/host/reader.h>

#include "sample_archive.h"

namespace barefxt::test {

// Consumes everything that a record holds, resolved, so that nothing of the work can be left out.
// With `kLetters`, it touches the text, too.
template <bool kLetters>
class Summing {
 public:
  const Sums& sums() const { return sums_; }

  template <typename View>
  [[gnu::always_inline]] void see(const View& view) {
    ++sums_.records;
    add(view);
  }

 private:
  [[gnu::always_inline]] void add(const host::Event& event) {
    sums_.times += event.timestamp;
    sums_.koids += event.thread.process + event.thread.thread;
    text(event.category.bytes);
    text(event.name.bytes);
    sums_.values += event.trailing;
    add(event.arguments);
  }
  [[gnu::always_inline]] void add(const host::LegacyContextSwitch& change) {
    sums_.times += change.timestamp;
    sums_.koids += change.outgoing.process + change.outgoing.thread + change.incoming.process +
                   change.incoming.thread;
  }
  [[gnu::always_inline]] void add(const host::ThreadWakeup& wakeup) {
    sums_.times += wakeup.timestamp;
    sums_.koids += wakeup.thread;
    add(wakeup.arguments);
  }
  void add(const host::KernelObject& object) {
    sums_.koids += object.koid;
    text(object.name.bytes);
    add(object.arguments);
  }
  void add(const host::StringRegistration& string) { text(string.value); }
  void add(const host::ThreadRegistration& thread) {
    sums_.koids += thread.process + thread.thread;
  }
  void add(const host::Initialization& initialization) {
    sums_.values += initialization.ticks_per_second;
  }
  template <typename Other>
  void add(const Other&) {}

  [[gnu::always_inline]] void add(const host::Arguments& all) {
    sums_.arguments += all.size();
    for (const host::Argument& argument : all) {
      text(argument.name.bytes);
      text(argument.string.bytes);  // empty where it is none
      // Sums instead of branches, which would be this program's time and not the reader's.
      const bool is_koid = argument.type == fxt::ArgumentType::kKoid;
      const bool is_string = argument.type == fxt::ArgumentType::kString;
      sums_.koids += argument.bits & (host::Word{0} - is_koid);
      sums_.values += argument.bits & (host::Word{0} - !(is_koid | is_string));
    }
  }
  [[gnu::always_inline]] void text(std::string_view bytes) {
    sums_.text += bytes.size();
    if constexpr (kLetters) sums_.add_letter(bytes);
  }

  Sums sums_;
};

template <bool kLetters>
Sums walk(host::Bytes bytes, host::Form form = {}) {
  host::Reader reader(bytes, form);
  Summing<kLetters> summing;
  reader.walk([&](const auto& view, const host::Place&)
                  __attribute__((always_inline)) { summing.see(view); });
  return summing.sums();
}

inline host::Bytes bytes_of(const std::string& archive) {
  return {reinterpret_cast<const uint8_t*>(archive.data()), archive.size()};
}

}  // namespace barefxt::test
