// A write-back cache in front of a machine's memory. The program sees its stores at once. Memory
// gets a whole line when that is cleaned, or evicted: at any point, in any order. A reset loses the
// rest.
//
// The program's own memory stands for the cache's view, and a copy beside it for the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace barefxt::test {

class CacheModel {
 public:
  explicit CacheModel(size_t line_bytes) : line_bytes_(line_bytes) {}
  ~CacheModel();
  CacheModel(const CacheModel&) = delete;
  CacheModel& operator=(const CacheModel&) = delete;

  // Memory behind the cache, aligned to its lines: `outside` is where it lies now, `program` where
  // the program has it. The copy is shared with the processes that are forked from here on.
  void add(uint8_t* outside, uint8_t* program, size_t bytes);
  // Fills both with random content, as after power-on.
  void fill(std::mt19937_64& random);

  // From within the program.
  void clean(const void* start, size_t bytes);
  void evict_one(std::mt19937_64& random);
  void reset();

 private:
  struct Range {
    uint8_t* outside;
    uint8_t* program;
    uint8_t* memory;
    size_t bytes;
  };
  std::vector<Range> ranges_;
  size_t line_bytes_;
  size_t lines_ = 0;
};

}  // namespace barefxt::test
