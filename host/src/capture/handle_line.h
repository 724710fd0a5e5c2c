// Lines that are a file descriptor and no more.
#pragma once

#include "line.h"

namespace barefxt::capture {

// One read of a descriptor that may be set not to block.
ReadResult read_handle(int handle, std::span<uint8_t> into);

// Owns the descriptor.
class HandleLine : public Line {
 public:
  HandleLine(std::string name, int handle) : Line(std::move(name)), handle_(handle) {}
  ~HandleLine() override;
  HandleLine(const HandleLine&) = delete;
  HandleLine& operator=(const HandleLine&) = delete;

  int handle() const override { return handle_; }
  ReadResult read(std::span<uint8_t> into) override { return read_handle(handle_, into); }

 private:
  int handle_;
};

}  // namespace barefxt::capture
