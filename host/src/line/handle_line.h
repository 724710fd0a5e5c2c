// Lines that are a file descriptor and no more.
#pragma once

#include "line.h"

namespace barefxt::line {

// One read of a descriptor that may be set not to block.
ReadResult read_handle(int handle, std::span<uint8_t> into);
host::Status write_handle(int handle, std::span<const uint8_t> bytes, const std::string& name);

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

// Bytes go either way.
class TwoWayLine : public HandleLine {
 public:
  using HandleLine::HandleLine;
  bool has_way_back() const override { return true; }
  host::Status write(std::span<const uint8_t> bytes) override {
    return write_handle(handle(), bytes, name());
  }
};

}  // namespace barefxt::line
