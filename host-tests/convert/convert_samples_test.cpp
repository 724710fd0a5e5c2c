// Samples in other formats: the thread, the CPU and the path of functions of each.
#include <gtest/gtest.h>
#include <map>

#include "converting.h"
#include "hostile/function_elf.h"
#include "plain_parquet.h"
#include "plain_proto.h"

namespace barefxt::test::convert_samples_test {
namespace {

using host::ArchiveWriter;
using host::Change;
using U = uint64_t;

// Innermost first.
void sample(ArchiveWriter& writer, U time, U thread, const std::vector<U>& frames) {
  EXPECT_TRUE(
      writer.profiler_backtrace({.timestamp = time, .thread = {0, 10, thread}, .frames = frames}));
}

void module(ArchiveWriter& writer, const std::string& build_id) {
  EXPECT_TRUE(writer.profiler_module({.timestamp = 1,
                                      .thread = {0, 10, 11},
                                      .module = 3,
                                      .name = "kernel",
                                      .build_id = build_id}));
}

std::string sampled(const std::string& build_id) {
  return written([&](ArchiveWriter& writer) {
    writer.initialization(1'000'000'000);
    if (!build_id.empty()) module(writer, build_id);
    sample(writer, 5, 12, {0x1104});
    writer.legacy_context_switch(
        {6, 3, fxt::ThreadState::kRunning, {0, 10, 12}, {0, 10, 11}, 3, 4});
    sample(writer, 7, 11, {0x1204, 0x1110, 0x10f8});
    sample(writer, 8, 11, {0x1204, 0x1110, 0x10f8});
  });
}

Bytes program(const std::string& build_id) {
  const std::string names("\0main\0work\0help\0", 16);
  return function_elf(names, {{1, 0x10f0}, {6, 0x1100}, {11, 0x1200}}, {}, build_id);
}

// A sample as Perfetto joins it: "time: pid/tid on cpu: outermost;...;innermost".
std::vector<std::string> shown_in_perfetto(const Converted& converted) {
  std::map<U, std::string> names;
  std::map<U, std::string> frames;
  std::map<U, std::string> stacks;
  std::vector<std::string> shown;
  const PlainProto trace(converted.bytes);
  bool has_begun = false;
  for (const PlainProto::Field& field : trace.fields()) {
    const PlainProto packet(field.bytes);
    if (packet.number(10) != 2) continue;
    EXPECT_EQ(packet.number(13), std::exchange(has_begun, true) ? 2U : 1U);
    if (packet.has(12)) {
      const PlainProto interned = packet.message(12);
      for (const auto& name : interned.all(5))
        names[PlainProto(name.bytes).number(1)] = PlainProto(name.bytes).text(2);
      for (const auto& one : interned.all(6)) {
        const PlainProto frame(one.bytes);
        EXPECT_EQ(frame.number(3), 1U);
        EXPECT_NE(frame.number(4), 0U);
        frames[frame.number(1)] = names.at(frame.number(2));
      }
      for (const auto& one : interned.all(7)) {
        const PlainProto stack(one.bytes);
        std::string& path = stacks[stack.number(1)];
        for (const auto& frame : stack.all(2)) path += ";" + frames.at(frame.value);
      }
    }
    if (!packet.has(66)) continue;
    const PlainProto sample = packet.message(66);
    shown.push_back(std::to_string(packet.number(8)) + ": " + std::to_string(sample.number(2)) +
                    "/" + std::to_string(sample.number(3)) + " on " +
                    (sample.has(1) ? std::to_string(sample.number(1)) : "?") +
                    stacks.at(sample.number(4)));
  }
  return shown;
}

TEST(ConvertSamples, InPerfettoHaveTheirThreadTheirCpuAndTheirStack) {
  const Bytes file = program("abcd");
  const auto elf = host::ElfFile::parse(file, "program");
  ASSERT_TRUE(elf.ok());
  const Converted converted = to_perfetto_by(&elf.value(), sampled("abcd"));
  // The threads of the only process are processes of their own.
  EXPECT_EQ(shown_in_perfetto(converted),
            (std::vector<std::string>{"5: 12/12 on ?;work", "7: 11/11 on 3;main;work;help",
                                      "8: 11/11 on 3;main;work;help"}));
  EXPECT_FALSE(converted.changes.lost());
  EXPECT_EQ(converted.changes.of(Change::kNoPlaceInFormat), 0U);
}

TEST(ConvertSamples, InPerfettoHaveTheImageWithItsBuildId) {
  const Converted converted = to_perfetto(sampled("abcd"));
  const PlainProto trace(converted.bytes);
  size_t images = 0;
  for (const PlainProto::Field& field : trace.fields()) {
    const PlainProto packet(field.bytes);
    if (packet.number(10) != 2 || !packet.has(12)) continue;
    const PlainProto interned = packet.message(12);
    if (!interned.has(19)) continue;
    ++images;
    EXPECT_EQ(interned.message(19).number(2), interned.message(16).number(1));
    EXPECT_EQ(interned.message(16).text(2), "abcd");
    EXPECT_EQ(interned.message(17).text(2), "kernel");
  }
  EXPECT_EQ(images, 1U);
  EXPECT_EQ(shown_in_perfetto(converted).back(), "8: 11/11 on 3;0x10f8;0x1110;0x1204");
}

TEST(ConvertSamples, InParquetAreRowsWithTheirPath) {
  const Bytes file = program("");
  const auto elf = host::ElfFile::parse(file, "program");
  ASSERT_TRUE(elf.ok());
  const Converted converted = to_parquet_by(&elf.value(), sampled(""));
  const PlainParquet table(converted.bytes);
  std::vector<std::string> shown;
  for (const PlainParquet::Row& row : table.rows) {
    if (row.at("kind").text != "sample") continue;
    shown.push_back(std::to_string(row.at("time").bits) + " " +
                    std::to_string(row.at("thread").bits) + " " +
                    (row.contains("cpu") ? std::to_string(row.at("cpu").bits) : "?") + " " +
                    row.at("name").text + " " + row.at("message").text + " " +
                    row.at("arguments").text + " " + std::to_string(row.at("id").bits));
  }
  EXPECT_EQ(shown, (std::vector<std::string>{
                       R"(5 12 ? work work {"frames":["0x1104"]} 4356)",
                       R"(7 11 3 help main;work;help {"frames":["0x1204","0x1110","0x10f8"]} 4612)",
                       R"(8 11 3 help main;work;help {"frames":["0x1204","0x1110","0x10f8"]} 4612)",
                   }));
  EXPECT_FALSE(converted.changes.lost());
}

TEST(ConvertSamples, OfAnotherBuildHaveNoNamesAndThatIsALoss) {
  const Bytes file = program("abce");
  const auto elf = host::ElfFile::parse(file, "program");
  ASSERT_TRUE(elf.ok());
  const Converted perfetto = to_perfetto_by(&elf.value(), sampled("abcd"));
  const Converted parquet = to_parquet_by(&elf.value(), sampled("abcd"));
  for (const Converted* const converted : {&perfetto, &parquet}) {
    EXPECT_EQ(converted->changes.of(Change::kOtherBuild), 3U);
    EXPECT_TRUE(converted->changes.lost());
  }
  EXPECT_EQ(shown_in_perfetto(perfetto).front(), "5: 12/12 on ?;0x1104");
  EXPECT_EQ(PlainParquet(parquet.bytes).rows.at(0).at("name").text, "0x1104");
}

TEST(ConvertSamples, HaveNoPlaceInChromesFormatAndAreCounted) {
  const Converted converted = to_chrome(sampled("abcd"));
  EXPECT_EQ(converted.changes.of(Change::kNoPlaceInFormat), 4U);
  EXPECT_TRUE(
      contains(converted.messages(), "4 records left out: this format has no place for them"));
}

}  // namespace
}  // namespace barefxt::test::convert_samples_test
