// Sending a trace as frames, whichever trace it is.
#pragma once

#include "trace.h"

namespace barefxt {

// Whether the image has that form of a dump.
constexpr bool has_form(barefxt_dump_form form) {
  const bool text = form == BAREFXT_DUMP_TEXT || form == BAREFXT_DUMP_TEXT_CODED;
  const bool coded = form == BAREFXT_DUMP_BINARY_CODED || form == BAREFXT_DUMP_TEXT_CODED;
  return (text ? kDumpsText : kDumpsBinary) && (kDumpsCoded || !coded);
}

void send_dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form);

}  // namespace barefxt
