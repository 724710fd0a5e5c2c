// An archive as a trace in the Common Trace Format 1.8, which babeltrace2, Trace Compass and others
// read: a folder with its description in the file `metadata` and all events in the file `stream`.
//
// The format requires order of time, so events are sorted, in a temporary file if they are many.
// docs/reference/conversions.md shows the result for each record.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <barefxt/host/convert.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

class CtfConverter {
 public:
  // Appends to a file of the folder.
  using Append = std::function<Status(const std::string& file, std::string_view bytes)>;
  explicit CtfConverter(Append append);
  ~CtfConverter();
  CtfConverter(const CtfConverter&) = delete;
  CtfConverter& operator=(const CtfConverter&) = delete;

  static constexpr const char* kMetadataFile = "metadata";
  static constexpr const char* kStreamFile = "stream";

  // The archive's records, one after another, and the state that applies to each.
  void see(const Record& record, const ProviderState& state);
  Status finish();
  // Something failed, so converting more is useless; finish() returns the error.
  bool failed() const;
  const ChangeCounts& changes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace barefxt::host
