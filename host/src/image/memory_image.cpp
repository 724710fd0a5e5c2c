#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <tuple>

#include <barefxt/fxt/reference.h>
#include <barefxt/host/memory_image.h>

namespace barefxt::host {
namespace {

using Region = Memory::Region;

bool is_before(const Region& left, const Region& right) {
  return std::tuple(left.address, left.bytes.data()) <
         std::tuple(right.address, right.bytes.data());
}

// The region that holds the address, or else the next one.
std::vector<Region>::const_iterator find(const std::vector<Region>& regions, uint64_t address) {
  const auto behind =
      std::upper_bound(regions.begin(), regions.end(), address,
                       [](uint64_t at, const Region& region) { return at < region.address; });
  if (behind != regions.begin() && std::prev(behind)->last() >= address) return std::prev(behind);
  return behind;
}

}  // namespace

uint64_t Memory::bytes() const {
  uint64_t sum = 0;
  for (const Region& region : regions_) sum += region.bytes.size();
  return sum;
}

size_t Memory::read(uint64_t address, std::span<uint8_t> to) const {
  size_t done = 0;
  for (auto region = find(regions_, address);
       region != regions_.end() && done < to.size() && region->address <= address; ++region) {
    const uint64_t skip = address - region->address;
    const size_t count = std::min<uint64_t>(to.size() - done, region->bytes.size() - skip);
    std::memcpy(to.data() + done, region->bytes.data() + skip, count);
    done += count;
    if (region->last() == std::numeric_limits<uint64_t>::max()) break;
    address = region->last() + 1;
  }
  return done;
}

std::optional<std::string> Memory::text(uint64_t address) const {
  std::string text;
  std::array<uint8_t, 256> part{};
  while (true) {
    const size_t count = read(address + text.size(), part);
    const auto* const end = std::find(part.data(), part.data() + count, uint8_t{0});
    text.append(static_cast<const uint8_t*>(part.data()), end);
    if (end != part.data() + count) return text;
    if (text.size() > fxt::kMaxStringBytes) return text.substr(0, fxt::kMaxStringBytes);
    if (count < part.size()) return {};
  }
}

std::optional<uint64_t> Memory::next(uint64_t address) const {
  const auto region = find(regions_, address);
  if (region == regions_.end()) return {};
  return std::max(address, region->address);
}

bool Memory::overlaps(const std::vector<Region>& others) const {
  return std::any_of(others.begin(), others.end(), [&](const Region& other) {
    const auto region = find(regions_, other.address);
    return region != regions_.end() && region->address <= other.last();
  });
}

void Memory::add(std::vector<Region> regions) {
  for (Region& region : regions) {
    // So many bytes may lie behind the first one.
    const uint64_t room = std::numeric_limits<uint64_t>::max() - region.address;
    if (region.bytes.size() - 1 > room) region.bytes = region.bytes.first(room + 1);
  }
  regions_.insert(regions_.end(), regions.begin(), regions.end());
  std::sort(regions_.begin(), regions_.end(), is_before);
  size_t kept = 0;
  for (const Region& region : regions_)
    if (kept == 0 || regions_[kept - 1].last() < region.address) regions_[kept++] = region;
  regions_.resize(kept);
}

bool MemoryImage::add(Source& file, const std::vector<Region>& by_virtual,
                      const std::vector<Region>& by_physical) {
  if (by_virtual_address_.overlaps(by_virtual) && by_physical_address_.overlaps(by_physical))
    return false;
  by_virtual_address_.add(by_virtual);
  by_physical_address_.add(by_physical);
  files_.push_back(&file);
  return true;
}

bool MemoryImage::add_raw(Source& file, uint64_t base) {
  if (file.bytes().empty()) return true;
  const std::vector<Region> whole = {{base, file.bytes()}};
  return add(file, whole, whole);
}

bool MemoryImage::add_core(Source& file, const ElfFile& core) {
  std::vector<Region> by_virtual;
  std::vector<Region> by_physical;
  for (const ElfFile::Segment& segment : core.segments()) {
    by_virtual.push_back({segment.virtual_address, segment.bytes});
    by_physical.push_back({segment.physical_address, segment.bytes});
    if (segment.virtual_address != segment.physical_address) has_one_address_ = false;
  }
  if (!add(file, by_virtual, by_physical)) return false;
  is_cut_ = is_cut_ || core.is_cut();
  return true;
}

uint64_t MemoryImage::file_bytes() const {
  uint64_t sum = 0;
  for (const Source* file : files_) sum += file->bytes().size();
  return sum;
}

void MemoryImage::release_memory() const {
  for (Source* file : files_) {
    file->release_before(0);
    file->release_before(file->bytes().size());
  }
}

}  // namespace barefxt::host
