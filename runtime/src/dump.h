// Sending a trace as frames, whichever trace it is.
#pragma once

#include "frame_writer.h"
#include "trace.h"

namespace barefxt {

// Whether the image has that form of a dump.
constexpr bool has_form(barefxt_dump_form form) {
  return (is_text(form) ? kDumpsText : kDumpsBinary) && (kDumpsCoded || !is_coded(form));
}

void send_dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form);

}  // namespace barefxt
