// Converters share this behind their public classes: RecordConverter for all, and for formats of
// other tools TimedConverter, which sends each kind of record to its function, counts those without
// a place, and knows times and threads.
#pragma once

#include <optional>

#include <barefxt/fxt/metadata.h>
#include <barefxt/host/converter.h>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"
#include "full_buffers.h"
#include "shown_values.h"

namespace barefxt::host {

class RecordConverter {
 public:
  RecordConverter() = default;
  RecordConverter(const RecordConverter&) = delete;
  RecordConverter& operator=(const RecordConverter&) = delete;
  virtual ~RecordConverter() = default;

  virtual void see(const Record& record, const ProviderState& state) = 0;
  virtual Status finish() = 0;
  virtual bool failed() const = 0;
  const ChangeCounts& changes() const { return changes_; }

 protected:
  ChangeCounts changes_;
  const ProviderState* state_ = nullptr;
};

class TimedConverter : public RecordConverter {
 public:
  void see(const Record& record, const ProviderState& state) override;
  Status finish() final;
  bool failed() const override { return !status_.ok(); }

 protected:
  // In nanoseconds. Formats hold 63 bits, so later records are left out.
  std::optional<uint64_t> time(uint64_t ticks);
  // The same for the record that is being written, whose time records without one take.
  std::optional<uint64_t> happens_at(uint64_t ticks);
  // Threads without a registration: made from their number, which is counted.
  uint64_t koid_of(const ThreadId& id);
  static uint64_t process_of(const ThreadId& id) {
    return id.registered ? id.process : kUnknownThreadsProcess;
  }

  virtual void write(const ProviderEvent& event);
  virtual void write(const Event& event) = 0;  // known, no end before its begin
  virtual void write(const UserspaceObject&) { changes_.add(Change::kNoPlaceInFormat); }
  virtual void write(const KernelObject& object) = 0;
  virtual void write(const LegacyContextSwitch& change) = 0;
  virtual void write(const ContextSwitch& change) = 0;
  virtual void write(const ThreadWakeup& wakeup) = 0;
  virtual void write(const Log& log) = 0;
  virtual void write(const ProfilerModule&) { changes_.add(Change::kNoPlaceInFormat); }
  virtual void write(const ProfilerBacktrace&) { changes_.add(Change::kNoPlaceInFormat); }
  // Called before each record is written.
  virtual void write_ahead_of(const Record&) {}
  virtual void write_full_buffer(uint32_t, Nanoseconds) {}
  virtual Status end() = 0;  // what finish() does last

  Status status_;
  uint64_t offset_ = 0;
  uint64_t provider_ = kNoProvider;
  std::optional<Nanoseconds> latest_time_;

 private:
  struct Dispatch;
  void settle(uint32_t provider, std::optional<uint64_t> ticks);

  FullBuffers full_buffers_;
};

}  // namespace barefxt::host
