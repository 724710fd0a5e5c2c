// A file that is written under another name in the folder of its place, and renamed when complete.
//
// It gets the mode, and where permitted the owner, of the file that it replaces. Other hard links
// to the replaced file keep the old content.
#pragma once

#include <span>
#include <string>

#include <barefxt/host/leftovers.h>

#include "output_place.h"

namespace barefxt::host {

// Writes all bytes. Fails with the system's error; `path` is for the message.
Status write_all(int file, std::span<const unsigned char> bytes, const std::string& path);

class FileAside {
 public:
  // `removed_on_signals` is false if the content cannot be made again.
  static Result<FileAside> create(const OutputPlace& place, bool removed_on_signals = true);
  FileAside(FileAside&& other) noexcept;
  FileAside& operator=(FileAside&& other) = delete;
  FileAside(const FileAside&) = delete;
  FileAside& operator=(const FileAside&) = delete;
  ~FileAside();

  int file() const { return file_; }
  // Stores the content on disk and renames the file. Fails if either fails.
  Status commit();

 private:
  FileAside(std::string path, std::string aside, bool removed_on_signals);
  Status open(const OutputPlace& place);

  std::string path_;
  std::string aside_;  // empty when committed
  Leftover leftover_;
  int file_ = -1;
};

// Stores a folder's entries on disk, so that a rename in it survives a loss of power.
void store_folder(const std::string& folder);

}  // namespace barefxt::host
