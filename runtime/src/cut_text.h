// Text that is longer than what holds it, cut between two characters, and how often that happened.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/utf8.h>

namespace barefxt {

// Cuts since the image started: names of threads, text in records, and lists (call stacks, build
// ids, arguments). The stop report and the end of a dump in frames have the number.
extern Atomic<uint32_t> texts_cut;

inline void count_cut() { texts_cut.fetch_add_relaxed(1); }

// How many bytes of the text are kept. Context: any.
BAREFXT_ONE_COPY_ inline uint32_t cut_text(const char* text, size_t bytes, uint32_t limit) {
  const uint32_t kept = cut_utf8(text, bytes, limit);
  if (kept != bytes) count_cut();
  return kept;
}

}  // namespace barefxt
