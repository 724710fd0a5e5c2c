#include "rebuild_harness.h"

#include <gtest/gtest.h>

#include "archive/memory_sink.h"

namespace barefxt::test {
namespace {

void write_archive(host::Rebuild& work, Rebuilt& rebuilt, host::ByteOrder order,
                   host::LogPackets packets = host::LogPackets::kNone) {
  MemorySink sink;
  const auto verdict = work.write(sink, order, packets);
  EXPECT_TRUE(verdict.ok());
  if (verdict.ok()) rebuilt.verdict = verdict.value();
  rebuilt.archive = sink.bytes();
}

}  // namespace

Rebuilt rebuild(const std::vector<Bytes>& inputs, size_t step, host::ByteOrder order,
                host::LogPackets packets) {
  Rebuilt rebuilt;
  host::Rebuild work([&](const std::string& line) { rebuilt.messages += line + "\n"; });
  for (const Bytes& input : inputs) {
    std::span<const uint8_t> left = input;
    while (!left.empty()) {
      const size_t count = step == 0 ? left.size() : std::min(step, left.size());
      EXPECT_TRUE(work.feed(left.first(count)).ok());
      left = left.subspan(count);
    }
    EXPECT_TRUE(work.end_input("input").ok());
  }
  write_archive(work, rebuilt, order, packets);
  return rebuilt;
}

Rebuilt rebuild_memory(const std::vector<MemoryFile>& files, const Bytes& program) {
  Rebuilt rebuilt;
  host::Rebuild work([&](const std::string& line) { rebuilt.messages += line + "\n"; });
  host::MemoryImage image("image");
  std::vector<host::Source> sources;
  sources.reserve(files.size());
  for (const MemoryFile& file : files) {
    host::Source& source = sources.emplace_back(host::Source::of(file.bytes, "image"));
    if (file.base) {
      EXPECT_TRUE(image.add_raw(source, *file.base));
      continue;
    }
    const auto core = host::ElfFile::parse(file.bytes, "core");
    EXPECT_TRUE(!core.ok() || image.add_core(source, core.value()));
  }
  std::optional<host::ElfFile> elf;
  if (const auto parsed = host::ElfFile::parse(program, "program"); parsed.ok())
    elf.emplace(parsed.value());
  if (elf) work.name_by(*elf);
  EXPECT_TRUE(work.add_memory(image, elf ? &*elf : nullptr).ok());
  write_archive(work, rebuilt, host::ByteOrder::kLittle);
  return rebuilt;
}

void expect_sound(const Rebuilt& rebuilt) {
  if (rebuilt.verdict == host::RebuildVerdict::kNothing) {
    EXPECT_TRUE(rebuilt.archive.empty());
    EXPECT_FALSE(rebuilt.messages.empty());
    return;
  }
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  EXPECT_EQ(archive.problem_text(), "");
  ASSERT_GE(archive.records.size(), 3u);
  EXPECT_EQ(archive.records[0].type, 0u);
  EXPECT_EQ(archive.records[1].subtype, 1u) << "provider info follows the magic number";
  EXPECT_EQ(archive.records[2].type, 1u) << "initialization follows the provider info";
  EXPECT_FALSE(rebuilt.messages.empty());
}

std::vector<uint64_t> numbers(const PlainArchive& archive) {
  std::vector<uint64_t> found;
  for (const PlainRecord& record : archive.records)
    if (record.type == 4 && record.subtype == 0 && !record.arguments.empty())
      found.push_back(record.arguments[0].bits);
  return found;
}

}  // namespace barefxt::test
