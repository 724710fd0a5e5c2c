// The checks that the doctor is made of, by what they look at. Each puts what it found into
// `diagnoses`; none depends on another.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/doctor.h>

#include "../rebuild/capture_content.h"
#include "../rebuild/former_threads.h"
#include "line_survey.h"
#include "ring_survey.h"

namespace barefxt::host {

// The bytes of the line, apart from any capture.
struct LineFacts {
  std::string name;  // of the inputs
  const LineSurvey& survey;
  const InputFindings& found;
  bool has_captures = false;
};
void check_line(const LineFacts& line, Diagnoses& diagnoses);

// A capture, and its rings gone through.
struct CaptureFacts {
  const CaptureContent& capture;
  const FormerOwners& owners;
  std::string name;  // "capture 0x0badcafe"
  std::vector<RingSurvey> rings;
  const LineFacts& line;

  std::string cpu(const RingSurvey& ring) const { return formatted("{}, cpu {}", name, ring.cpu); }
  uint64_t records() const {
    uint64_t sum = 0;
    for (const RingSurvey& ring : rings) sum += ring.records;
    return sum;
  }
};
void check_frames(const CaptureFacts& facts, Diagnoses& diagnoses);      // that are missing
void check_cpus(const CaptureFacts& facts, Diagnoses& diagnoses);        // that record, or do not
void check_clocks(const CaptureFacts& facts, Diagnoses& diagnoses);      // their rate and steps
void check_switches(const CaptureFacts& facts, Diagnoses& diagnoses);    // how they chain
void check_interrupts(const CaptureFacts& facts, Diagnoses& diagnoses);  // how they nest
void check_names(const CaptureFacts& facts, Diagnoses& diagnoses);       // of threads, and texts
void check_room(const CaptureFacts& facts, Diagnoses& diagnoses);        // in the rings

}  // namespace barefxt::host
