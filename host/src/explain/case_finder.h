// A history that also keeps the longest intervals of the kinds that are asked for.
//
// Invariant: memory is bounded by ExplainOptions::kMaxCases and the number of threads.
#pragma once

#include <array>
#include <unordered_map>

#include <barefxt/host/explain.h>

#include "history.h"

namespace barefxt::host {

struct Subject;

class CaseFinder final : public History {
 public:
  struct Found {
    CaseKind kind;
    Extent when;
    uint64_t thread;
    std::optional<unsigned> cpu;
    std::optional<ProbeName> label;
    uint32_t object = 0;
    uint64_t first_thread = 0;  // of a flow
    unsigned budget_line = 0;   // that it violates
  };

  explicit CaseFinder(const ExplainOptions& options);

  void begin(const Statistics& statistics, bool to_nanoseconds) override;
  void know(const Names& names) override;
  void ran(unsigned cpu, uint64_t thread, const Extent& when) override;
  void thread_time(uint64_t thread, ThreadTime what, const Extent& when) override;
  void ran_late(uint64_t thread, unsigned cpu, const Extent& when) override;
  void lasted(uint64_t thread, const ProbeName& label, const Extent& when, uint64_t begin_offset,
              bool whole) override;
  void waited(uint64_t thread, uint32_t object, const Extent& when) override;
  void flowed(uint32_t label, uint64_t first_thread, uint64_t last_thread, const Extent& when,
              bool whole) override;

  // The longest first, and of equals the first. With a budget, line after line.
  std::vector<Found> take();
  uint64_t looked_at() const { return looked_at_; }
  // Why nothing was looked at.
  const Status& status() const { return status_; }

 private:
  // The longest of one line of a budget, of one kind, or of all.
  struct Longest {
    const BudgetLine* line;
    std::optional<CaseKind> kind;
    uint64_t longer_than;     // only these violate the line
    std::vector<Found> heap;  // the shortest first
  };

  bool wants(CaseKind kind) const { return wants_[static_cast<size_t>(kind)]; }
  void want(CaseKind kind) { wants_[static_cast<size_t>(kind)] = true; }
  void want_without_budget();
  bool is_of_thread(uint64_t koid);
  bool is_of_lock(uint32_t object);
  bool is_selected(const Found& found) const;
  bool is_long_enough(const Longest& longest, const Found& found) const;
  Subject subject_of(const Found& found) const;
  void add(Found found);
  void keep(Longest& longest, Found found) const;
  void add_around(Found found);
  void end_off(uint64_t thread, uint64_t end);

  const ExplainOptions& options_;
  const Statistics* trace_ = nullptr;
  const Names* names_ = nullptr;
  Status status_;
  Stretch stretch_;
  std::optional<uint64_t> at_;
  std::array<bool, kCaseKinds> wants_{};
  std::unordered_map<uint64_t, bool> of_thread_;
  std::vector<uint8_t> of_lock_;  // by object: 0 not known, 1 no, 2 yes
  struct Off {
    uint64_t begin;
    uint64_t end;
  };
  std::unordered_map<uint64_t, Off> off_;  // threads that do not run, since when
  std::vector<Longest> longest_;
  size_t most_;  // of each
  uint64_t looked_at_ = 0;
};

}  // namespace barefxt::host
