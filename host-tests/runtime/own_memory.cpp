#include "own_memory.h"

#include <fstream>

#include <barefxt/clock_offset.h>
#include <barefxt/descriptor.h>

namespace barefxt::test {

std::vector<MemoryFile> own_memory() {
  const Descriptor& trace = barefxt_descriptor;
  std::vector<MemoryFile> files;
  const auto add = [&](uint64_t address, size_t bytes) {
    const auto* from = reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(address));
    files.push_back({{from, from + bytes}, address});
  };
  add(reinterpret_cast<uintptr_t>(&trace), sizeof trace);
  add(trace.rings, size_t{trace.max_cpus} * trace.ring_bytes);
  add(trace.threads, size_t{trace.thread_entries} * trace.thread_entry_bytes);
  add(trace.memory, size_t{trace.cpus} * trace.segments_per_cpu * trace.segment_bytes);
  if (trace.clock_offsets != 0)
    add(trace.clock_offsets, size_t{trace.max_cpus} * sizeof(StoredClockOffset));
  return files;
}

const Bytes& own_program() {
  static const Bytes program = [] {
    // At once: tens of megabytes byte by byte take seconds under sanitizers.
    std::ifstream self("/proc/self/exe", std::ios::binary | std::ios::ate);
    Bytes bytes(static_cast<size_t>(self.tellg()));
    self.seekg(0);
    self.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }();
  return program;
}

}  // namespace barefxt::test
