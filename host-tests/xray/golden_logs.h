// XRay logs written out by hand, byte by byte from the specification (and, where it differs or
// knows less, from what LLVM 19's tools read), and what each must read as.
//
// Invariant: nothing here uses the project's own reader or writer. `|` in the bytes is for people.
#pragma once

#include <string>
#include <string_view>

namespace barefxt::test {

struct GoldenLog {
  std::string_view name;
  std::string_view hex;
  std::string_view text;  // as log_text() in xray_harness.h
};

// One thread, in the form that the writer has, of each version that it is asked for most.
extern const GoldenLog kVersion1;
extern const GoldenLog kVersion3;
extern const GoldenLog kVersion5;
// Logs of other writers.
extern const GoldenLog kVersion2;
extern const GoldenLog kVersion4;
extern const GoldenLog kBigEndian;

inline const GoldenLog* const kGoldenLogs[] = {&kVersion1, &kVersion2, &kVersion3,
                                               &kVersion4, &kVersion5, &kBigEndian};

}  // namespace barefxt::test
