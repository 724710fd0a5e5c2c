// Perfetto's own trace processor as a reader of archives and of what is made of them: the program
// that BAREFXT_TRACE_PROCESSOR names, where it names one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "build_kind.h"

namespace barefxt::test {

using Table = std::vector<std::vector<std::string>>;

class TraceProcessor {
 public:
  // Null where the environment names none.
  static const char* program();

  // Runs queries on a trace; each gives a table. Query texts by `hex`, as the program does not
  // quote them; hex("") is "".
  static std::vector<Table> ask(const std::string& trace, const std::vector<std::string>& queries);
};

// The forms in which Perfetto gets an archive.
enum class As : uint8_t { kFxt, kFxtWithLogs, kPerfetto };
inline constexpr As kAllForms[] = {As::kFxt, As::kFxtWithLogs, As::kPerfetto};

std::string form_of(const std::string& archive, As as);
// For messages, behind the archive's.
const char* name_of(As as);

// Simulated and damaged traces are judged for seeds from 1 to this.
inline unsigned last_seed() { return is_full_run() ? 30 : 3; }

// The text's form from `hex`.
std::string hex(const std::string& text);

}  // namespace barefxt::test
