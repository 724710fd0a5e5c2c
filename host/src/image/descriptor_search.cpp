#include "descriptor_search.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <barefxt/host/memory_image.h>
#include <barefxt/segment_header.h>
#include <barefxt/thread_entry.h>

#include "../archive/ordered_words.h"
#include "../rebuild/capture_content.h"
#include "fields.h"

namespace barefxt::host {
namespace {

// Files are looked through in steps, which overlap by what a magic number may reach into the next.
constexpr size_t kStep = size_t{16} << 20;

constexpr size_t kMagicBytes = sizeof Descriptor::magic;

struct Version {
  uint64_t magic_second;
  uint32_t bytes;
};
constexpr Version kVersions[] = {
    {kDescriptorMagicSecond, sizeof(Descriptor)},
    {kDescriptorMagicOfElfStrings, sizeof(Descriptor)},
    {0x747261636520ab01, offsetof(Descriptor, clock_offsets)},
};

// By the second word of the magic number, which is there; null if it is none.
const Version* version_at(const uint8_t* magic, ByteOrder order) {
  for (const Version& version : kVersions)
    if (load_word(magic + kMagicBytes / 2, order) == version.magic_second) return &version;
  return nullptr;
}

// Calls `each` with the offset of each magic number in the bytes, until it returns false.
template <typename Each>
bool for_each_magic(Bytes bytes, Each each) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    std::array<uint8_t, kMagicBytes / 2> first{};
    store_word(first.data(), kDescriptorMagicFirst, order);
    size_t at = 0;
    while (at + kMagicBytes <= bytes.size()) {
      const size_t count = bytes.size() - at - first.size();
      const void* found = memmem(bytes.data() + at, count, first.data(), first.size());
      if (found == nullptr) break;
      at = static_cast<size_t>(static_cast<const uint8_t*>(found) - bytes.data());
      if (version_at(bytes.data() + at, order) != nullptr && !each(at)) return false;
      at += first.size();
    }
  }
  return true;
}

Descriptor decode(Bytes bytes, ByteOrder order) {
  const ImageFields fields(bytes, order);
  Descriptor content{};
  const auto read = [&](auto& field, size_t at) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(fields.number(at, sizeof field));
  };
#define BAREFXT_READ_(member) read(content.member, offsetof(Descriptor, member))
  BAREFXT_READ_(checksum);
  BAREFXT_READ_(bytes);
  BAREFXT_READ_(capture);
  BAREFXT_READ_(strings_checksum);
  BAREFXT_READ_(ticks_per_second);
  BAREFXT_READ_(start_ticks);
  BAREFXT_READ_(wall_clock_ns);
  BAREFXT_READ_(memory);
  BAREFXT_READ_(segment_bytes);
  BAREFXT_READ_(segments_per_cpu);
  BAREFXT_READ_(segment_header_bytes);
  BAREFXT_READ_(cpus);
  BAREFXT_READ_(mode);
  BAREFXT_READ_(counter_flags);
  BAREFXT_READ_(rings);
  BAREFXT_READ_(ring_bytes);
  BAREFXT_READ_(max_cpus);
  BAREFXT_READ_(records_lost_at);
  BAREFXT_READ_(bytes_lost_at);
  BAREFXT_READ_(threads);
  BAREFXT_READ_(thread_entries);
  BAREFXT_READ_(thread_entry_bytes);
  BAREFXT_READ_(strings);
  BAREFXT_READ_(string_count);
  BAREFXT_READ_(address_bits);
  BAREFXT_READ_(target_bytes);
  BAREFXT_READ_(build_id_bytes);
  if (fields.has(offsetof(Descriptor, clock_offsets), sizeof content.clock_offsets))
    BAREFXT_READ_(clock_offsets);
#undef BAREFXT_READ_
  std::memcpy(content.target, bytes.data() + offsetof(Descriptor, target), sizeof content.target);
  std::memcpy(content.build_id, bytes.data() + offsetof(Descriptor, build_id),
              sizeof content.build_id);
  return content;
}

}  // namespace

