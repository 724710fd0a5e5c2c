// Text of XML, as reports for CI are made of.
#pragma once

#include <string_view>

#include <barefxt/host/output.h>

namespace barefxt::host {

// For an attribute or the text of an element; what XML cannot hold becomes a question mark:
// control characters, U+FFFE and U+FFFF.
void xml(Output& out, std::string_view bytes);
// The same of lines, whose ends stay.
void xml_lines(Output& out, std::string_view text);

}  // namespace barefxt::host
