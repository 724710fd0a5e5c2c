// Sending a trace as frames, whichever trace it is.
#pragma once

#include "trace.h"

namespace barefxt {

// Whether the image has that form of a dump.
constexpr bool has_form(barefxt_dump_form form) {
  return form == BAREFXT_DUMP_TEXT ? kDumpsText : kDumpsBinary;
}

void send_dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form);

}  // namespace barefxt
