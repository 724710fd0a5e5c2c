// Promises that every conversion keeps for any archive.
#pragma once

#include <nlohmann/json.hpp>

#include "convert/converting.h"
#include "reader/plain_decoder.h"

namespace barefxt::test {

// Problems of the input's content, not of its form.
inline bool is_of_the_input(const std::string& problem) {
  return problem.find("an unknown thread state") != std::string::npos ||
         problem.find("a CPU number that Perfetto gives up at") != std::string::npos;
}

inline bool is_damaged(const std::string& archive, host::FormOverrides overrides) {
  host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive), overrides).form);
  while (reader.next() != nullptr) {
  }
  return reader.malformed_places() != 0;
}

// Returns the promise that the converted archives break; empty if there is none.
inline std::string broken_promise(const std::string& archive, host::FormOverrides overrides = {}) {
  for (const host::ByteOrder order : {host::ByteOrder::kLittle, host::ByteOrder::kBig}) {
    const Converted once = to_fxt(archive, order, overrides);
    const PlainArchive plain = decode_plainly(once.archive());
    for (const std::string& problem : plain.problems)
      if (!is_of_the_input(problem)) return problem;
    if (plain.extended != 0) return "a record longer than known";
    // If damage was left out, the second conversion may name wakers that the first could not.
    const std::string twice = to_fxt(once.bytes, order).bytes;
    if (twice != once.bytes && !is_damaged(archive, overrides))
      return "another archive the second time";
    if (to_fxt(twice, order).bytes != twice) return "another archive the third time";
  }
  return nlohmann::json::accept(to_chrome(archive, overrides).bytes) ? ""
                                                                     : "Chrome's file is no JSON";
}

}  // namespace barefxt::test