std::optional<FoundDescriptor> descriptor_at(const Memory& memory, uint64_t address) {
  std::array<uint8_t, sizeof(Descriptor)> bytes{};
  const size_t read = memory.read(address, bytes);
  if (read < kMagicBytes) return {};
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    if (load_word(bytes.data(), order) != kDescriptorMagicFirst) continue;
    const Version* version = version_at(bytes.data(), order);
    if (version == nullptr || version->bytes > read) continue;
    const Bytes whole = Bytes(bytes).first(version->bytes);
    FoundDescriptor found{.address = address,
                          .order = order,
                          .bytes = version->bytes,
                          .content = decode(whole, order)};
    uint32_t sum = kChecksumBasis;
    for (size_t i = offsetof(Descriptor, bytes); i < whole.size(); ++i)
      sum = add_to_checksum(sum, whole[i]);
    found.checksum_is_right = sum == found.content.checksum;
    return found;
  }
  return {};
}

std::vector<FoundDescriptor> find_descriptors(const MemoryImage& image, const Memory& memory) {
  std::vector<FoundDescriptor> found;
  for (const Memory::Region& region : memory.regions()) {
    for (size_t at = 0; at < region.bytes.size(); at += kStep) {
      const size_t count = std::min(region.bytes.size() - at, kStep + kMagicBytes - 1);
      const bool go_on = for_each_magic(region.bytes.subspan(at, count), [&](size_t offset) {
        if (const auto one = descriptor_at(memory, region.address + at + offset))
          found.push_back(*one);
        return found.size() < kMaxDescriptors;
      });
      if (!go_on) return found;
      if (region.bytes.size() > kStep) image.release_memory();
    }
  }
  return found;
}

const char* nonsense_in(const FoundDescriptor& found) {
  const Descriptor& d = found.content;
  const bool is_power_of_two = (d.segment_bytes & (d.segment_bytes - 1)) == 0;
  if (d.bytes != found.bytes) return "its size";
  if (d.ticks_per_second == 0) return "the clock's rate";
  if (!is_power_of_two || d.segment_bytes < 512 || d.segment_bytes > 16384)
    return "the size of segments";
  if (d.segment_header_bytes != kSegmentHeaderBytes) return "the size of segments' headers";
  if (d.cpus == 0 || d.cpus > kMaxCpus || d.max_cpus < d.cpus || d.max_cpus > kMaxCpus)
    return "the number of CPUs";
  static constexpr uint64_t kMaxRingBytes = uint64_t{1} << 32;
  if (d.segments_per_cpu == 0 || d.segments_per_cpu > kMaxRingBytes / d.segment_bytes)
    return "the number of segments";
  static constexpr uint32_t kMaxControlBytes = 4096;
  static constexpr uint32_t kTotalBytes = 8;
  const auto is_outside = [&](uint32_t at) {
    return at > kMaxControlBytes || at + kTotalBytes > d.ring_bytes;
  };
  if (d.ring_bytes > kMaxControlBytes || is_outside(d.records_lost_at) ||
      is_outside(d.bytes_lost_at))
    return "the layout of the rings' control words";
  if ((d.thread_entry_bytes != sizeof(ThreadEntry) && d.thread_entry_bytes != kShortEntryBytes) ||
      d.thread_entries > 65536)
    return "the layout of the threads";
  if (d.address_bits != 32 && d.address_bits != 64) return "the size of addresses";
  if (d.target_bytes > Descriptor::kTargetBytes || d.build_id_bytes > Descriptor::kBuildIdBytes)
    return "the length of a name";
  return nullptr;
}

bool may_hold_trace(Source& file) {
  const Bytes bytes = file.bytes();
  bool found = false;
  for (size_t at = 0; at < bytes.size() && !found; at += kStep) {
    const size_t count = std::min(bytes.size() - at, kStep + kMagicBytes - 1);
    found = !for_each_magic(bytes.subspan(at, count), [](size_t) { return false; });
    file.release_before(at);
  }
  return found;
}

}  // namespace barefxt::host
