// "Log record" (record type 9).

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/fxt/log.h>
#include <barefxt/records.h>

#include "cut_text.h"
#include "record_writer.h"

extern "C" void barefxt_log(const char* message, size_t bytes) {
  using namespace barefxt;
  const uint32_t kept = cut_text(message, bytes, kMaxTextBytes);
  RecordWriter record;
  if (!record.reserve(words_to_bytes(fxt::Log::kFixedWords) + stream_bytes(kept), Owner::kCurrent))
    return;
  record.word(record.ticks());
  record.koids();
  record.stream(message, kept);
  record.commit(fxt::Log::make(record.words(), kept, record.thread()));
}

#endif
