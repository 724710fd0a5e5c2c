#include <algorithm>
#include <utility>

#include <barefxt/fxt/reference.h>
#include <barefxt/host/memory_image.h>
#include <barefxt/host/program_strings.h>

#include "fields.h"

namespace barefxt::host {
namespace {

constexpr size_t kEntryBytes = 8;
// More text than any program has: so that a table whose entries all name one long text ends.
constexpr size_t kMaxTextBytes = size_t{8} << 20;

}  // namespace

std::optional<ProgramStrings> ProgramStrings::read(const ElfFile& program) {
  const std::optional<ElfFile::Section> table = program.section("barefxt_in_elf");
  if (!table || table->bytes.empty()) return {};
  Memory memory;
  if (const auto texts = program.section("barefxt_texts"); texts && !texts->bytes.empty())
    memory.add({{texts->address, texts->bytes}});
  // GCC leaves texts of templates in loaded sections.
  std::vector<Memory::Region> loaded;
  for (const ElfFile::Segment& segment : program.segments())
    loaded.push_back({segment.virtual_address, segment.bytes});
  memory.add(std::move(loaded));
  ProgramStrings strings;
  const Bytes build_id = program.build_id();
  strings.build_id_.assign(build_id.begin(), build_id.end());
  const ImageFields entries(table->bytes, program.byte_order());
  const size_t count = std::min<size_t>(table->bytes.size() / kEntryBytes, fxt::kMaxStringIndex);
  size_t bytes = 0;
  for (size_t i = 0; i < count && bytes < kMaxTextBytes; ++i) {
    const uint64_t address =
        program.is_64() ? entries.u64(i * kEntryBytes) : entries.u32(i * kEntryBytes);
    // Some linkers leave out what nothing else names, and let the address be 0.
    strings.texts_.push_back(address != 0 ? memory.text(address) : std::nullopt);
    if (const auto& text = strings.texts_.back()) bytes += text->size();
  }
  return strings;
}

}  // namespace barefxt::host
