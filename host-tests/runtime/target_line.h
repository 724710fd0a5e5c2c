// `barefxt capture` on a socket whose other end a test has.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "rebuild/capture_builder.h"

namespace barefxt::test {

class TargetLine {
 public:
  TargetLine();
  ~TargetLine();
  TargetLine(const TargetLine&) = delete;
  TargetLine& operator=(const TargetLine&) = delete;

  // Captures with these arguments into archive(), and returns the exit status. Meanwhile `target`
  // is called with the socket until it returns false; then the socket is closed.
  int capture(const std::string& arguments, const std::function<bool(int)>& target) const;
  // The same without an archive.
  int ask(const std::string& arguments, const std::function<bool(int)>& target) const;

  bool has_archive() const;
  Bytes archive() const;
  std::string messages() const;

  // False where the other side is gone.
  static bool send(int handle, const Bytes& bytes);
  // Waits for bytes and returns them; empty if the other side is gone.
  static Bytes receive(int handle);

 private:
  std::filesystem::path folder_;
  int listener_ = -1;
};

}  // namespace barefxt::test
