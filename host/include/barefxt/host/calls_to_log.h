// Makes an XRay log of the calls of functions in an archive (durations of the category `function`)
// and of XRay's events (instants of the category `xray`, as xray_to_fxt writes them). XrayLog then
// reads it, thread by thread in the order of time. Events at one time stay in the order of the
// archive. Complete durations come when they end, the inner ones of those that end together first:
// they begin before what they hold, and end after it.
//
// Use: see every record; finish(); then log(), which lives as long as this.
//
// Names identify functions; a map of the program's instrumented functions has their ids. Functions
// that share a name get the id of the first.
#pragma once

#include <cstdint>
#include <memory>

#include <barefxt/host/instrumentation_map.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

class CallsToLog {
 public:
  explicit CallsToLog(const InstrumentationMap& map);
  ~CallsToLog();
  CallsToLog(const CallsToLog&) = delete;
  CallsToLog& operator=(const CallsToLog&) = delete;

  void see(const Record& record, const ProviderState& state);
  Status finish();
  bool failed() const;

  Bytes log() const;
  // Memory of the log before this offset can be used otherwise; it is read again where it is
  // needed.
  void release_before(uint64_t offset);
  uint64_t calls() const;
  uint64_t events() const;
  // Left out.
  uint64_t unknown_functions() const;  // not in the map
  // Counts begins and ends of calls, events and switches of threads beyond 65,536.
  uint64_t crowded_out() const;
  uint64_t other_clocks() const;  // of another rate than the first one's

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace barefxt::host
