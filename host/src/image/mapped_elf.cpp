// A map that the program has is changed in place. Additions go behind the file's end: the map, the
// names of sections with that of the map, and the table of sections with both. Only the header,
// which points there, changes.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <barefxt/host/function_names.h>
#include <barefxt/host/mapped_elf.h>

namespace barefxt::host {
namespace {

constexpr std::string_view kMapName{"xray_instr_map\0", 15};
constexpr uint16_t kArm = 40;
constexpr uint16_t kX86_64 = 62;
constexpr uint16_t kAArch64 = 183;

constexpr uint32_t kProgramBits = 1;  // a section's type
constexpr uint32_t kAllocated = 2;    // a flag of sections

// A limit for the section names, whose size the file claims.
constexpr uint64_t kMaxNamesBytes = uint64_t{16} << 20;

// The header has two bytes for their number.
constexpr size_t kMaxSections = 0xffff;

// Holds the changes and additions only: the file itself may be larger than memory.
class Copy {
 public:
  Copy(const ElfFile& program, Bytes bytes)
      : program_(program), original_(bytes), is_64_(program.is_64()) {}

  Status write(const std::string& name, ByteSink& sink, const ReleaseBefore& release_before);
  // Replaces map entries that LLVM 19 refuses. Returns how many there are.
  size_t change_kinds(Bytes map);
  Status write_changed(ByteSink& sink, const ReleaseBefore& release_before);

 private:
  size_t word() const { return is_64_ ? 8 : 4; }
  // Reads the original file.
  uint64_t number(size_t at, size_t count) const {
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i) value |= uint64_t{original_[place(at, i, count)]} << (8 * i);
    return value;
  }
  void set_byte(size_t at, uint8_t value) {
    if (at < original_.size()) {
      changes_.push_back({at, changes_.size(), value});
    } else {
      added_[at - original_.size()] = value;
    }
  }
  void set(size_t at, uint64_t value, size_t count) {
    for (size_t i = 0; i < count; ++i)
      set_byte(place(at, i, count), static_cast<uint8_t>(value >> (8 * i)));
  }
  void copy(size_t to, size_t from, size_t count) {
    std::memcpy(added_.data() + (to - original_.size()), original_.data() + from, count);
  }
  size_t place(size_t at, size_t i, size_t count) const {
    return at + (program_.byte_order() == ByteOrder::kBig ? count - 1 - i : i);
  }
  // Room at the end, zeroed. Returns where.
  size_t add(size_t count) {
    const size_t end = original_.size() + added_.size();
    const size_t begin = (end + word() - 1) / word() * word();
    added_.resize(begin + count - original_.size());
    return begin;
  }

  size_t add_map();
  // The section that gets the map: an empty one of that name, which linkers make where its ends are
  // asked for, else a new one (`count`). Nothing if the names cannot be read, or if a section of
  // that name has content, which lies outside the file.
  std::optional<size_t> place_of_map(size_t table, size_t count, size_t section_bytes, size_t names,
                                     size_t names_bytes) const;

  struct Change {
    size_t offset;  // in the original
    size_t order;   // the last one wins
    uint8_t value;
  };

  const ElfFile& program_;
  Bytes original_;
  std::vector<Change> changes_;
  std::vector<uint8_t> added_;  // behind the original
  bool is_64_;
};

Status Copy::write_changed(ByteSink& sink, const ReleaseBefore& release_before) {
  constexpr size_t kWriteStep = size_t{1} << 20;
  // Not std::stable_sort: clang warns of what libstdc++ 12 makes it of.
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.order < b.order;
  });
  auto change = changes_.begin();
  std::vector<uint8_t> piece;
  for (size_t at = 0; at < original_.size(); at += kWriteStep) {
    const Bytes from = original_.subspan(at, std::min(kWriteStep, original_.size() - at));
    piece.assign(from.begin(), from.end());
    for (; change != changes_.end() && change->offset < at + piece.size(); ++change)
      piece[change->offset - at] = change->value;
    if (Status status = sink.write(piece); !status.ok()) return status;
    if (release_before) release_before(at);
  }
  return sink.write(added_);
}

// Two entries a function, as XRay's readers expect: one at its begin, one for its end. The address
// of the end is unknown, so that entry repeats the begin's. With whole addresses (version 0).
size_t Copy::add_map() {
  const FunctionSymbols symbols(program_);
  const size_t entry_bytes = 4 * word();
  const size_t begin = add(2 * entry_bytes * symbols.all().size());
  size_t at = begin;
  for (const ElfFile::Function& function : symbols.all())
    for (uint8_t kind = 0; kind < 2; ++kind, at += entry_bytes) {
      set(at, function.address, word());
      set(at + word(), function.address, word());
      set_byte(at + 2 * word(), kind);
      set_byte(at + 2 * word() + 1, 1);
    }
  return begin;
}

