// A capture rebuilt, and the promises about what comes out, whatever went in.
#pragma once

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
}

}  // namespace barefxt::test
