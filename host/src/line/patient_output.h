// Standard output whose reader may stall: no write blocks, so that a capture goes on beside it.
//
// Invariant: the reader gets whole texts, unless finish() gives up in the middle of one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <barefxt/host/status.h>

#include "patience.h"

namespace barefxt::line {

class PatientOutput {
 public:
  explicit PatientOutput(int descriptor);
  ~PatientOutput();
  PatientOutput(const PatientOutput&) = delete;
  PatientOutput& operator=(const PatientOutput&) = delete;

  // Writes what is left of the text before. Returns whether the next one may come.
  bool has_room();
  // Writes a text, as far as the reader takes it now; the rest follows by later calls.
  void write(std::string_view text);
  // Writes a text and waits for its reader. Fails if the reader takes no bytes, or if a write
  // failed at any time; a reader that has gone away is no failure.
  host::Status finish(std::string_view text, const Patience& patience);

  // A write failed, or the reader has gone away: nothing more is written.
  bool has_failed() const { return error_ != 0; }

 private:
  void write_waiting();
  ptrdiff_t write_piece(std::string_view piece) const;
  int handle() const { return own_ >= 0 ? own_ : descriptor_; }

  int descriptor_;
  int own_ = -1;  // the same pipe or terminal, opened again to be non-blocking
  bool is_socket_ = false;
  std::string waiting_;
  size_t written_ = 0;  // bytes of waiting_
  int error_ = 0;
};

}  // namespace barefxt::line
