#include <vector>

#include <barefxt/host/function_names.h>
#include <barefxt/host/instrumentation_map.h>

#include "../image/fields.h"

namespace barefxt::host {
namespace {

constexpr uint8_t kRelative = 2;  // the version from which on addresses count from their own place

}  // namespace

Result<InstrumentationMap> InstrumentationMap::read(const ElfFile& file, const std::string& name) {
  const std::optional<ElfFile::Section> section = file.section("xray_instr_map");
  if (!section || section->bytes.empty())
    return Error{"has no map of instrumented functions (no section xray_instr_map)", name,
                 "name the image that ran, built by clang with -fxray-instrument"};
  const size_t word = file.is_64() ? 8 : 4;
  const size_t entry_bytes = 4 * word;
  const ImageFields fields(section->bytes, file.byte_order());
  const Error damaged{"its map of instrumented functions is damaged", name, ""};
  if (section->bytes.size() % entry_bytes != 0) return damaged;

  const uint64_t mask = file.is_64() ? ~uint64_t{0} : 0xffffffffu;
  // As FunctionSymbols has it.
  const uint64_t code = file.is_arm32() ? mask - 1 : mask;
  InstrumentationMap map;
  for (size_t at = 0; at < section->bytes.size(); at += entry_bytes) {
    const uint8_t version = fields.u8(at + 2 * word + 2);
    if (version > kRelative) return damaged;
    uint64_t address = fields.number(at + word, word);
    if (version == kRelative) address += section->address + at + word;
    address &= code;
    if (!map.addresses_.empty() && map.addresses_.back() == address) continue;
    if (map.addresses_.size() == kMaxFunctions)
      return Error{formatted("its map has more than {} functions", kMaxFunctions), name, ""};
    map.addresses_.push_back(address);
  }

  const FunctionSymbols symbols(file);
  std::vector<std::string_view> texts;
  texts.reserve(map.addresses_.size());
  for (const uint64_t address : map.addresses_) texts.push_back(symbols.at(address));
  map.texts_ = NameTexts(texts);
  return map;
}

}  // namespace barefxt::host
