// Rebuilds a capture and checks the promises that hold for any input. The doctor must survive it,
// and must have a finding if nothing can be rebuilt.
#pragma once

#include <barefxt/host/doctor.h>
#include <barefxt/host/interrupt_names.h>

#include "archive/memory_sink.h"
#include "fuzzing.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test {

// Names change what is called how, and no more.
inline void name_interrupts_or_die(const Bytes& capture) {
  static const auto names =
      host::InterruptNames::parse("16 timer\n37 UART0\n40 the radio\n", "list");
  host::Rebuild rebuild([](const std::string&) {});
  rebuild.name_interrupts(names.value());
  MemorySink sink;
  if (!rebuild.feed(capture).ok() || !rebuild.end_input("input").ok())
    die_of("no room for a temporary file");
  if (!rebuild.write(sink, host::ByteOrder::kLittle).ok()) die_of("no room for a temporary file");
  if (!sink.bytes().empty()) die_of(decode_plainly(sink.bytes()).problem_text());
}

// Fed at once and in small pieces, which must come to the same.
inline void rebuild_or_die(const Bytes& capture) {
  const Rebuilt whole = rebuild(capture);
  if (whole.verdict == host::RebuildVerdict::kNothing) {
    if (!whole.archive.empty()) die_of("an archive of nothing");
  } else {
    die_of(decode_plainly(whole.archive).problem_text());
  }
  const Rebuilt pieces = rebuild(std::vector<Bytes>{capture}, 61);
  if (pieces.archive != whole.archive) die_of("another archive when it is fed in pieces");
  name_interrupts_or_die(capture);

  host::Doctor doctor([](const std::string&) {}, [](const host::Diagnosis&) {});
  if (!doctor.feed(capture).ok() || !doctor.end_input("input").ok() || !doctor.examine().ok())
    die_of("no room for a temporary file");
  if (whole.verdict == host::RebuildVerdict::kNothing && doctor.diagnoses() == 0)
    die_of("nothing can be rebuilt, and the doctor has nothing to say");
  if ((whole.verdict == host::RebuildVerdict::kNothing) != doctor.captures().empty())
    die_of("the doctor sees other captures than rebuild");
}

}  // namespace barefxt::test
