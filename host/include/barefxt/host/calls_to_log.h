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
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <barefxt/host/instrumentation_map.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/spilling_sorter.h>
#include <barefxt/host/spooled_array.h>
#include <barefxt/host/xray_writer.h>

namespace barefxt::host {

class CallsToLog {
 public:
  explicit CallsToLog(const InstrumentationMap& map);

  void see(const Record& record, const ProviderState& state);
  Status finish();
  bool failed() const { return !status_.ok(); }

  Bytes log() const { return {log_.data(), log_.size()}; }
  // Memory of the log before this offset can be used otherwise; it is read again where it is
  // needed.
  void release_before(uint64_t offset);
  uint64_t calls() const { return calls_; }
  uint64_t events() const { return events_; }
  // Left out.
  uint64_t unknown_functions() const { return unknown_functions_; }  // not in the map
  // Counts begins and ends of calls, events and switches of threads beyond kMostThreads.
  uint64_t crowded_out() const { return crowded_out_; }
  uint64_t other_clocks() const { return other_clocks_; }  // of another rate than the first one's

 private:
  class Spool final : public ByteSink {
   public:
    Status write(std::span<const uint8_t> bytes) override;
    const uint8_t* data() const { return bytes_.data(); }
    size_t size() const { return bytes_.size(); }
    void release_memory() { bytes_.release_memory(); }

   private:
    static constexpr size_t kReleaseBytes = size_t{4} << 20;

    SpooledBytes bytes_;
    size_t written_ = 0;  // since memory was released
  };
  static constexpr size_t kLongestRun = size_t{1} << 16;

  // Half a call, or an event.
  struct Moment {
    uint64_t tsc;
    // The order at one time: ends of complete calls, single begins and ends, begins of complete
    // calls, then calls that last no time.
    enum Phase : uint8_t { kEnd, kHalf, kBegin, kBoth };
    uint64_t first_order;
    uint64_t second_order;
    uint64_t bytes_at;  // arguments, or payload
    uint32_t bytes;
    uint32_t function;  // or the event's type
    int32_t process;
    int32_t thread;
    uint16_t cpu;
    Phase phase;
    XrayKind kind;
  };
  // An event without a payload, which may follow.
  struct Incomplete {
    Moment moment;
    std::string name;
  };
  struct MomentBefore {
    bool operator()(const Moment& x, const Moment& y) const {
      return std::tie(x.process, x.thread, x.tsc, x.phase, x.first_order, x.second_order) <
             std::tie(y.process, y.thread, y.tsc, y.phase, y.first_order, y.second_order);
    }
  };
  static constexpr size_t kSortedInMemory = size_t{1} << 16;

  void see_call(const Event& event, const ProviderState& state);
  void see_event(const Event& event, const ProviderState& state);
  // Takes a payload blob that the incomplete event waits for; returns false for other records.
  bool see_payload(Incomplete& event, const Record& record);
  bool has_clock_of(const ProviderState& state, uint64_t left_out);
  Moment moment_of(const Event& event);
  void keep(std::span<const uint8_t> bytes, Moment& moment);
  void add_complete(Moment moment, uint64_t begin, uint64_t end);
  void add(const Moment& moment);
  void write(const Moment& moment);
  int32_t number_of(uint64_t koid);
  void keep_arguments(const Event& event, Moment& moment);
  void write_run();

  const InstrumentationMap& map_;
  std::unordered_map<size_t, uint32_t> ids_;  // by the hash of a name: names may be long
  Spool log_;
  uint64_t released_ = 0;  // of the log, up to where it was read then
  std::optional<XrayWriter> writer_;
  uint64_t ticks_per_second_ = 0;
  std::vector<XrayRecord> run_;  // of one thread, not yet written
  SpillingSorter<Moment, MomentBefore> moments_{{.elements = kSortedInMemory}};
  uint64_t halves_ = 0;
  Spool bytes_;  // payloads, and arguments as a log has them: a call's one behind the other
  std::optional<Incomplete> incomplete_;
  void come_in(uint64_t thread, unsigned cpu);
  bool has_room_for(const ThreadId& thread, uint64_t left_out);

  static constexpr size_t kMostThreads = 65536;
  // By koid of a thread: the CPU that it last came in on.
  std::unordered_map<uint64_t, uint16_t> cpus_;
  std::map<uint64_t, int32_t> numbers_;  // of koids that do not fit
  uint64_t calls_ = 0;
  uint64_t events_ = 0;
  uint64_t unknown_functions_ = 0;
  uint64_t other_clocks_ = 0;
  uint64_t crowded_out_ = 0;
  Status status_;
};

}  // namespace barefxt::host
