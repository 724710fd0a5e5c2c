#include "memory_builder.h"

#include <algorithm>

namespace barefxt::test {
namespace {

uint32_t fnv(const Bytes& bytes, size_t from = 0) {
  uint32_t sum = 0x811c9dc5;
  for (size_t i = from; i < bytes.size(); ++i) sum = (sum ^ bytes[i]) * 0x01000193;
  return sum;
}

void put(Bytes& image, uint64_t at, const Bytes& bytes) {
  if (image.size() < at + bytes.size()) image.resize(at + bytes.size());
  std::copy(bytes.begin(), bytes.end(), image.begin() + static_cast<ptrdiff_t>(at));
}

}  // namespace

TargetBytes& TargetBytes::integer(uint64_t value, int count) {
  for (int i = 0; i < count; ++i)
    bytes_.push_back(static_cast<uint8_t>(value >> (8 * (big_endian_ ? count - 1 - i : i))));
  return *this;
}

TargetBytes& TargetBytes::raw(const Bytes& bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

TargetBytes& TargetBytes::text(const std::string& text, size_t bytes) {
  const size_t end = bytes_.size() + bytes;
  return raw(Bytes(text.begin(), text.end())).zeros_up_to(end);
}

TargetBytes& TargetBytes::zeros_up_to(size_t size) {
  bytes_.resize(size);
  return *this;
}

TestMemory TestMemory::of(const TestCapture& capture) {
  TestMemory memory;
  memory.capture = capture;
  memory.big_endian = capture.big_endian;
  memory.rings.resize(capture.cpus);
  memory.lost.resize(kMaxCpus);
  for (const TestPiece& piece : capture.pieces) {
    TestSegment segment{.capture = capture.id,
                        .sequence = piece.segment,
                        .cpu = piece.cpu,
                        .records_lost = piece.records_lost,
                        .bytes_lost = piece.bytes_lost};
    if (!piece.clock.empty()) {
      segment.words = {13 | 6 << 4 | 2 << 16};
      segment.words.insert(segment.words.end(), piece.clock.begin(), piece.clock.end());
    }
    for (const Words& record : piece.records)
      segment.words.insert(segment.words.end(), record.begin(), record.end());
    memory.rings[piece.cpu].push_back(segment);
    memory.lost[piece.cpu] = {piece.records_lost, piece.bytes_lost};
  }
  return memory;
}

Bytes TestMemory::strings() const {
  // Distances first, then the texts.
  TargetBytes table(big_endian);
  Bytes texts;
  const size_t entries = capture.strings.size() * 4;
  for (size_t i = 0; i < capture.strings.size(); ++i) {
    table.u32(entries + texts.size() - i * 4);
    texts.insert(texts.end(), capture.strings[i].begin(), capture.strings[i].end());
    texts.push_back(0);
  }
  return table.raw(texts).bytes();
}

Bytes TestMemory::descriptor() const {
  const Bytes table = strings();
  const size_t entries = capture.strings.size() * 4;
  const bool has_clock_offsets = version > 1;
  TargetBytes rest(big_endian);
  rest.u32(kDescriptorBytes - (has_clock_offsets ? 0 : 8)).u32(capture.id);
  const bool has_table = version < 3;
  rest.u32(fnv({table.begin(), table.begin() + static_cast<ptrdiff_t>(has_table ? entries : 0)}));
  rest.u64(capture.ticks_per_second).u64(capture.start_ticks).u64(0);
  rest.u64(base + segments_at).u32(kSegmentBytes).u32(segments_per_cpu).u32(72);
  rest.u16(capture.cpus).u8(mode).u8(capture.counter_flags);
  rest.u64(base + kRings).u32(128).u32(kMaxCpus).u32(40).u32(48);
  rest.u64(base + kThreads).u32(16).u32(32);
  rest.u64(!has_table ? 0 : strings_elsewhere != 0 ? strings_elsewhere : base + kStrings);
  rest.u32(has_table ? capture.strings.size() : 0).u8(address_bits).u8(capture.target.size());
  rest.u8(capture.build_id.size()).u8(0).text(capture.target, 64).text(capture.build_id, 32);
  if (has_clock_offsets) rest.u64(capture.clocks.empty() ? 0 : base + kClockOffsets);
  TargetBytes whole(big_endian);
  whole.u64(0x6261726566787420).u64(0x747261636520ab00 + version);
  return whole.u32(fnv(rest.bytes())).raw(rest.bytes()).bytes();
}

Bytes TestMemory::segment(const TestSegment& segment) const {
  TargetBytes bytes(big_endian);
  const uint64_t mixed =
      (segment.records_lost ^ (segment.bytes_lost << 17 | segment.bytes_lost >> 47)) +
      (uint64_t{segment.capture} << 32 | segment.sequence);
  const uint32_t checksum =
      (static_cast<uint32_t>(mixed) ^ static_cast<uint32_t>(mixed >> 32) ^ 0x811c9dc5) +
      segment.cpu + (segment.checksum_is_wrong ? 1 : 0);
  bytes.u32(segment.state).u32(segment.capture).u32(segment.sequence);
  bytes.u32(segment.is_open ? 0 : 72 + segment.words.size() * 8);
  bytes.u64(segment.records_lost).u64(segment.bytes_lost).u32(segment.cpu).u32(checksum);
  for (const uint64_t amount : segment.overwritten) bytes.u64(amount);
  for (const uint64_t amount : segment.overwritten_with_content) bytes.u64(amount);
  for (const uint64_t word : segment.words) bytes.u64(word);
  return bytes.zeros_up_to(kSegmentBytes).bytes();
}

Bytes TestMemory::image() const {
  Bytes image(segments_at + uint64_t{capture.cpus} * segments_per_cpu * kSegmentBytes);
  put(image, kDescriptor, descriptor());
  for (size_t cpu = 0; cpu < lost.size(); ++cpu) {
    TargetBytes totals(big_endian);
    for (const uint64_t total : {lost[cpu].first, lost[cpu].second}) {
      if (address_bits == 64)
        totals.u64(total);
      else
        totals.u32(total & 0xffffffff).u32(total >> 31);
    }
    put(image, kRings + cpu * 128 + 40, totals.bytes());
  }
  TargetBytes offsets(big_endian);
  for (const auto& [ticks, error] : capture.clocks) {
    const bool is_known = error != ~uint64_t{0};
    offsets.u64(ticks).u32(is_known ? error : 0xffffffff).u32(0);
  }
  put(image, kClockOffsets, offsets.bytes());
  // An entry's place is its index; entries without one come behind.
  size_t next = 0;
  for (const TestThread& thread : capture.threads) next = std::max<size_t>(next, thread.index);
  for (const TestThread& thread : capture.threads) {
    ByteBuilder covered;  // little-endian on every target
    covered.u32(thread.koid).u32(thread.process).u8(thread.kind).u8(thread.name.size());
    const uint32_t sum = fnv(TargetBytes(false).raw(covered.bytes()).text(thread.name, 16).bytes());
    TargetBytes entry(big_endian);
    entry.u32(2).u32(thread.koid).u32(thread.process).u8(thread.kind).u8(thread.name.size());
    entry.u16((sum ^ sum >> 16) & 0xffff).text(thread.name, 16);
    put(image, kThreads + 32 * (thread.index != 0 ? thread.index - 1 : next++), entry.bytes());
  }
  if (strings_elsewhere == 0 && version < 3) put(image, kStrings, strings());
  for (size_t cpu = 0; cpu < rings.size(); ++cpu)
    for (size_t slot = 0; slot < rings[cpu].size(); ++slot)
      put(image, segments_at + (cpu * segments_per_cpu + slot) * kSegmentBytes,
          segment(rings[cpu][slot]));
  return image;
}

Bytes make_elf(const std::vector<TestLoad>& loads, bool big_endian, unsigned bits,
               const std::vector<std::pair<std::string, uint64_t>>& symbols, bool is_core,
               unsigned machine) {
  static constexpr unsigned kArm = 40;
  const bool is_64 = bits == 64;
  const int address = is_64 ? 8 : 4;
  const size_t header_bytes = is_64 ? 64 : 52;
  const size_t load_bytes = is_64 ? 56 : 32;
  const size_t section_bytes = is_64 ? 64 : 40;
  const size_t symbol_bytes = is_64 ? 24 : 16;
  const unsigned sections = symbols.empty() ? 0 : 3;

  // Content: the segments' bytes, the symbols, their names; and then the table of sections.
  size_t at = header_bytes + loads.size() * load_bytes;
  TargetBytes segments(big_endian);
  TargetBytes content(big_endian);
  for (const TestLoad& load : loads) {
    segments.u32(1);
    if (is_64) segments.u32(6);
    segments.integer(at + content.bytes().size(), address);
    segments.integer(load.virtual_address, address).integer(load.physical_address, address);
    segments.integer(load.bytes.size(), address).integer(load.bytes.size(), address);
    if (!is_64) segments.u32(6);
    segments.integer(0, address);
    content.raw(load.bytes);
  }
  const size_t symbols_at = at + content.bytes().size();
  std::string names(1, '\0');
  TargetBytes table(big_endian);
  for (const auto& [name, value] : symbols) {
    table.u32(names.size());
    if (is_64)
      table.u8(17).u8(0).u16(1).u64(value).u64(0);
    else
      table.u32(value).u32(0).u8(machine == kArm && value % 2 != 0 ? 18 : 17).u8(0).u16(1);
    names += name + '\0';
  }
  content.raw(table.bytes()).raw(Bytes(names.begin(), names.end()));
  const size_t names_at = symbols_at + table.bytes().size();
  const size_t sections_at = at + content.bytes().size();
  const auto add_section = [&](unsigned type, size_t offset, size_t size, unsigned link,
                               size_t entry) {
    content.u32(0).u32(type).integer(0, address).integer(0, address);
    content.integer(offset, address).integer(size, address).u32(link).u32(0);
    content.integer(0, address).integer(entry, address);
  };
  if (sections != 0) {
    add_section(0, 0, 0, 0, 0);
    add_section(2, symbols_at, symbols.size() * symbol_bytes, 2, symbol_bytes);
    add_section(3, names_at, names.size(), 0, 0);
  }

  TargetBytes file(big_endian);
  file.u8(0x7f).raw({'E', 'L', 'F'}).u8(is_64 ? 2 : 1).u8(big_endian ? 2 : 1).u8(1);
  file.zeros_up_to(16).u16(is_core ? 4 : 2).u16(machine).u32(1).integer(0, address);
  file.integer(header_bytes, address).integer(sections != 0 ? sections_at : 0, address).u32(0);
  file.u16(header_bytes).u16(load_bytes).u16(loads.size());
  file.u16(section_bytes).u16(sections).u16(0);
  return file.raw(segments.bytes()).raw(content.bytes()).bytes();
}

}  // namespace barefxt::test
