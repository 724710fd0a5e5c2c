// XRay logs as other files: a log that LLVM's tools accept, an archive.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/instrumentation_map.h>
#include <barefxt/host/xray_log.h>

namespace barefxt::host {

// Counts of repairs, and of calls and events missing from the output.
struct XrayChanges {
  XrayRepairs repairs;
  uint64_t renumbered_threads = 0;
  uint64_t nameless_functions = 0;  // calls of functions without a name
  // Missing.
  uint64_t left_out_events = 0;
  uint64_t left_out_arguments = 0;

  bool lost() const { return left_out_events > 0 || left_out_arguments > 0; }
  // A line for each.
  void say(const std::function<void(const std::string&)>& say) const;
};

// A log of the version, in the form that XrayWriter describes.
Result<XrayChanges> xray_to_fdr(const XrayLog& log, unsigned version, ByteSink& sink);

// An archive of all threads in the order of time: calls are duration begin and end of the category
// `function`, events instants of the category `xray`. Without a map functions are function#ID.
Result<XrayChanges> xray_to_fxt(const XrayLog& log, const InstrumentationMap* map, ByteSink& sink,
                                ByteOrder order);

}  // namespace barefxt::host
