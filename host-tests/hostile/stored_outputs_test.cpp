// Each output is on the disk before it gets its name: all bytes written, then stored, then renamed,
// and its folder stored. A signal in between leaves nothing. Seen by the order of the command's
// system calls.
#include <csignal>
#include <map>
#include <sstream>

#include "build_kind.h"
#include "convert/converting.h"
#include "hostile/function_elf.h"
#include "hostile/shell.h"
#include "rebuild/capture_builder.h"
#include "xray/golden_logs.h"
#include "xray/xray_harness.h"

namespace barefxt::test::stored_outputs_test {
namespace {

namespace fs = std::filesystem;

class StoredOutputs : public Shell {
 protected:
  void SetUp() override {
    // A sanitizer's own library wants to be the first.
    if (kSanitized) GTEST_SKIP() << "only the code as it is delivered is looked at";
    Shell::SetUp();
    write("in", binary_form(two_cpu_capture().frames()));
    write("budget", "wakeup_latency p99 <= 50us\n");
    const std::string names("\0f\0xray_instr_map\0", 18);
    write("log", bytes_of_hex(kGoldenLogs[0]->hex));
    write("elf", function_elf(names, {{1, 0x1000}}));
    ASSERT_EQ(run("BAREFXT rebuild in -o in.fxt"), 0) << messages();
    write("blobs.fxt", written([](host::ArchiveWriter& writer) {
            for (const char* name : {"one", "two"})
              writer.blob(text(name), fxt::BlobType::kData, "content");
          }));
    ::setenv("BAREFXT_CALLS", path("calls").c_str(), 1);
  }
  void TearDown() override {
    for (const char* variable : {"BAREFXT_CALLS", "BAREFXT_SIGNAL"}) ::unsetenv(variable);
    if (!kSanitized) Shell::TearDown();
  }
  uint64_t bytes_in(const std::string& name) const {
    if (!fs::is_directory(path(name))) return fs::file_size(path(name));
    uint64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(path(name))) bytes += entry.file_size();
    return bytes;
  }

  struct Case {
    std::string line;
    std::vector<std::string> outputs = {"out"};
  };
  static std::vector<Case> cases() {
    std::vector<Case> cases = {
        {"rebuild in -o out"},
        {"rebuild in --perfetto-logs -o out"},
        {"capture - -o out --raw raw <in", {"out", "raw"}},
        {"report in.fxt -o out"},
        {"report in.fxt --png -o out"},
        {"top - --batch -o out --raw raw <in", {"out", "raw"}},
        {"convert log --to fdr -o out"},
        {"stats in.fxt --budget budget --allow-unknown --junit out"},
        {"convert blobs.fxt --to blobs -o out"},
        {"convert elf --to xray-elf -o out"},
    };
    for (const char* format : {"fxt", "perfetto", "ctf", "parquet", "chrome-json"})
      cases.push_back({std::string("convert in.fxt -o out --to ") + format});
    return cases;
  }
  static std::string with_preloaded(const std::string& line) {
    return "LD_PRELOAD='" BAREFXT_PRELOADED "' BAREFXT " + line;
  }

  // Follows the calls up to the rename to `name`, and behind it.
  void expect_stored_then_renamed(const std::string& name) const {
    SCOPED_TRACE(name);
    std::istringstream calls(read("calls"));
    std::map<std::string, uint64_t> written;  // since it was stored, by file
    std::map<std::string, uint64_t> stored;
    bool is_renamed = false;
    bool is_folder_stored = false;
    for (std::string call; calls >> call;) {
      uint64_t bytes = 0;
      std::string from;
      if (call == "write") calls >> bytes;
      calls >> from;
      if (call == "write") written[from] += bytes;
      if (call == "store") stored[from] += std::exchange(written[from], 0);
      if (call == "store" && is_renamed)
        is_folder_stored |= from == fs::path(path(name)).parent_path();
      if (call == "store-all")
        for (auto& [file, count] : written) stored[file] += std::exchange(count, 0);
      if (call != "rename") continue;
      std::string to;
      calls >> to;
      if (to != path(name)) continue;
      EXPECT_FALSE(is_renamed) << "twice";
      is_renamed = true;
      uint64_t all = 0;
      for (const auto& [file, count] : stored)
        if (file.starts_with(from)) all += count;
      for (const auto& [file, count] : written)
        EXPECT_TRUE(count == 0 || !file.starts_with(from)) << file << " is not stored yet";
      EXPECT_EQ(all, bytes_in(name)) << "of " << from;
    }
    EXPECT_TRUE(is_renamed);
    EXPECT_TRUE(is_folder_stored);
  }
};

TEST_F(StoredOutputs, OfEachVerbAreOnTheDiskBeforeTheyHaveTheirNames) {
  for (const auto& [line, outputs] : cases()) {
    SCOPED_TRACE(line);
    for (const char* old : {"out", "calls"}) fs::remove_all(path(old));
    // A new copy of raw bytes grows under its name; an older one is replaced.
    write("raw", "older");
    ASSERT_EQ(run(with_preloaded(line)), 0) << messages();
    for (const std::string& name : outputs) expect_stored_then_renamed(name);
  }
}

// All bytes are written by then, and nothing has its name. Raw bytes stay: a trace comes once.
TEST_F(StoredOutputs, LeaveNothingAsideWhenASignalComesWhileTheyAreStored) {
  ::unsetenv("BAREFXT_CALLS");
  ::setenv("BAREFXT_SIGNAL", std::to_string(SIGUSR1).c_str(), 1);
  const std::string before = entries();
  for (const auto& [line, outputs] : cases()) {
    SCOPED_TRACE(line);
    EXPECT_EQ(run(with_preloaded(line)), 128 + SIGUSR1) << messages();
    const bool has_raw = outputs.size() > 1;
    EXPECT_EQ(entries(), before + (has_raw ? " raw" : ""));
    if (has_raw) {
      EXPECT_EQ(bytes_in("raw"), bytes_in("in"));
    }
    fs::remove(path("raw"));
  }
}

}  // namespace
}  // namespace barefxt::test::stored_outputs_test
