// Temporary files and outputs are written and read in large pieces, however small the pieces are in
// which they come: counted in calls of the system, as each costs more than the bytes that it moves.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <span>
#include <string>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>
#include <barefxt/host/spooled_array.h>

#include "archive/spill_file.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test::writes_test {
namespace {

constexpr size_t kPieces = 100'000;
constexpr uint64_t kAll = kPieces * sizeof(uint64_t);
// A page cache serves 64 KiB in little more than the time of the call.
constexpr uint64_t kCalls = kAll / (64 << 10) + 3;

// Calls of this process that read ("syscr") or wrote ("syscw"). The look itself reads.
uint64_t calls(const std::string& kind) {
  std::ifstream file("/proc/self/io");
  std::string name;
  uint64_t count = 0;
  while (file >> name >> count)
    if (name == kind + ":") return count;
  ADD_FAILURE() << "no " << kind << " in /proc/self/io";
  return 0;
}

std::span<const uint8_t> bytes_of(const uint64_t& word) {
  return {reinterpret_cast<const uint8_t*>(&word), sizeof word};
}

TEST(Writes, OfASpillFileAreFewAndSoAreItsReads) {
  host::SpillFile file;
  uint64_t before = calls("syscw");
  for (uint64_t i = 0; i < kPieces; ++i) ASSERT_TRUE(file.append(bytes_of(i)).ok());
  ASSERT_TRUE(file.flush().ok());
  EXPECT_LE(calls("syscw") - before, kCalls);

  host::SpillReader reader(file, 0, kAll, 64 << 10);
  before = calls("syscr");
  for (uint64_t i = 0; i < kPieces; ++i) {
    const uint8_t* where = nullptr;
    ASSERT_TRUE(reader.next(sizeof i, where).ok());
    ASSERT_TRUE(std::equal(where, where + sizeof i, bytes_of(i).begin()));
  }
  EXPECT_LE(calls("syscr") - before, kCalls);
}

TEST(Writes, OfASpooledStreamAreFew) {
  constexpr size_t kInMemory = size_t{1} << 18;
  host::SpooledStream stream(kInMemory);
  const uint64_t before = calls("syscw");
  for (uint64_t i = 0; i < kPieces; ++i) ASSERT_TRUE(stream.append(bytes_of(i)).ok());
  ASSERT_TRUE(stream.finish().ok());
  EXPECT_LE(calls("syscw") - before, kCalls);
}

TEST(Writes, OfAnArchiveAreFew) {
  const std::string path = ::testing::TempDir() + "writes.fxt";
  host::Rebuild rebuild([](const std::string&) {});
  ASSERT_TRUE(rebuild.feed(binary_form(two_cpu_capture(500, 44).frames())).ok());
  ASSERT_TRUE(rebuild.end_input("capture").ok());
  auto file = host::OutputFile::create(path);
  ASSERT_TRUE(file.ok());
  const uint64_t before = calls("syscw");
  ASSERT_TRUE(rebuild.write(*file.value(), host::ByteOrder::kLittle).ok());
  ASSERT_TRUE(file.value()->commit().ok());
  const uint64_t writes = calls("syscw") - before;
  const uint64_t bytes = std::filesystem::file_size(path);
  EXPECT_GT(bytes, kAll);
  EXPECT_LE(writes, bytes / (64 << 10) + 3);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace barefxt::test::writes_test
