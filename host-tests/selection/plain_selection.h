// The definition of --from, --to, --thread, --cpu, --category and --name once more, from
// docs/reference/selection.md, over the lines of `print --json`.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace barefxt::test {

struct PlainSelection {
  std::optional<uint64_t> from;  // in the unit of the archive
  std::optional<uint64_t> to;
  std::vector<std::string> threads;
  std::vector<unsigned> cpus;
  std::vector<std::string> categories;
  std::vector<std::string> names;

  std::string options() const;
};

bool plainly_matches(const std::string& pattern, const std::string& text);

class PlainArchiveLines {
 public:
  // `lines`: all of `print --json --raw`.
  explicit PlainArchiveLines(const std::string& lines);

  const std::vector<nlohmann::json>& records() const { return records_; }
  bool keeps(size_t record, const PlainSelection& selection) const;
  // A conversion also sees definitions, and the state that stands at --from.
  bool converts(size_t record, const PlainSelection& selection) const;

 private:
  std::optional<uint64_t> time_of(size_t record) const;
  bool keeps_at_any_time(size_t record, const PlainSelection& selection) const;
  std::vector<uint64_t> threads_of(size_t record) const;
  bool is_one_of(uint64_t koid, const std::vector<std::string>& threads) const;
  std::vector<size_t> before_from(const PlainSelection& selection) const;
  bool stands(size_t record, const PlainSelection& selection) const;
  bool is_needed(size_t record, const PlainSelection& selection) const;

  std::vector<nlohmann::json> records_;
  std::vector<uint64_t> rates_;  // of each record
  bool has_several_rates_ = false;
  std::map<uint64_t, std::string> names_;
};

}  // namespace barefxt::test
