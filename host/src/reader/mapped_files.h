// The memory of mapped files, for the handler of SIGBUS.
#pragma once

#include <cstddef>

namespace barefxt::host {

class MappedFiles {
 public:
  // More than 64 at a time are not registered: cutting one of those ends the process.
  static void add(const void* data, size_t size);
  static void remove(const void* data);
};

}  // namespace barefxt::host
