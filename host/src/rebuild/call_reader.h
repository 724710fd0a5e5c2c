// Reads the calls of functions in a ring (fxt/ring_record.h). A call's word relies on earlier
// records of the same segment for all that it omits.
//
// Invariant: a call is returned with its own time and thread, or not at all.
#pragma once

#include <cstdint>
#include <optional>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/host/archive_writer.h>

#include "record_walk.h"

namespace barefxt::host {

struct FunctionCall {
  fxt::CallAction action;
  uint32_t function;                 // as the target identifies functions
  uint64_t ticks;                    // of its CPU's counter
  ArchiveThread thread;              // by the target's index, or by koids
  std::optional<uint64_t> argument;  // the function's first, if an entry holds it
  // of a call in one record, which stands at its end; of its CPU's counter
  std::optional<uint64_t> begin;
};

struct SwitchedThreads {
  ArchiveThread outgoing;  // by the target's index, or by koids; the newer switch has no processes
  ArchiveThread incoming;
  fxt::ThreadState outgoing_state;

  bool outgoing_ended() const {
    return outgoing_state == fxt::ThreadState::kDying || outgoing_state == fxt::ThreadState::kDead;
  }
};
// Nothing where a scheduling record is no switch, or is too short for its threads.
std::optional<SwitchedThreads> threads_of_switch(const RecordView& record, ByteOrder order);

class CallReader {
 public:
  // The next records cannot refer to earlier ones: a new segment, or a gap.
  void begin_anew() { has_base_ = false; }
  // Switches of threads matter to calls that come.
  bool has_base() const { return has_base_; }

  // Takes every record of a ring, in order, if `needs` says so. Returns true if it is a call: then
  // see_call() takes it as well. Hardly any is one, in most traces.
  bool needs(const RecordView& record) const {
    return is_switch_of_call(record) || fxt::CallRecord::is_call(record.header);
  }
  bool sees_call(const RecordView& record, ByteOrder order) {
    if (is_switch_of_call(record)) see_switch(record, order);
    return fxt::CallRecord::is_call(record.header);
  }
  // Nothing where the call refers to missing records.
  std::optional<FunctionCall> see_call(const RecordView& record, ByteOrder order);

 private:
  bool is_switch_of_call(const RecordView& record) const {
    return has_base_ && record.type() == fxt::RecordType::kScheduling;
  }
  void see_switch(const RecordView& record, ByteOrder order);

  bool has_base_ = false;
  uint64_t ticks_ = 0;  // of the last call in the long form
  ArchiveThread thread_;
};

}  // namespace barefxt::host
