#include "documented_frames.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace barefxt::test {

std::vector<std::string> documented_frames(const std::string& label) {
  std::vector<std::string> found;
  for (const char* const page : {"wire-format.md", "coded-records.md"}) {
    const auto path = std::filesystem::path(BAREFXT_SOURCE_DIR) / "docs/reference" / page;
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
      if (line == "```" + label) {
        inside = true;
        found.emplace_back();
      } else if (line == "```") {
        inside = false;
      } else if (inside) {
        found.back() += line.substr(0, line.find('#')) + "\n";
      }
    }
  }
  return found;
}

}  // namespace barefxt::test
