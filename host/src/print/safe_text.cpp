#include <array>

#include <barefxt/host/safe_text.h>

#include "utf8_sequence.h"

namespace barefxt::host {

std::string safe_text(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequence_at(bytes.substr(at));
    if (!sequence.valid) {
      text += kReplacement;
    } else if (drives_terminals(sequence.code)) {
      std::array<char, kEscapeBytes> escape{};
      text.append(escape.data(), write_escape(escape.data(), sequence.code));
    } else {
      text += bytes.substr(at, sequence.bytes);
    }
    at += sequence.bytes;
  }
  return text;
}

}  // namespace barefxt::host
