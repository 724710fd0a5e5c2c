// The processes that read files beside each other.
#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/file_processes.h"

namespace barefxt::test::processes_test {
namespace {

using cli::FileProcesses;

std::string text_of(size_t file) {
  // Some are longer than a pipe holds.
  return std::string(file % 3 == 0 ? 200'000 : 10, static_cast<char>('a' + file % 26)) +
         std::to_string(file);
}

TEST(FileProcesses, HandBackTextsInTheOrderOfFiles) {
  constexpr size_t kFiles = 40;
  for (const size_t processes : {1U, 2U, 7U}) {
    FileProcesses all(kFiles, processes, text_of);
    for (size_t file = 0; file < kFiles; ++file) {
      const host::Result<std::string> text = all.next();
      ASSERT_TRUE(text.ok());
      EXPECT_EQ(text.value(), text_of(file)) << processes;
    }
  }
}

TEST(FileProcesses, OneThatEndsCostsItsFileAlone) {
  constexpr size_t kFiles = 12;
  FileProcesses all(kFiles, 3, [](size_t file) {
    if (file == 0 || file == 4 || file == 11) ::raise(SIGKILL);
    return text_of(file);
  });
  for (size_t file = 0; file < kFiles; ++file) {
    const host::Result<std::string> text = all.next();
    if (file == 0 || file == 4 || file == 11) {
      ASSERT_FALSE(text.ok());
      EXPECT_EQ(text.error().what, "the process that read it ended by signal 9");
    } else {
      ASSERT_TRUE(text.ok()) << file;
      EXPECT_EQ(text.value(), text_of(file));
    }
  }
}

TEST(FileProcesses, EndWithTheirOwner) {
  FileProcesses all(100, 2, [](size_t file) {
    if (file > 1) ::pause();
    return text_of(file);
  });
  EXPECT_TRUE(all.next().ok());
}

}  // namespace
}  // namespace barefxt::test::processes_test
