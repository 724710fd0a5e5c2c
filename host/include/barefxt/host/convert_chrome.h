// An archive as Chrome's trace event JSON, which chrome://tracing and Perfetto open.
//
// Streamed: an event goes out when its record is read. Only flow events wait, for the end of the
// enclosing duration, and the slices of the running threads; both are bounded.
// docs/reference/conversions.md shows the result for each record.
#pragma once

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/converter.h>

namespace barefxt::host {

class ChromeConverter : public Converter {
 public:
  explicit ChromeConverter(ByteSink& sink);
};

}  // namespace barefxt::host
