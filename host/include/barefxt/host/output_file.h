// An output that appears whole or not at all: it is written aside (see FileAside) and renamed when
// complete. Until then an older file at the path stays untouched.
//
// A device, a pipe and standard output (as `-`, or under any other name) get their bytes directly,
// and only when all of them are known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/file_aside.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

class OutputFile final : public ByteSink {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Status write(std::span<const uint8_t> bytes) override;
  // Puts the output in its place. Nothing may be written afterwards.
  Status commit();
  // commit() renames, and so never waits for a reader.
  bool is_renamed() const { return aside_.has_value(); }

 private:
  OutputFile(std::string path, FileAside aside)
      : path_(std::move(path)), aside_(std::move(aside)) {}
  OutputFile(std::string path, int spool) : path_(std::move(path)), spool_(spool) {}
  Status copy_to_path();

  std::string path_;
  std::optional<FileAside> aside_;
  int spool_ = -1;  // without aside_: a temporary file, copied at the end
};

}  // namespace barefxt::host
