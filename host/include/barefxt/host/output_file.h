// An output that appears whole or not at all: written under another name in the same folder and
// renamed when it is done. Until then, and if it never is, what stood at the path stays untouched.
//
// What cannot be renamed over (a device, a pipe, standard output as `-`) gets its bytes at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/outcome.h>

namespace barefxt::host {

class OutputFile final : public ByteSink {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] Outcome write(std::span<const uint8_t> bytes) override;
  // Puts the output in its place. Nothing may be written afterwards.
  [[nodiscard]] Outcome commit();

 private:
  OutputFile(std::string path, std::string aside, int file)
      : path_(std::move(path)), aside_(std::move(aside)), file_(file) {}
  Outcome copy_to_path();

  std::string path_;
  std::string aside_;  // empty where the bytes are copied at the end
  int file_;
};

}  // namespace barefxt::host
