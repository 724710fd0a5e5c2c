// The choice by the options --from, --to, --thread, --cpu, --category and --name, with one meaning
// for all verbs: docs/reference/selection.md.
//
// Invariant: every option that is given must hold for what is kept. One of the texts or numbers of
// an option is enough. A record without the property that an option is about is not kept.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/reader.h>

namespace barefxt::host {

// A time in a trace, as the user gives it.
struct TimeBound {
  bool in_ticks = true;
  double value = 0;  // else nanoseconds

  uint64_t ticks(uint64_t ticks_per_second) const;
  // The whole ticks in it: a length is longer than it if and only if it is longer than these.
  uint64_t whole_ticks(uint64_t ticks_per_second) const;
};

// Text with `*` for any text.
bool matches(std::string_view pattern, std::string_view text);

// Null and empty lists choose all.
struct Selection {
  std::optional<TimeBound> from = {};
  std::optional<TimeBound> to = {};
  std::vector<std::string> threads = {};  // names, with `*` for any text, or koids
  std::vector<unsigned> cpus = {};
  std::vector<std::string> categories = {};  // with `*` for any text
  std::vector<std::string> names = {};       // of events; the same

  bool has_thread(uint64_t koid, std::string_view name) const;
  bool has_cpu(unsigned cpu) const;
  bool has_label(std::string_view category, std::string_view name) const;
  bool is_by_label() const { return !categories.empty() || !names.empty(); }
  bool is_all() const { return !from && !to && threads.empty() && cpus.empty() && !is_by_label(); }
};

// The stretch of time in the unit of an archive.
struct Stretch {
  uint64_t from = 0;
  uint64_t to = ~uint64_t{0};

  bool has(uint64_t time) const { return from <= time && time <= to; }
};

// Fails if it ends before it begins. `file` is for the message.
Result<Stretch> stretch_of(const Selection& selection, uint64_t ticks_per_second,
                           const std::string& file);

// Decides for each record of an archive. Reads the archive once at the beginning, for names and the
// unit of time, unless all is chosen.
class RecordFilter {
 public:
  // Fails if the stretch ends before it begins.
  static Result<RecordFilter> make(const Selection& selection, Source& source, Form form);

  bool keeps_all() const { return known_ == nullptr; }
  bool keeps(const Record& record, const ProviderState& provider);
  // The same but for time.
  bool keeps_at_any_time(const Record& record);
  // When a record counts: a complete duration by its end. Null: it has no time.
  std::optional<uint64_t> time_of(const Record& record, const ProviderState& provider) const;
  const Stretch& stretch() const { return stretch_; }
  uint64_t kept() const { return kept_; }  // records so far

 private:
  struct Known;
  struct Deleter {
    void operator()(Known* known) const;
  };
  bool keeps_thread(uint64_t koid);

  Selection selection_;
  Stretch stretch_;
  std::unique_ptr<Known, Deleter> known_;
  uint64_t kept_ = 0;
};

// A record of an archive apart from its time.
struct Properties {
  static constexpr size_t kMaxThreads = 2;  // of a switch: the one that left, the one that came
  std::array<uint64_t, kMaxThreads> threads{};
  size_t thread_count = 0;
  std::optional<unsigned> cpu;  // of switches and wakeups
  const Text* category = nullptr;
  const Text* name = nullptr;
};
Properties properties_of(const Record& record);

}  // namespace barefxt::host
