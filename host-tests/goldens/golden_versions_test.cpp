// Captures, images of memory and archives of released versions, read for ever: each folder of
// goldens/captures has those of one version, which make.sh there made, and records.txt, what their
// records are. A later version adds a folder and changes none.
//
// Records are compared by what they mean, as the plain decoder reads them: an archive may refer to
// the same name in another way, or have its tables in another order.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <zlib.h>

#include "print/printing.h"
#include "properties/comparison.h"
#include "rebuild/rebuild_harness.h"
#include "rebuild/wire_bytes.h"

namespace barefxt::test {
namespace {

namespace files = std::filesystem;

const files::path kCaptures = BAREFXT_SOURCE_DIR "/host-tests/goldens/captures";

Bytes unpacked(const files::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  EXPECT_NE(file, nullptr) << path;
  Bytes bytes;
  uint8_t block[65536];
  for (int count = 0; (count = gzread(file, block, sizeof block)) > 0;)
    bytes.insert(bytes.end(), block, block + count);
  EXPECT_EQ(gzclose(file), Z_OK) << path;
  return bytes;
}

// `rebuild` names the waker of a wakeup since 0.2.0. Only every-record recorded one itself, behind
// a weight.
bool is_added(const PlainRecord& record, const PlainArgument& argument) {
  return record.type == 8 && record.subtype == 2 && argument.name == "waker" &&
         record.argument("weight") == nullptr;
}

// A line for each record but those that only make others shorter, and those of the host's own.
std::string meaning(const PlainRecord& record, bool is_rebuilt) {
  std::ostringstream line;
  const auto text = [&](const std::string& bytes) { line << bytes.size() << ':' << bytes << ' '; };
  for (const uint64_t number :
       {uint64_t{record.type}, uint64_t{record.subtype}, record.timestamp, record.process,
        record.thread, record.other_process, record.other_thread, record.cpu, record.value})
    line << number << ' ';
  text(record.category);
  text(record.name);
  text(record.payload);
  for (const uint64_t number : record.numbers) line << number << ' ';
  for (const PlainArgument& argument : record.arguments) {
    if (is_rebuilt && is_added(record, argument)) continue;
    line << argument.type << ' ' << argument.bits << ' ';
    text(argument.name);
    text(argument.text);
  }
  return line.str();
}
std::vector<std::string> meanings(const PlainArchive& archive, bool is_rebuilt) {
  constexpr unsigned kMetadata = 0;
  constexpr unsigned kString = 2;
  constexpr unsigned kThread = 3;
  std::vector<std::string> lines;
  for (const PlainRecord& record : archive.records) {
    // `rebuild` adds records around losses since 0.2.0.
    if (is_rebuilt && is_added(record)) continue;
    if (record.type != kMetadata && record.type != kString && record.type != kThread)
      lines.push_back(meaning(record, is_rebuilt));
  }
  // Records of one moment on several CPUs come in any order.
  std::sort(lines.begin(), lines.end());
  return lines;
}

constexpr const char* kArchive = "archive";  // in place of a verdict, where nothing was rebuilt

// Makes a line of records.txt.
std::string summary_of_archive(const std::string& file, const std::string& verdict,
                               const PlainArchive& archive) {
  Bytes all;
  const std::vector<std::string> lines = meanings(archive, verdict != kArchive);
  for (const std::string& line : lines) {
    all.insert(all.end(), line.begin(), line.end());
    all.push_back('\n');
  }
  std::ostringstream text;
  text << file << ' ' << verdict << ' ' << lines.size() << ' ' << std::hex << plain_crc32c(all);
  return text.str();
}

std::string verdict_of(const Rebuilt& rebuilt) {
  return rebuilt.verdict == host::RebuildVerdict::kComplete ? "complete" : "incomplete";
}

// The library reads it as the plain decoder does.
void expect_read_alike(const Bytes& archive, const PlainArchive& plain) {
  std::istringstream printed(json_of(std::string(archive.begin(), archive.end()), {}, true));
  std::string line;
  for (const PlainRecord& record : plain.records) {
    ASSERT_TRUE(std::getline(printed, line));
    ASSERT_EQ(nlohmann::json::parse(line), plain_json(record));
  }
}

std::string summary_of(const files::path& path) {
  const std::string file = path.filename();
  const Bytes bytes = unpacked(path);
  if (file.ends_with(".fxt.gz")) {
    PlainForm form;
    form.big_endian = file.starts_with("big");
    const PlainArchive archive = decode_plainly(bytes, form);
    expect_read_alike(bytes, archive);
    EXPECT_TRUE(archive.problems.empty()) << archive.problem_text();
    return summary_of_archive(file, kArchive, archive);
  }
  const Rebuilt rebuilt =
      file.ends_with(".core.gz") ? rebuild_memory({{bytes, std::nullopt}}) : rebuild(bytes);
  expect_sound(rebuilt);
  return summary_of_archive(file, verdict_of(rebuilt), decode_plainly(rebuilt.archive));
}

TEST(GoldenVersions, StayBelowTwoMegabytes) {
  uintmax_t bytes = 0;
  for (const auto& entry : files::recursive_directory_iterator(kCaptures))
    if (entry.is_regular_file()) bytes += entry.file_size();
  EXPECT_GT(bytes, 1'000'000u);
  EXPECT_LT(bytes, 2'000'000u);
}

TEST(GoldenVersions, SayTheSameForEver) {
  size_t versions = 0;
  for (const files::directory_entry& version : files::directory_iterator(kCaptures)) {
    if (!version.is_directory()) continue;
    ++versions;
    std::ifstream list(version.path() / "records.txt");
    size_t listed = 0;
    for (std::string line; std::getline(list, line);) {
      if (line.empty() || line.front() == '#') continue;
      ++listed;
      const std::string file = line.substr(0, line.find(' '));
      SCOPED_TRACE(file);
      EXPECT_EQ(summary_of(version.path() / file), line);
    }
    // None is there that is not looked at.
    for (const files::directory_entry& file : files::directory_iterator(version.path()))
      if (file.path().extension() == ".gz") --listed;
    EXPECT_EQ(listed, 0u) << version.path();
  }
  EXPECT_GE(versions, 1u);
}

}  // namespace
}  // namespace barefxt::test
