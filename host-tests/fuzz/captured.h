// Rebuilds a capture and checks the promises that hold for any input. The doctor must survive it,
// and must have a finding if nothing can be rebuilt.
#pragma once

#include <barefxt/host/doctor.h>

#include "fuzzing.h"
#include "rebuild_harness.h"

namespace barefxt::test {

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

  host::Doctor doctor([](const std::string&) {}, [](const host::Diagnosis&) {});
  if (doctor.feed(capture) || doctor.end_input("input") || doctor.examine())
    die_of("no room for a temporary file");
  if (whole.verdict == host::RebuildVerdict::kNothing && doctor.diagnoses() == 0)
    die_of("nothing can be rebuilt, and the doctor has nothing to say");
  if ((whole.verdict == host::RebuildVerdict::kNothing) != doctor.captures().empty())
    die_of("the doctor sees other captures than rebuild");
}

}  // namespace barefxt::test
