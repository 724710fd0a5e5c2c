// A large archive, in a file, of a kernel that is busy: four CPUs, 64 threads, interrupts,
// durations, locks, counters and flows that begin and end, so that statistics have all of it to do.
#pragma once

#include <cstdint>
#include <string>

namespace barefxt::test {

class BusyArchive {
 public:
  // At least this many records.
  explicit BusyArchive(uint64_t records);
  BusyArchive(const BusyArchive&) = delete;
  BusyArchive& operator=(const BusyArchive&) = delete;
  ~BusyArchive();

  const std::string& path() const { return path_; }
  uint64_t records() const { return records_; }

 private:
  std::string path_;
  uint64_t records_ = 0;
};

}  // namespace barefxt::test