size_t Copy::change_kinds(Bytes map) {
  constexpr uint8_t kCustomEvent = 4;
  constexpr uint8_t kTypedEvent = 5;
  const size_t entry_bytes = 4 * word();
  size_t changed = 0;
  for (size_t at = 2 * word(); at < map.size(); at += entry_bytes) {
    if (map[at] != kTypedEvent) continue;
    set_byte(static_cast<size_t>(map.data() - original_.data()) + at, kCustomEvent);
    ++changed;
  }
  return changed;
}

std::optional<size_t> Copy::place_of_map(size_t table, size_t count, size_t section_bytes,
                                         size_t names, size_t names_bytes) const {
  const size_t size_at = 8 + 3 * word();
  std::optional<size_t> place;
  for (size_t i = 0; i < count; ++i) {
    const size_t section = table + i * section_bytes;
    const uint64_t name = number(section, 4);
    // A name behind the last one would be that of the map, which is put there.
    if (name >= names_bytes) return {};
    if (names_bytes - name < kMapName.size() ||
        std::memcmp(original_.data() + names + name, kMapName.data(), kMapName.size()) != 0)
      continue;
    if (number(section + size_at, word()) != 0) return {};
    if (!place) place = i;
  }
  return place.value_or(count);
}

Status Copy::write(const std::string& name, ByteSink& sink, const ReleaseBefore& release_before) {
  // Offsets in the header and in a section, in files of 32 and of 64 bits.
  const size_t sections_at = is_64_ ? 40 : 32;
  const size_t section_bytes_at = is_64_ ? 58 : 46;
  const size_t section_bytes = is_64_ ? 64 : 40;
  constexpr size_t kMachineAt = 18;
  const size_t flags_at = 8;
  const size_t address_at = 8 + word();
  const size_t offset_at = address_at + word();
  const size_t size_at = offset_at + word();
  const size_t alignment_at = is_64_ ? 48 : 32;

  Error damaged{"an ELF file without a table of sections that can be read", name, ""};
  const uint64_t table = number(sections_at, word());
  const uint64_t count = number(section_bytes_at + 2, 2);
  const uint64_t names = number(section_bytes_at + 4, 2);
  if (number(section_bytes_at, 2) != section_bytes || names >= count || table > original_.size() ||
      (original_.size() - table) / section_bytes < count)
    return damaged;
  const size_t name_section = table + names * section_bytes;
  const uint64_t names_offset = number(name_section + offset_at, word());
  const uint64_t names_bytes = number(name_section + size_at, word());
  if (names_offset > original_.size() || names_bytes > original_.size() - names_offset ||
      names_bytes > kMaxNamesBytes)
    return damaged;

  const std::optional<size_t> place =
      place_of_map(table, count, section_bytes, names_offset, names_bytes);
  const size_t sections = std::max<size_t>(place.value_or(0) + 1, count);
  if (!place || sections > kMaxSections) return damaged;
  const size_t map = add_map();
  const size_t map_bytes = original_.size() + added_.size() - map;
  const size_t new_names = add(names_bytes + kMapName.size());
  copy(new_names, names_offset, names_bytes);
  for (size_t i = 0; i < kMapName.size(); ++i)
    set_byte(new_names + names_bytes + i, static_cast<uint8_t>(kMapName[i]));
  const size_t new_table = add(sections * section_bytes);
  copy(new_table, table, count * section_bytes);

  const size_t moved_names = new_table + names * section_bytes;
  set(moved_names + offset_at, new_names, word());
  set(moved_names + size_at, names_bytes + kMapName.size(), word());
  const size_t map_section = new_table + *place * section_bytes;
  set(map_section, names_bytes, 4);
  set(map_section + 4, kProgramBits, 4);
  set(map_section + flags_at, kAllocated, word());
  set(map_section + address_at, 0, word());
  set(map_section + offset_at, map, word());
  set(map_section + size_at, map_bytes, word());
  set(map_section + alignment_at, word(), word());
  set(sections_at, new_table, word());
  set(section_bytes_at + 2, sections, 2);

  const uint64_t machine = number(kMachineAt, 2);
  if (machine != kArm && machine != kX86_64 && machine != kAArch64)
    set(kMachineAt, is_64_ ? kAArch64 : kArm, 2);
  return write_changed(sink, release_before);
}

}  // namespace

Status write_mapped_elf(const ElfFile& program, Bytes bytes, const std::string& name,
                        ByteSink& sink, const ReleaseBefore& release_before) {
  const std::optional<ElfFile::Section> map = program.section("xray_instr_map");
  if (map && !map->bytes.empty()) {
    Copy copy(program, bytes);
    if (copy.change_kinds(map->bytes) != 0) return copy.write_changed(sink, release_before);
    return Error{"has a map of instrumented functions that llvm-xray reads", name,
                 "use the program itself"};
  }
  if (program.functions().empty())
    return Error{"has no symbols of functions", name, "name the program before it was stripped"};
  return Copy(program, bytes).write(name, sink, release_before);
}

}  // namespace barefxt::host
