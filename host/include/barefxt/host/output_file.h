// An output that appears whole or not at all: it is written aside, under another name, and renamed
// when complete. Until then an older file at the path stays untouched.
//
// A device, a pipe and standard output (as `-`, or under any other name) get their bytes directly,
// and only when all of them are known.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

class FileAside;

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
  bool is_renamed() const { return aside_ != nullptr; }
  // Under any name.
  bool is_standard_output() const { return path_ == "-"; }

 private:
  explicit OutputFile(std::string path);
  Status copy_to_path();

  std::string path_;
  std::unique_ptr<FileAside> aside_;
  int spool_ = -1;  // without aside_: a temporary file, copied at the end
};

// All of an output at once.
Status write_file(const std::string& path, std::string_view text);

}  // namespace barefxt::host
