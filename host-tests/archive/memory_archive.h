// Archives that tests write in memory, a record a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/archive_writer.h>

#include "memory_sink.h"

namespace barefxt::test {

class MemoryArchive : private MemorySink, public host::ArchiveWriter {
 public:
  // Begins with the magic number, and with the clock's rate where that is not 0.
  explicit MemoryArchive(uint64_t ticks_per_second = 0)
      : ArchiveWriter(static_cast<MemorySink&>(*this), host::ByteOrder::kLittle) {
    magic_number();
    if (ticks_per_second != 0) initialization(ticks_per_second);
  }

  // All that was written.
  const std::vector<uint8_t>& written() {
    (void)flush();
    return MemorySink::bytes();
  }
  std::string text() { return {written().begin(), written().end()}; }
};

inline host::ArchiveText text(std::string_view spelled_out) {
  return host::ArchiveText::spelled_out(spelled_out);
}

inline void name_thread(host::ArchiveWriter& writer, uint64_t koid, uint64_t process,
                        std::string_view name) {
  const auto argument = host::ArchiveArgument::koid(text("process"), process);
  (void)writer.kernel_object(koid, fxt::KernelObjectType::kThread, text(name), {&argument, 1});
}

inline bool add_event(host::ArchiveWriter& writer, fxt::EventType type, uint64_t time,
                      const host::ArchiveThread& thread, std::string_view category,
                      std::string_view name, uint64_t trailing = 0,
                      host::ArchiveArguments arguments = {}) {
  return writer.event({.type = type,
                       .timestamp = time,
                       .thread = thread,
                       .category = text(category),
                       .name = text(name),
                       .trailing_word = trailing},
                      arguments);
}

struct SwitchSide {
  uint64_t process;
  uint64_t thread;
  uint8_t priority;
};

inline void add_switch(host::ArchiveWriter& writer, uint64_t time, unsigned cpu,
                       const SwitchSide& out, fxt::ThreadState state, const SwitchSide& in) {
  writer.legacy_context_switch({.timestamp = time,
                                .cpu = static_cast<uint8_t>(cpu),
                                .outgoing_state = state,
                                .outgoing = {0, out.process, out.thread},
                                .incoming = {0, in.process, in.thread},
                                .outgoing_priority = out.priority,
                                .incoming_priority = in.priority});
}

}  // namespace barefxt::test
