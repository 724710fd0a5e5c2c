#include "trace_rows.h"

#include "../figures/shares.h"
#include "../print/hexadecimal.h"

namespace barefxt::host {

Columns with_identity(const Columns& own) {
  using enum ParquetType;
  Columns all = {
      {"file", kText},           {"status", kSigned},   {"message", kText},   {"target", kText},
      {"build", kText},          {"session", kText},    {"span_ns", kSigned}, {"known", kSigned},
      {"lost_records", kSigned}, {"lost_share", kReal},
  };
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

uint64_t nanoseconds_of(const Statistics& statistics, uint64_t ticks) {
  constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
  if (statistics.ticks_per_second == 0) return ticks;
  const auto wide =
      static_cast<unsigned __int128>(ticks) * kNanosecondsPerSecond / statistics.ticks_per_second;
  return static_cast<uint64_t>(wide);
}

void TraceRows::describe(const Statistics& statistics, bool is_whole) {
  about_.text_of(kRowTarget, statistics.target);
  if (identity_.build.empty()) identity_.build = hexadecimal_digits(statistics.build_id);
  about_.number(kRowSpan, nanoseconds_of(statistics, statistics.span()));
  if (is_whole && statistics.is_whole()) about_.number(kRowKnown, 1);
  uint64_t records = 0;
  for (const auto& [key, loss] : statistics.losses) records += loss.records;
  about_.number(kRowLostRecords, records);
  about_.real(kRowLostShare, share(statistics.loss_ticks, statistics.span()));
}

std::vector<std::string> TraceRows::finish(int status,
                                           const std::vector<std::string>& messages) const {
  Row identity = about_;
  identity.text(kRowFile, identity_.file);
  identity.number(kRowStatus, static_cast<uint64_t>(status));
  if (status > 1) {
    std::string text;
    for (const std::string& line : messages) text += (text.empty() ? "" : "\n") + line;
    identity.text_of(kRowMessage, text);
  }
  identity.text_of(kRowBuild, identity_.build);
  identity.text_of(kRowSession, identity_.session);
  std::vector<std::string> all;
  all.reserve(rows_.size());
  for (const Row& row : rows_) all.push_back(identity.bytes() + row.bytes());
  if (all.empty()) all.push_back(identity.bytes());
  return all;
}

}  // namespace barefxt::host
