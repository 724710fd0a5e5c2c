// Sending a trace as frames, whichever trace it is.
#pragma once

#include "frame_writer.h"
#include "trace.h"

namespace barefxt {

void send_dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form);

}  // namespace barefxt
