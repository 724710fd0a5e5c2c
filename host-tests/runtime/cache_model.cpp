#include "cache_model.h"

#include <cstring>
#include <stdexcept>
#include <sys/mman.h>

namespace barefxt::test {

CacheModel::~CacheModel() {
  for (const Range& range : ranges_) ::munmap(range.memory, range.bytes);
}

void CacheModel::add(uint8_t* outside, uint8_t* program, size_t bytes) {
  void* copy = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
  if (copy == MAP_FAILED) throw std::runtime_error("mmap");
  ranges_.push_back({outside, program, static_cast<uint8_t*>(copy), bytes});
  lines_ += bytes / line_bytes_;
}

void CacheModel::fill(std::mt19937_64& random) {
  for (const Range& range : ranges_) {
    for (size_t at = 0; at < range.bytes; at += sizeof(uint64_t)) {
      const uint64_t word = random();
      std::memcpy(range.memory + at, &word, sizeof word);
    }
    std::memcpy(range.outside, range.memory, range.bytes);
  }
}

void CacheModel::clean(const void* start, size_t bytes) {
  const auto* first = static_cast<const uint8_t*>(start);
  for (const Range& range : ranges_) {
    if (first + bytes <= range.program || first >= range.program + range.bytes) continue;
    const auto offset = static_cast<size_t>(first < range.program ? 0 : first - range.program);
    const size_t end =
        std::min<size_t>(range.bytes, static_cast<size_t>(first + bytes - range.program));
    for (size_t at = offset / line_bytes_ * line_bytes_; at < end; at += line_bytes_)
      std::memcpy(range.memory + at, range.program + at, line_bytes_);
  }
}

void CacheModel::evict_one(std::mt19937_64& random) {
  size_t line = random() % lines_;
  for (const Range& range : ranges_) {
    const size_t lines = range.bytes / line_bytes_;
    if (line < lines) {
      clean(range.program + line * line_bytes_, 1);
      return;
    }
    line -= lines;
  }
}

void CacheModel::reset() {
  for (const Range& range : ranges_) std::memcpy(range.program, range.memory, range.bytes);
}

}  // namespace barefxt::test
