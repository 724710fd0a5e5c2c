// An archive as a trace in the Common Trace Format 1.8, which babeltrace2, Trace Compass and others
// read: a folder with its description in the file `metadata` and all events in the file `stream`.
//
// The format requires order of time, so events are sorted, in a temporary file if they are many.
// docs/reference/conversions.md shows the result for each record.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <barefxt/host/converter.h>

namespace barefxt::host {

class CtfConverter : public Converter {
 public:
  // Appends to a file of the folder.
  using Append = std::function<Status(const std::string& file, std::string_view bytes)>;
  explicit CtfConverter(Append append);

  static constexpr const char* kMetadataFile = "metadata";
  static constexpr const char* kStreamFile = "stream";
};

}  // namespace barefxt::host
