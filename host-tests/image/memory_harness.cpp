#include "memory_harness.h"

#include <gtest/gtest.h>

#include "archive/memory_sink.h"

namespace barefxt::test {

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
  EXPECT_TRUE(work.add_memory(image, elf ? &*elf : nullptr).ok());
  MemorySink sink;
  const auto verdict = work.write(sink, host::ByteOrder::kLittle);
  EXPECT_TRUE(verdict.ok());
  if (verdict.ok()) rebuilt.verdict = verdict.value();
  rebuilt.archive = sink.bytes();
  return rebuilt;
}

}  // namespace barefxt::test
