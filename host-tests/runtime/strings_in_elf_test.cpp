// An image that leaves its strings in its file (BAREFXT_STRINGS_IN_ELF), which is this program's
// own.
#include <gtest/gtest.h>
#include <map>

#include <barefxt/barefxt.h>
#include <barefxt/descriptor.h>
#include <barefxt/host/rebuild.h>
#include <barefxt/host/source.h>
#include <barefxt/probe.h>
#include <barefxt/wire/frame.h>

#include "archive/memory_sink.h"
#include "binary_frames.h"
#include "configuration.h"
#include "reader/plain_decoder.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test {
namespace {

BAREFXT_CATEGORY(work, 3);

alignas(8) uint8_t memory[16 * BAREFXT_SEGMENT_BYTES];

Bytes dumped() {
  Bytes bytes;
  const barefxt_writer writer = {[](void* context, const uint8_t* from, size_t count) {
                                   auto& to = *static_cast<Bytes*>(context);
                                   to.insert(to.end(), from, from + count);
                                 },
                                 &bytes};
  EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
  return bytes;
}

template <typename T>
void record_in_template(T n) {
  BAREFXT_INSTANT(work, "in a template", BAREFXT_ARG_U32("n", n));
}

TEST(StringsInElf, AreNamedByTheProgramsFileAndTheStartAsksForItsBuildId) {
  host::Result<host::Source> file = host::Source::open("/proc/self/exe");
  ASSERT_TRUE(file.ok());
  const auto program = host::ElfFile::parse(file.value().bytes(), "program");
  ASSERT_TRUE(program.ok());
  const host::Bytes id = program.value().build_id();
  ASSERT_EQ(id.size(), 20u);

  barefxt_config config = config_of(memory, sizeof memory);
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_NO_BUILD_ID);
  config.build_id = id.data();
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_NO_BUILD_ID);
  config.build_id = nullptr;
  config.build_id_bytes = 20;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_NO_BUILD_ID);
  config.build_id = id.data();
  ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  BAREFXT_INSTANT(work, "plain");
  record_in_template(7u);
  record_in_template(uint8_t{8});
  barefxt_stop();
#if !BAREFXT_LINEAR
  // By this the next boot knows it, and the host an image of the memory.
  EXPECT_EQ(barefxt_descriptor.magic[1], kDescriptorMagicOfElfStrings);
#endif

  const Bytes bytes = dumped();
  std::map<unsigned, unsigned> versions;
  BinaryFrames().take(bytes.data(), bytes.size(), [&](const std::vector<uint8_t>& frame) {
    versions[frame[wire::FrameHeader::kType]] = frame[wire::FrameHeader::kVersion];
  });
  EXPECT_EQ(versions.at(static_cast<unsigned>(wire::FrameType::kHello)), 7u);
  EXPECT_FALSE(versions.contains(static_cast<unsigned>(wire::FrameType::kStrings)));
  const barefxt_writer nowhere = {[](void*, const uint8_t*, size_t) { FAIL(); }, nullptr};
  EXPECT_EQ(barefxt_dump_fxt(&nowhere), BAREFXT_ERROR_LEFT_OUT);

  std::string messages;
  host::Rebuild rebuild([&](const std::string& line) { messages += line + "\n"; });
  rebuild.name_by(program.value());
  ASSERT_TRUE(rebuild.feed(bytes).ok());
  ASSERT_TRUE(rebuild.end_input("dump").ok());
  MemorySink sink;
  const auto verdict = rebuild.write(sink, host::ByteOrder::kLittle);
  ASSERT_TRUE(verdict.ok());
  EXPECT_EQ(verdict.value(), host::RebuildVerdict::kComplete) << messages;
  std::vector<std::string> names;
  for (const PlainRecord& record : decode_plainly(sink.bytes()).records)
    if (record.type == 4) names.push_back(record.category + "/" + record.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"work/plain", "work/in a template", "work/in a template"}));
}

}  // namespace
}  // namespace barefxt::test
