// The bytes of a line as they came, in a file beside the archive.
//
// An older file stays until the capture ends, and is replaced only if bytes came. A new file exists
// and grows from the start. Signals remove neither: a trace comes once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../archive/file_aside.h"
#include "patience.h"

namespace barefxt::line {

class RawCopy {
 public:
  RawCopy() = default;
  ~RawCopy();
  RawCopy(const RawCopy&) = delete;
  RawCopy& operator=(const RawCopy&) = delete;

  // An empty path makes no copy. Waits for the reader of a pipe. Fails if the file cannot be made.
  host::Status create(const std::string& path, const Patience& patience);
  // Returns a failure once; nothing is written after it.
  host::Status append(std::span<const uint8_t> bytes, const Patience& patience);
  // Renames the copy over the older file, if there is one and bytes came.
  host::Status finish();

  bool is_wanted() const { return !path_.empty(); }
  bool has_failed() const { return has_failed_; }

 private:
  host::Status open_directly(const Patience& patience);
  host::Status fail(int error);

  std::string path_;
  std::string made_;  // the path of a file that was not there before
  std::optional<host::FileAside> aside_;
  int file_ = -1;  // without aside_
  uint64_t bytes_ = 0;
  bool has_failed_ = false;
};

}  // namespace barefxt::line
