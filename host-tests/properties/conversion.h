// What must hold of every conversion, whatever the archive was.
#pragma once

#include <nlohmann/json.hpp>

#include "converting.h"
#include "plain_decoder.h"

namespace barefxt::test {

// Values that the format can hold, and that say what happened.
inline bool is_of_the_input(const std::string& problem) {
  return problem.find("an unknown thread state") != std::string::npos ||
         problem.find("a CPU number that Perfetto gives up at") != std::string::npos;
}

// What the converted archives break of the promises made for them; empty where nothing.
inline std::string broken_promise(const std::string& archive, host::FormWish wish = {}) {
  for (const host::ByteOrder order : {host::ByteOrder::kLittle, host::ByteOrder::kBig}) {
    const Converted once = to_fxt(archive, order, wish);
    const PlainArchive plain = decode_plainly(once.archive());
    for (const std::string& problem : plain.problems)
      if (!is_of_the_input(problem)) return problem;
    if (plain.extended != 0) return "a record longer than known";
    if (to_fxt(once.bytes, order).bytes != once.bytes) return "another archive the second time";
  }
  return nlohmann::json::accept(to_chrome(archive, wish).bytes) ? "" : "Chrome's file is no JSON";
}

}  // namespace barefxt::test
