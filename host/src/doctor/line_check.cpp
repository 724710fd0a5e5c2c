// Inputs in which there is no frame: what is there instead.
#include <algorithm>
#include <array>
#include <cstring>

#include <barefxt/fxt/metadata.h>

#include "checks.h"

namespace barefxt::host {
namespace {

bool is_archive(std::span<const uint8_t> beginning) {
  static constexpr size_t kBytes = fxt::kWordBytes;
  if (beginning.size() < kBytes) return false;
  const uint64_t magic = fxt::MagicNumber::make();
  return load_word(beginning.data(), ByteOrder::kLittle) == magic ||
         load_word(beginning.data(), ByteOrder::kBig) == magic;
}

bool is_mostly_text(const LineSurvey& survey) {
  return survey.text_bytes() >= survey.bytes() - survey.bytes() / 20;
}

void say_text(const LineFacts& line, Diagnoses& diagnoses) {
  if (line.found.damaged != 0)
    diagnoses.add(
        "frames-missing", line.name,
        formatted("{} with `{}`, all of them broken", counted(line.found.damaged, "line"),
                  wire::kTextPrefix),
        "let nothing else print while the trace is dumped, or take a lock around each "
        "write of it; and let the terminal program neither wrap lines nor drop characters");
  else
    diagnoses.add(
        "text-only", line.name,
        counted(line.survey.bytes(), "byte") + " of console text, and no frame in it",
        "is barefxt_dump called, after barefxt_stop (before it, nothing is sent), does it "
        "return BAREFXT_OK, and does its writer send to this line? An image that dies at its first "
        "switch, without a message, has stacks that are too small for the hooks");
}

void say_garbage(const LineFacts& line, Diagnoses& diagnoses) {
  const LineSurvey& survey = line.survey;
  const std::string what = counted(survey.bytes(), "byte") + ", neither frames nor text";
  static constexpr uint64_t kEnough = 256;
  if (const unsigned group = survey.turned_groups(); group != 0) {
    diagnoses.add(
        "byte-order", line.name,
        "there are frames in it once each " + counted(group, "byte") + " are turned round",
        "save the bytes as they lie in memory, one by one: the debugger or the transport took them "
        "for numbers of that size");
  } else if (survey.bytes() >= kEnough && survey.high_bytes() == 0) {
    diagnoses.add("garbage", line.name, what + ", and none with its highest bit set",
                  "let the line have 8 data bits and no parity, or dump as text "
                  "(BAREFXT_DUMP_TEXT)");
  } else {
    diagnoses.add("garbage", line.name, what,
                  "is the line's speed that of the target's UART (and its clock what the target "
                  "takes it for), with 8 data bits, no parity, one stop bit? A console that "
                  "cannot be read either says so");
  }
}

}  // namespace

void check_line(const LineFacts& line, Diagnoses& diagnoses) {
  if (line.found.other_version != 0)
    diagnoses.add("other-version", line.name,
                  formatted("{} of wire format version {}",
                            counted(line.found.other_version, "frame"), line.found.example_version),
                  "use the barefxt that the target was built with");
  if (line.found.refused.error != 0)
    diagnoses.add("start-refused", line.name, describe(line.found.refused),
                  hint_for(line.found.refused.error));
  if (line.has_captures || line.found.other_version != 0 || line.found.refused.error != 0) return;
  if (line.survey.bytes() == 0)
    diagnoses.add("nothing-arrived", line.name, "not a single byte",
                  "is this the right port or file, is the target running, and does it send "
                  "anything there at all? Let it print a line first");
  else if (is_archive(line.survey.beginning()))
    diagnoses.add("archive", line.name, "this is an FXT archive, not what a target sent",
                  "give doctor the capture that it was made from; for archives use `barefxt lint`");
  else if (is_mostly_text(line.survey))
    say_text(line, diagnoses);
  else
    say_garbage(line, diagnoses);
}

}  // namespace barefxt::host
