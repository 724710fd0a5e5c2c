// Frames: whether all came over the line, up to the end.
#include "checks.h"

namespace barefxt::host {
namespace {

// Recognizes what terminal drivers do to bytes, by the values that occur and those that do not.
std::string why_damaged(const LineSurvey& survey) {
  static constexpr uint64_t kEnough = uint64_t{16} << 10;
  static constexpr uint64_t kFewFeeds = 16;
  const bool is_binary = survey.text_bytes() < survey.bytes() / 2;
  if (!is_binary || survey.bytes() < kEnough)
    return "look for a receiver that is too slow, a buffer that is too small, and other output "
           "that is mixed into the frames; take a slower line with flow control, or a lock";
  if (survey.high_bytes() == 0) return "let the line have 8 data bits: no byte has its highest bit";
  if (survey.count('\n') >= kFewFeeds && survey.returned_feeds() == survey.count('\n'))
    return "ahead of each line feed stands a carriage return: switch the translation off on both "
           "sides (stty raw), or dump as text";
  if (survey.count('\r') == 0)
    return "no byte is a carriage return: switch the translation of them off (stty raw), or dump "
           "as text";
  if (survey.count(0x11) == 0 && survey.count(0x13) == 0)
    return "the bytes 0x11 and 0x13 never come: switch flow control by XON and XOFF off (stty "
           "raw), "
           "or dump as text";
  return "the receiver may be too slow for the line, or its buffer too small: use `barefxt "
         "capture`, a slower line, or hardware flow control; and mix no other output into frames";
}

}  // namespace

void check_frames(const CaptureFacts& facts, Diagnoses& diagnoses) {
  const CaptureContent& capture = facts.capture;
  const CaptureFindings& found = capture.findings();
  uint64_t records = found.contradicting_records;
  for (const RingSurvey& ring : facts.rings) records += ring.line_lost_records;
  const bool is_damaged = found.missing != 0 || found.unreadable != 0 || found.conflicting != 0 ||
                          found.contradicting_pieces != 0 || records != 0;
  if (is_damaged) {
    std::string what = counted(found.missing, "frame") + " missing";
    if (facts.line.found.damaged != 0)
      what += ", " + counted(facts.line.found.damaged, "damaged frame") + " in the input";
    if (found.unreadable != 0) what += ", " + counted(found.unreadable, "frame") + " unreadable";
    if (found.conflicting + found.contradicting_pieces != 0)
      what += ", " + counted(found.conflicting + found.contradicting_pieces, "frame") +
              " at odds with others";
    if (records != 0) what += ", and with them " + counted(records, "record");
    diagnoses.add("frames-missing", facts.name, what, why_damaged(facts.line.survey));
  }
  if (capture.assumed_boot() == 2)
    diagnoses.add(
        "captures-alike", facts.name,
        "an earlier capture has the same id and start: they are taken for those of two boots",
        "give each boot something of its own: define barefxt_port_entropy, set "
        "barefxt_config's `wall_clock_ns`, or keep memory with BAREFXT_RETAINED");
  if (capture.has_end()) return;
  const auto& hello = capture.hello();
  const bool is_stream = hello && hello->mode == wire::Mode::kStreaming;
  diagnoses.add(
      "no-end", facts.name, hello ? "its end is missing" : "its begin and its end are missing",
      is_stream
          ? "call barefxt_stop, then barefxt_drain until barefxt_drain_is_over, and capture "
            "until the end has come"
          : "capture until the dump is over (`barefxt capture` waits for it), and let nothing "
            "reset or stop the target in the middle of it: a watchdog, a power saver");
}

}  // namespace barefxt::host
