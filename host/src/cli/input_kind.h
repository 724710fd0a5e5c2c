// Names files that hold no trace of barefxt: programs, captures of networks, traces of others,
// text. For messages: decided by the first bytes, and only what people take for a trace.
#pragma once

#include <optional>
#include <string>

#include <barefxt/host/source.h>

namespace barefxt::cli {

struct InputKind {
  const char* name;  // "a capture of a network (PCAP)"
  const char* hint;  // what to do with it; may be empty
};

// Nothing: it may be an archive without its beginning.
std::optional<InputKind> kind_of(host::Bytes bytes);
// The same for a folder of another's trace; nothing for anything else.
std::optional<InputKind> kind_of_folder(const std::string& path);

}  // namespace barefxt::cli
