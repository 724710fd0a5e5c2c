#include <algorithm>
#include <array>
#include <cstring>

#include <barefxt/host/elf_file.h>

#include "fields.h"

namespace barefxt::host {
namespace {

// The position of a field, by class: in files of 32 and of 64 bits.
struct FieldPlace {
  size_t in_32;
  size_t in_64;
};

constexpr size_t kClass = 4;
constexpr size_t kData = 5;

struct Header {
  static constexpr FieldPlace kBytes = {52, 64};
  static constexpr FieldPlace kSegments = {28, 32};
  static constexpr FieldPlace kSections = {32, 40};
  static constexpr FieldPlace kSegmentBytes = {42, 54};
  static constexpr FieldPlace kSegmentCount = {44, 56};
  static constexpr FieldPlace kSectionBytes = {46, 58};
  static constexpr FieldPlace kSectionCount = {48, 60};
  static constexpr FieldPlace kSectionNames = {50, 62};
  static constexpr size_t kMachine = 18;
  static constexpr uint16_t kArm = 40;
};
struct SegmentPlace {
  static constexpr FieldPlace kBytes = {32, 56};
  static constexpr FieldPlace kOffset = {4, 8};
  static constexpr FieldPlace kVirtual = {8, 16};
  static constexpr FieldPlace kPhysical = {12, 24};
  static constexpr FieldPlace kFileBytes = {16, 32};
  static constexpr uint32_t kLoad = 1;
};
struct SectionPlace {
  static constexpr FieldPlace kBytes = {40, 64};
  static constexpr size_t kName = 0;
  static constexpr size_t kType = 4;
  static constexpr FieldPlace kAddress = {12, 16};
  static constexpr FieldPlace kOffset = {16, 24};
  static constexpr FieldPlace kSize = {20, 32};
  static constexpr FieldPlace kLink = {24, 40};
  static constexpr FieldPlace kEntryBytes = {36, 56};
  static constexpr uint32_t kSymbols = 2;
  static constexpr uint32_t kDynamicSymbols = 11;
  static constexpr uint32_t kNoBytes = 8;
};
struct Symbol {
  static constexpr FieldPlace kBytes = {16, 24};
  static constexpr FieldPlace kValue = {4, 8};
  static constexpr FieldPlace kSize = {8, 16};
  static constexpr FieldPlace kSection = {14, 6};
  static constexpr FieldPlace kInfo = {12, 4};
  static constexpr uint8_t kFunction = 2;
};

// The fields of one class and byte order.
class ElfFields : public ImageFields {
 public:
  ElfFields(Bytes bytes, ByteOrder order, bool is_64) : ImageFields(bytes, order), is_64_(is_64) {}

  size_t place(const FieldPlace& place) const { return is_64_ ? place.in_64 : place.in_32; }
  uint64_t address(size_t base, const FieldPlace& at) const {
    return number(base + place(at), is_64_ ? 8 : 4);
  }
  uint16_t half(const FieldPlace& at) const { return u16(place(at)); }
  // The position of entry `index` of a table; nothing if it lies outside the file.
  std::optional<size_t> entry(uint64_t table, uint64_t index, uint64_t bytes, size_t least) const {
    uint64_t offset = 0;
    if (bytes < least || __builtin_mul_overflow(index, bytes, &offset) ||
        __builtin_add_overflow(offset, table, &offset) || !has(offset, least))
      return {};
    return static_cast<size_t>(offset);
  }

