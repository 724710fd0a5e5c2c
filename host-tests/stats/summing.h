// Statistics of an archive in memory.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <string>

#include <barefxt/host/stats.h>

#include "print/printing.h"

namespace barefxt::test {

inline host::Statistics statistics_in(const std::string& archive,
                                      const host::StatisticsOptions& options = {}) {
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  host::Result<host::Statistics> statistics =
      host::collect_statistics(source, host::Form{}, options);
  EXPECT_TRUE(statistics.ok());
  return std::move(statistics.value());
}

// When each record was, by its offset; of a complete duration its end.
inline std::map<uint64_t, uint64_t> times_by_offset(const std::string& archive) {
  std::map<uint64_t, uint64_t> times;
  host::Reader reader(as_bytes(archive), host::Form{});
  while (const host::Record* record = reader.next()) {
    const uint64_t offset = record->offset;
    std::visit(
        [&](const auto& content) {
          if constexpr (requires { content.timestamp; }) times[offset] = content.timestamp;
        },
        record->content);
    if (const auto* event = std::get_if<host::Event>(&record->content);
        event != nullptr && event->type == fxt::EventType::kDurationComplete)
      times[offset] = event->trailing;
  }
  return times;
}

}  // namespace barefxt::test
