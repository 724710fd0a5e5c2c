// Frames that records depend on, in a row: hello, clocks, strings, threads.
#pragma once

#include <barefxt/fxt/reference.h>
#include <barefxt/utf8.h>

#include "string_table.h"
#include "trace_frames.h"

namespace barefxt {

// A string longer than the usual payload takes a frame of its own.
inline size_t string_limit(uint32_t index) {
  constexpr size_t kMaxStringPayload = wire::Strings::kEntries + 2 + fxt::kMaxStringBytes;
  const bool is_long =
      index <= string_count() && text_bytes(string_text(index)) > wire::kPreferredPayloadBytes - 4;
  return is_long ? kMaxStringPayload : wire::kPreferredPayloadBytes;
}

inline void send_tables(TraceFrames& frames, uint8_t flags) {
  frames.hello(flags);
  for (uint32_t cpu = 0; cpu < frames.clocks_sent();)
    cpu = frames.clocks(flags, cpu, wire::kPreferredPayloadBytes);
  for (uint32_t index = 1; index != 0;) index = frames.strings(flags, index, string_limit(index));
  for (uint32_t entry = 0; entry < kThreadEntries;)
    entry = frames.threads(flags, entry, wire::kPreferredPayloadBytes);
}

}  // namespace barefxt
