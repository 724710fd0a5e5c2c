// Perfetto's own trace processor as a reader of archives and of what is made of them: the program
// that BAREFXT_TRACE_PROCESSOR names, where it names one.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

// The text's form from `hex`.
std::string hex(const std::string& text);

}  // namespace barefxt::test
