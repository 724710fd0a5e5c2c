// A folder of files that appears whole or not at all: filled under another name beside its place
// and renamed when it is done. A folder that stands there already must be empty.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <barefxt/host/status.h>

namespace barefxt::host {

class Leftover;

class OutputFolder {
 public:
  static Result<std::unique_ptr<OutputFolder>> create(const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // A name for a file that no file system minds and no other file here has: what is not a letter,
  // a digit, `.`, `-` or `_` becomes `_`.
  std::string safe_name(std::string_view wanted);

  // Appends to a file by a name of safe_name(), which makes it.
  Status append(const std::string& name, std::string_view bytes);
  Status commit();

 private:
  OutputFolder(std::string path, std::string aside);
  Status close_file();

  std::string path_;
  std::string aside_;                   // empty when committed
  std::unique_ptr<Leftover> leftover_;  // of `aside_`
  std::set<std::string> names_;
  std::map<std::string, unsigned> last_numbers_;  // by name: the last suffix given to it
  std::string open_name_;
  int file_ = -1;
};

}  // namespace barefxt::host
