// Surveys one CPU's records once, in the order of its ring, for the checks.
//
// A stretch is a run of records in which none is missing. Durations that are open at its edges
// prove nothing.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "../rebuild/capture_content.h"
#include "../rebuild/former_threads.h"
#include "clock_survey.h"
#include "interrupt_survey.h"
#include "switch_survey.h"

namespace barefxt::host {

// The threads and objects that the records of a ring name.
struct NameSurvey {
  static constexpr size_t kMaxKoids = 4096;  // more are not distinguished

  std::bitset<256> indices;            // of threads
  std::set<uint64_t> koids;            // of threads named by koid
  std::set<uint64_t> described_koids;  // of objects whose names are in the ring
  uint64_t unregistered = 0;           // records whose thread has the koid 0
  uint64_t missing_strings = 0;        // categories and names of events that are not in the table
};

struct RingSurvey {
  uint16_t cpu = 0;
  uint64_t records = 0;
  uint64_t bytes = 0;  // of records that came, in the ring's form
  uint64_t largest_bytes = 0;
  uint64_t lost_records = 0;  // for want of room, as the target counted
  uint64_t lost_bytes = 0;
  uint64_t line_lost_records = 0;
  bool line_lost_unknown = false;
  uint64_t recorded_bytes = 0;  // sent in all, whether they came or not
  uint32_t unfinished_records = 0;
  // One that has a ring drops nothing before it is full.
  bool has_no_ring() const { return lost_records != 0 && recorded_bytes == 0; }
  ClockSurvey clock;
  SwitchSurvey switches;
  InterruptSurvey interrupts;
  NameSurvey names;
};

// `owners`: of the capture.
RingSurvey survey_ring(const CaptureContent& capture, const Ring& ring,
                       std::span<const OwnerChange> owners);

}  // namespace barefxt::host
