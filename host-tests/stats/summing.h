// Statistics of an archive in memory.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include <barefxt/host/stats.h>

#include "printing.h"

namespace barefxt::test {

inline host::Statistics statistics_in(const std::string& archive,
                                      const host::StatisticsOptions& options = {}) {
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  host::Result<host::Statistics> statistics =
      host::collect_statistics(source, host::Form{}, options);
  EXPECT_TRUE(statistics);
  return std::move(statistics.value());
}

}  // namespace barefxt::test
