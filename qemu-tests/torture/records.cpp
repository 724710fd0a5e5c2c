// Writes the records of a torture.
#include "torture/records.h"

#include <barefxt/ring.h>

namespace barefxt::torture {
namespace {

// Returns true if more than one record of this size was reserved between two positions.
bool is_more_than_one(PositionWord before, PositionWord after, uint32_t bytes) {
  if (Position::is_closed(before) || Position::is_closed(after)) return false;
  const PositionWord segments =
      (after >> Position::kOffsetBits) - (before >> Position::kOffsetBits);
  if (segments == 0) return after - before > bytes;
  return segments > 1 || (after & Position::kSegmentMask) > kSegmentHeaderBytes + bytes;
}

}  // namespace

void write(Writer& writer) {
  const uint32_t cpu = barefxt_port_cpu();
  const Ring& ring = this_ring();
  const PositionWord position = ring.position.load_relaxed();
  const uint32_t number = writer.attempted++;
  const uint64_t identity = static_cast<uint64_t>(writer.number) << 32 | number;
  const uint64_t begun = barefxt_ticks();
  const uint32_t check = check_word(identity, begun);
  if (has_text(number)) {
    char text[kMaxTextBytes + 1];
    for (char& letter : text) letter = text_letter(check);
    BAREFXT_INSTANT(torture, "torture", BAREFXT_ARG_U64("identity", identity),
                    BAREFXT_ARG_U64("begun", begun), BAREFXT_ARG_U32("check", check),
                    BAREFXT_ARG_STRING("text", text, text_bytes(check)));
  } else if (number % 8 == 3) {
    BAREFXT_EVENT(torture, BAREFXT_EVENT_INSTANT, BAREFXT_THIS_CPU, BAREFXT_TEXT("torture"), 0,
                  BAREFXT_ARG_U64("identity", identity), BAREFXT_ARG_U64("begun", begun),
                  BAREFXT_ARG_U32("check", check));
  } else {
    BAREFXT_INSTANT(torture, "torture", BAREFXT_ARG_U64("identity", identity),
                    BAREFXT_ARG_U64("begun", begun), BAREFXT_ARG_U32("check", check));
  }
  // With room for koids that stand inline, and for the longest text.
  const uint32_t most = kMinBytes + 16 + (has_text(number) ? kMaxTextBytes + 16 : 0);
  if (is_more_than_one(position, ring.position.load_relaxed(), most)) ++writer.contended;
  if (barefxt_port_cpu() != cpu) ++writer.migrated;
}

}  // namespace barefxt::torture
