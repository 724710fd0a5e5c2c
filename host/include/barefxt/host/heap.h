// Heaps of an archive: who holds how much, when it was most, and what was not given back.
// port/README.md shows the use, and defines the numbers.
//
// Invariants: a leak is certain. If records were lost between a block's allocation and the end, its
// free may be among them: it is unknown. Memory is bounded, and the work is that of an archive in
// order times the logarithm of the live blocks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/code_places.h>
#include <barefxt/host/distribution.h>
#include <barefxt/host/function_names.h>
#include <barefxt/host/stats.h>

namespace barefxt::host {

// A moment of a trace: a time, or the first instant of a name.
struct HeapMoment {
  std::optional<TimeBound> time = {};
  std::string marker = {};  // empty: not by a marker
};

struct HeapOptions {
  HeapMoment from;  // of the trace: neither
  HeapMoment to;
  size_t sorted_in_memory = size_t{1} << 16;  // events, in an archive that is not in order
};

struct HeapAmount {
  uint64_t blocks = 0;
  uint64_t bytes = 0;
};

// By call site, or by thread.
struct HeapHolder {
  HeapAmount live;       // at the end
  HeapAmount unknown;    // of these: perhaps freed, in a record that was lost
  HeapAmount at_peak;    // when all together held most
  HeapAmount allocated;  // in all
  HeapAmount freed;      // of its blocks, by whichever thread; also by resizing
  uint64_t failed = 0;   // allocations
  // Only blocks that were freed with nothing lost in between.
  Distribution lifetimes;
  // Allocated in the stretch, and live at its end.
  HeapAmount leaked;
  HeapAmount perhaps_leaked;
  uint64_t first_leak = 0;
  uint64_t last_leak = 0;
};

struct HeapPoolStatistics {
  std::string name;
  uint64_t begin = 0;
  uint64_t bytes = 0;
  HeapAmount live;
  uint64_t peak_bytes = 0;
  uint64_t largest_hole = 0;  // between live blocks, at the end
  bool is_known = false;      // all of its blocks are

  // The part of the free bytes that is not in the largest hole. Headers of the allocator's count as
  // free.
  std::optional<double> fragmentation() const;
};

// A part of the stretch, all of them equally long.
struct HeapPart {
  uint64_t end = 0;  // time
  HeapAmount live;   // then
  uint64_t most_bytes = 0;
  uint64_t allocations = 0;
};

struct HeapStatistics {
  static constexpr size_t kParts = 60;
  static constexpr size_t kSizes = 65;               // by bits
  static constexpr uint64_t kOthers = ~uint64_t{0};  // holders beyond the limit

  Statistics trace;  // counts and names
  uint64_t from = 0;
  uint64_t to = 0;
  bool has_events = false;
  bool has_lost_in_stretch = false;
  uint64_t losses = 0;
  HeapAmount allocated;
  HeapAmount failed;
  uint64_t frees = 0;
  uint64_t unknown_frees = 0;  // of blocks whose allocation is not recorded
  uint64_t missing_frees = 0;  // blocks that were allocated again while they were live
  HeapAmount live;
  HeapAmount unknown;
  HeapAmount peak;
  uint64_t peak_time = 0;
  bool is_peak_known = true;             // nothing was lost until then
  std::array<uint64_t, kSizes> sizes{};  // allocations of 0 bytes, of 1, of 2 and 3, of 4 to 7, ...
  Distribution lifetimes;
  std::map<uint64_t, HeapHolder> sites;  // by the caller's address
  std::map<uint64_t, HeapHolder> threads;
  std::vector<HeapPoolStatistics> pools;
  std::vector<HeapPart> parts;
  uint64_t left_out = 0;  // blocks and holders

  HeapAmount leaked() const;
  HeapAmount perhaps_leaked() const;
};

Result<HeapStatistics> collect_heap(Source& source, Form form, const HeapOptions& options);

// Names call sites by a program's symbols and lines.
class HeapSites {
 public:
  // Null: addresses are their own names. `program` must outlive it.
  HeapSites(const ElfFile* program, const HeapStatistics& heap);
  struct Site {
    std::string function;
    std::string place;  // "file:line"; empty: not known
  };
  Site site(uint64_t caller) const;

 private:
  std::optional<FunctionSymbols> symbols_;
  CodePlaces places_;
};

void print_heap(Output& out, const HeapStatistics& heap, const HeapSites& sites,
                const TextLook& look);
void print_leaks(Output& out, const HeapStatistics& heap, const HeapSites& sites,
                 const TextLook& look);
// One object, for programs: with all of it.
void print_heap_json(Output& out, const HeapStatistics& heap, const HeapSites& sites);

}  // namespace barefxt::host
