// An archive as Chrome's trace event JSON, which chrome://tracing and Perfetto open.
//
// Streamed: an event goes out when its record is read. Only flow events wait, for the end of the
// enclosing duration, and the slices of the running threads; both are bounded.
// docs/reference/conversions.md shows the result for each record.
#pragma once

#include <memory>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/convert.h>
#include <barefxt/host/reader.h>

namespace barefxt::host {

class ChromeConverter {
 public:
  explicit ChromeConverter(ByteSink& sink);
  ~ChromeConverter();
  ChromeConverter(const ChromeConverter&) = delete;
  ChromeConverter& operator=(const ChromeConverter&) = delete;

  // The archive's records, one after another, and the state that applies to each.
  void see(const Record& record, const ProviderState& state);
  Status finish();
  // The sink has failed, so converting more is useless.
  bool failed() const;
  const ChangeCounts& changes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace barefxt::host
