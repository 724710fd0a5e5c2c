// Text from a trace, made safe to show to people.
#pragma once

#include <string>
#include <string_view>

namespace barefxt::host {

// Returns one line of valid UTF-8 that a terminal only displays. Controls (C0, DEL, C1), marks of
// text direction and line ends become escapes as in JSON; broken sequences become U+FFFD.
std::string safe_text(std::string_view bytes);

}  // namespace barefxt::host
