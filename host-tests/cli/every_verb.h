// An archive put through everything that reads archives: for tests and fuzzers that ask of it only
// to survive, and to account for every byte.
#pragma once

#include <string>

#include <barefxt/host/reader.h>

namespace barefxt::test {

// Print in both forms, lint, stats and convert in all forms. Returns what was wrong with it: a gap
// or an overlap between records; empty where nothing was.
std::string use_everything(host::Bytes archive, host::Form form);

// In the form that is guessed.
inline std::string use_everything(host::Bytes archive) {
  return use_everything(archive, host::guess_form(archive).form);
}

}  // namespace barefxt::test
