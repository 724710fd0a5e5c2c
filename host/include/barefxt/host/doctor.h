// Diagnoses the integration that a capture comes from, for `barefxt doctor`.
//
// Use: feed inputs as into a Rebuild, then call examine(). Each diagnosis names a check, a place,
// an observation and a hint. docs/how-to/troubleshooting.md explains each check.
//
// Invariants: memory is bounded for any input, and each check speaks at most once for a place (an
// input, a capture, a CPU). A capture of a sound integration has no diagnosis; records that a
// flight recorder overwrote are none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <barefxt/host/rebuild.h>

namespace barefxt::host {

struct DoctorCheck {
  std::string_view name;  // stable: scripts filter by it
  std::string_view text;  // one line for the documentation
};

// Every check there is, sorted by name.
std::span<const DoctorCheck> doctor_checks();

struct Diagnosis {
  const DoctorCheck* check = nullptr;
  std::string where;
  std::string what;
  std::string hint;
};

// Collects the findings of the checks.
class Diagnoses {
 public:
  using Sink = std::function<void(const Diagnosis&)>;

  explicit Diagnoses(Sink sink) : sink_(std::move(sink)) {}
  void add(std::string_view check, std::string where, std::string what, std::string hint);
  uint64_t count() const { return count_; }

 private:
  Sink sink_;
  uint64_t count_ = 0;
};

class LineSurvey;

class Doctor {
 public:
  // `say` gets Rebuild's messages about inputs, one line each.
  Doctor(Rebuild::Report say, Diagnoses::Sink sink);
  ~Doctor();

  // Inputs are what an ITM sent.
  void read_itm(ItmForm form);
  // One input: any number of feed(), then end_input() with the input's name for people.
  Status feed(std::span<const uint8_t> bytes);
  Status end_input(const std::string& name);
  // For images of memory, which are put into it directly.
  Rebuild& memory() { return inputs_; }

  // True if any frame came in, or an image of memory.
  bool has_frames() const;

  // Looks at everything that came in; once. An Error means a temporary file.
  Status examine();

  static constexpr size_t kMaxShown = 1024;

  uint64_t diagnoses() const { return diagnoses_.count(); }
  // Returns one line per capture, up to kMaxShown: what the doctor examined.
  std::span<const std::string> captures() const { return captures_; }
  uint64_t more_captures() const { return more_captures_; }

 private:
  Diagnoses diagnoses_;
  Rebuild inputs_;
  std::unique_ptr<LineSurvey> line_;
  std::string line_name_;  // of all inputs, for people
  uint64_t fed_inputs_ = 0;
  bool is_itm_ = false;
  std::vector<std::string> captures_;
  uint64_t more_captures_ = 0;
};

}  // namespace barefxt::host
