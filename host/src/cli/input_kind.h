// Names files that hold no trace of barefxt: programs, captures of networks, traces of others,
// text. For messages: decided by the first bytes, and only what people take for a trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <barefxt/host/source.h>

namespace barefxt::cli {

struct InputKind {
  const char* name;      // "a capture of a network (PCAP)"
  const char* hint;      // what to do with it; may be empty
  bool is_text = false;  // without a format: it may be what a console printed
};

// Nothing: it may be an archive without its beginning.
std::optional<InputKind> kind_of(host::Bytes bytes);
// The same for a folder of another's trace; nothing for anything else.
std::optional<InputKind> kind_of_folder(const std::string& path);

// Prints a message, and returns the exit status for that.
int say_kind(const std::string& name, const InputKind& kind, std::string_view packed_by = {});

}  // namespace barefxt::cli
