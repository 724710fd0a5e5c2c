// Escapes.
#include "xml.h"

#include <algorithm>
#include <string>

#include <barefxt/host/json.h>

namespace barefxt::host {

void xml(Output& out, std::string_view bytes) {
  const std::string text = valid_utf8(bytes);
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const std::string_view three = std::string_view(text).substr(at, 3);
    if (three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf") {
      out.character('?');
      at += 2;
    } else if (c == '&') {
      out.text("&amp;");
    } else if (c == '<') {
      out.text("&lt;");
    } else if (c == '>') {
      out.text("&gt;");
    } else if (c == '"') {
      out.text("&quot;");
    } else {
      out.character(c >= 0 && c < ' ' ? '?' : c);
    }
  }
}

void xml_lines(Output& out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    xml(out, text.substr(0, end));
    out.character('\n');
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace barefxt::host
