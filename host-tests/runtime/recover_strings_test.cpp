// After a reset of an image that leaves its strings in its file (BAREFXT_STRINGS_IN_ELF): the
// memory kept the build id of the image that recorded, and that file names the records.
#include <gtest/gtest.h>

#include <barefxt/barefxt.h>
#include <barefxt/host/source.h>
#include <barefxt/probe.h>
#include <barefxt/wire/frame.h>

#include "../contains.h"
#include "archive/memory_sink.h"
#include "binary_frames.h"
#include "machine.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::recover_strings_test {
namespace {

BAREFXT_CATEGORY(work, 3);

class RecoverStringsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(file_.ok());
    ASSERT_TRUE(program_.ok());
    const host::Bytes id = program_.value().build_id();
    id_.assign(id.begin(), id.end());
    ASSERT_EQ(id_.size(), 20u);
  }
  barefxt_config config(unsigned bank) const {
    barefxt_config config = machine_.config(bank);
    config.build_id = id_.data();
    config.build_id_bytes = static_cast<uint8_t>(id_.size());
    return config;
  }
  void record_and_reset() {
    ASSERT_TRUE(machine_.boot([this] {
      const barefxt_config first = config(0);
      machine_.report(barefxt_start(&first));
      BAREFXT_INSTANT(work, "before the reset");
    }));
    EXPECT_EQ(machine_.reported(), std::vector<uint64_t>{BAREFXT_OK});
  }
  // The next boot sends that, and what it records itself.
  void recover_and_record() {
    ASSERT_TRUE(machine_.boot([this] {
      machine_.report(barefxt_recover());
      const barefxt_config next = config(1);
      machine_.report(barefxt_start(&next));
      BAREFXT_INSTANT(work, "behind the reset");
      barefxt_stop();
      const barefxt_writer line = machine_.line();
      machine_.report(barefxt_recovered_dump(&line, BAREFXT_DUMP_BINARY));
      machine_.report(barefxt_dump(&line, BAREFXT_DUMP_BINARY));
    }));
    EXPECT_EQ(machine_.reported(),
              (std::vector<uint64_t>{BAREFXT_RECOVERED_WHOLE, BAREFXT_OK, BAREFXT_OK, BAREFXT_OK}));
    sent_ = machine_.sent();
  }
  // The names of all events, by the program's file.
  std::vector<std::string> names() {
    host::Rebuild rebuild([this](const std::string& line) { messages_ += line + "\n"; });
    rebuild.name_by(program_.value());
    EXPECT_TRUE(rebuild.feed(sent_).ok());
    EXPECT_TRUE(rebuild.end_input("dumps").ok());
    MemorySink sink;
    const auto verdict = rebuild.write(sink, host::ByteOrder::kLittle);
    EXPECT_TRUE(verdict.ok());
    verdict_ = verdict.value();
    std::vector<std::string> found;
    for (const PlainRecord& record : decode_plainly(sink.bytes()).records)
      if (record.type == 4) found.push_back(record.category + "/" + record.name);
    return found;
  }

  host::Result<host::Source> file_ = host::Source::open("/proc/self/exe");
  host::Result<host::ElfFile> program_ = host::ElfFile::parse(file_.value().bytes(), "program");
  Bytes id_;
  Machine machine_;
  Bytes sent_;
  std::string messages_;
  host::RebuildVerdict verdict_ = host::RebuildVerdict::kNothing;
};

TEST_F(RecoverStringsTest, TheFileNamesWhatWasRecordedBeforeAndBehindTheReset) {
  record_and_reset();
  recover_and_record();
  EXPECT_EQ(names(), (std::vector<std::string>{"work/before the reset", "work/behind the reset"}));
  EXPECT_EQ(verdict_, host::RebuildVerdict::kComplete) << messages_;
  BinaryFrames().take(sent_.data(), sent_.size(), [](const std::vector<uint8_t>& frame) {
    const unsigned type = frame[wire::FrameHeader::kType];
    EXPECT_NE(type, static_cast<unsigned>(wire::FrameType::kStrings));
    if (type == static_cast<unsigned>(wire::FrameType::kHello)) {
      EXPECT_EQ(frame[wire::FrameHeader::kVersion], wire::kVersionOfElfStrings);
    }
  });
}

// The image was renewed in between: its file has other strings, or the same numbers for others.
TEST_F(RecoverStringsTest, AnotherImagesRecordsGetNoNamesFromThisFile) {
  const Bytes own = id_;
  id_.back() ^= 1;
  record_and_reset();
  id_ = own;
  recover_and_record();
  const std::vector<std::string> found = names();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(lacks(found[0], "before"));
  EXPECT_EQ(found[1], "work/behind the reset");
  EXPECT_EQ(verdict_, host::RebuildVerdict::kIncomplete) << messages_;
  EXPECT_TRUE(contains(messages_, "recorded by another build than --elf names"));
}

}  // namespace
}  // namespace barefxt::test::recover_strings_test