 private:
  bool is_64_;
};

}  // namespace

bool ElfFile::is_elf(Bytes bytes) {
  static constexpr std::array<uint8_t, 4> kMagic = {0x7f, 'E', 'L', 'F'};
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

bool ElfFile::is_core(Bytes bytes) {
  constexpr size_t kType = 16;
  constexpr uint8_t kCore = 4;
  if (!is_elf(bytes)) return false;
  return bytes.size() < kType + 2 || bytes[kType] + bytes[kType + 1] == kCore;
}

Result<ElfFile> ElfFile::parse(Bytes bytes, const std::string& name) {
  if (!is_elf(bytes)) return Error{"not an ELF file", name, ""};
  const Error damaged{"an ELF file whose header is damaged", name, ""};
  if (bytes.size() < Header::kBytes.in_32) return damaged;
  const bool is_64 = bytes[kClass] == 2;
  if ((bytes[kClass] != 1 && !is_64) || (bytes[kData] != 1 && bytes[kData] != 2) ||
      bytes.size() < (is_64 ? Header::kBytes.in_64 : Header::kBytes.in_32))
    return damaged;
  ElfFile file(bytes, bytes[kData] == 2 ? ByteOrder::kBig : ByteOrder::kLittle, is_64);
  file.read_segments();
  if (file.has_too_many_functions())
    return Error{formatted("has more than {} symbols of functions", kMaxFunctions), name, ""};
  return file;
}

void ElfFile::read_segments() {
  const ElfFields fields(bytes_, order_, is_64_);
  const uint64_t table = fields.address(0, Header::kSegments);
  const size_t entry_bytes = fields.half(Header::kSegmentBytes);
  uint64_t left = bytes_.size();
  for (size_t i = 0; i < fields.half(Header::kSegmentCount); ++i) {
    const std::optional<size_t> entry =
        fields.entry(table, i, entry_bytes, fields.place(SegmentPlace::kBytes));
    if (!entry) {
      is_cut_ = true;
      return;
    }
    if (fields.u32(*entry) != SegmentPlace::kLoad) continue;
    const uint64_t offset = fields.address(*entry, SegmentPlace::kOffset);
    const uint64_t claimed = fields.address(*entry, SegmentPlace::kFileBytes);
    const uint64_t there = offset < bytes_.size() ? bytes_.size() - offset : 0;
    const uint64_t count = std::min({claimed, there, left});
    if (count < claimed) is_cut_ = true;
    if (count == 0) continue;
    left -= count;
    segments_.push_back({.virtual_address = fields.address(*entry, SegmentPlace::kVirtual),
                         .physical_address = fields.address(*entry, SegmentPlace::kPhysical),
                         .bytes = bytes_.subspan(offset, count)});
  }
}

bool ElfFile::is_arm32() const {
  return !is_64_ && ElfFields(bytes_, order_, is_64_).u16(Header::kMachine) == Header::kArm;
}

// Returns an empty text if it has no end within the file. Reads at most kMaxNameBytes: many symbols
// may share one long text.
std::string_view ElfFile::text_at(uint64_t names, uint64_t offset) const {
  uint64_t at = 0;
  if (__builtin_add_overflow(names, offset, &at) || at >= bytes_.size()) return {};
  const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at;
  const size_t most = std::min<size_t>(bytes_.size() - at, kMaxNameBytes);
  const size_t length = ::strnlen(begin, most);
  return length < bytes_.size() - at ? std::string_view(begin, length) : std::string_view();
}

template <typename See>
void ElfFile::for_each_symbol(const See& see) const {
  const ElfFields fields(bytes_, order_, is_64_);
  const uint64_t table = fields.address(0, Header::kSections);
  const size_t section_bytes = fields.half(Header::kSectionBytes);
  const auto section = [&](uint64_t index) {
    return fields.entry(table, index, section_bytes, fields.place(SectionPlace::kBytes));
  };
  // Overlapping tables of a damaged file must not cost more: no more symbols are read than the file
  // can hold.
  uint64_t left = bytes_.size() / Symbol::kBytes.in_32;
  for (size_t i = 0; i < fields.half(Header::kSectionCount); ++i) {
    const std::optional<size_t> at = section(i);
    if (!at) return;
    const uint32_t type = fields.u32(*at + SectionPlace::kType);
    if (type != SectionPlace::kSymbols && type != SectionPlace::kDynamicSymbols) continue;
    const std::optional<size_t> names_at =
        section(fields.u32(*at + fields.place(SectionPlace::kLink)));
    if (!names_at) continue;
    const uint64_t names = fields.address(*names_at, SectionPlace::kOffset);
    const uint64_t symbols = fields.address(*at, SectionPlace::kOffset);
    const uint64_t entry_bytes = fields.address(*at, SectionPlace::kEntryBytes);
    if (entry_bytes == 0) continue;
    const uint64_t count = fields.address(*at, SectionPlace::kSize) / entry_bytes;
    for (uint64_t s = 0; s < count && left != 0; ++s, --left) {
      const std::optional<size_t> entry =
          fields.entry(symbols, s, entry_bytes, fields.place(Symbol::kBytes));
      if (!entry) break;
      const bool is_defined = fields.u16(*entry + fields.place(Symbol::kSection)) != 0;
      if (is_defined && !see(*entry, names)) return;
    }
  }
}

std::optional<uint64_t> ElfFile::symbol(std::string_view name) const {
  const ElfFields fields(bytes_, order_, is_64_);
  std::optional<uint64_t> value;
  const auto is_named = [&](uint64_t names, uint64_t at) {
    uint64_t offset = 0;
    if (__builtin_add_overflow(names, at, &offset) || !fields.has(offset, name.size() + 1))
      return false;
    return std::memcmp(bytes_.data() + offset, name.data(), name.size()) == 0 &&
           bytes_[offset + name.size()] == 0;
  };
  for_each_symbol([&](size_t entry, uint64_t names) {
    if (is_named(names, fields.u32(entry))) value = fields.address(entry, Symbol::kValue);
    return !value.has_value();
  });
  return value;
}

std::optional<ElfFile::Section> ElfFile::section(std::string_view name) const {
  const ElfFields fields(bytes_, order_, is_64_);
  const uint64_t table = fields.address(0, Header::kSections);
  const size_t section_bytes = fields.half(Header::kSectionBytes);
  const auto entry = [&](uint64_t index) {
    return fields.entry(table, index, section_bytes, fields.place(SectionPlace::kBytes));
  };
  const std::optional<size_t> names_at = entry(fields.half(Header::kSectionNames));
  if (!names_at) return {};
  const uint64_t names = fields.address(*names_at, SectionPlace::kOffset);
  for (size_t i = 0; i < fields.half(Header::kSectionCount); ++i) {
    const std::optional<size_t> at = entry(i);
    if (!at) return {};
    if (fields.u32(*at + SectionPlace::kType) == SectionPlace::kNoBytes) continue;
    if (text_at(names, fields.u32(*at + SectionPlace::kName)) != name) continue;
    const uint64_t offset = fields.address(*at, SectionPlace::kOffset);
    const uint64_t size = fields.address(*at, SectionPlace::kSize);
    if (!fields.has(offset, size)) return {};
    return Section{.address = fields.address(*at, SectionPlace::kAddress),
                   .bytes = bytes_.subspan(static_cast<size_t>(offset), static_cast<size_t>(size))};
  }
  return {};
}

Bytes ElfFile::build_id() const {
  constexpr uint32_t kBuildId = 3;
  constexpr size_t kNameAt = 12;  // behind the sizes of name and content, and the type
  constexpr std::string_view kGnu("GNU\0", 4);
  const std::optional<Section> section = this->section(".note.gnu.build-id");
  if (!section || section->bytes.size() < kNameAt + kGnu.size()) return {};
  const ImageFields note(section->bytes, order_);
  const uint32_t size = note.u32(4);
  const Bytes content = section->bytes.subspan(kNameAt + kGnu.size());
  if (note.u32(0) != kGnu.size() || note.u32(8) != kBuildId || size > content.size() ||
      std::memcmp(section->bytes.data() + kNameAt, kGnu.data(), kGnu.size()) != 0)
    return {};
  return content.first(size);
}

bool ElfFile::has_too_many_functions() const {
  const ElfFields fields(bytes_, order_, is_64_);
  size_t functions = 0;
  for_each_symbol([&](size_t entry, uint64_t) {
    const bool is_function =
        (fields.u8(entry + fields.place(Symbol::kInfo)) & 0xfu) == Symbol::kFunction;
    functions += is_function ? 1 : 0;
    return functions <= kMaxFunctions;
  });
  return functions > kMaxFunctions;
}

std::vector<ElfFile::Function> ElfFile::functions() const {
  const ElfFields fields(bytes_, order_, is_64_);
  std::vector<Function> functions;
  for_each_symbol([&](size_t entry, uint64_t names) {
    if ((fields.u8(entry + fields.place(Symbol::kInfo)) & 0xfu) == Symbol::kFunction)
      functions.push_back({.address = fields.address(entry, Symbol::kValue),
                           .name = text_at(names, fields.u32(entry)),
                           .bytes = fields.address(entry, Symbol::kSize)});
    return true;
  });
  return functions;
}

}  // namespace barefxt::host
