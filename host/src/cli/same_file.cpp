#include "same_file.h"

#include <map>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "../archive/output_place.h"

namespace barefxt::cli {
namespace {

std::string identity(const struct stat& file) {
  return host::formatted("{}:{}", file.st_dev, file.st_ino);
}

// Returns an id of a regular file, existing or not; nothing for pipes and devices.
std::optional<std::string> file_behind(const std::string& path, int standard_stream) {
  struct stat file{};
  const int found = path == "-" ? fstat(standard_stream, &file) : stat(path.c_str(), &file);
  if (found == 0) return S_ISREG(file.st_mode) ? std::optional(identity(file)) : std::nullopt;
  if (path == "-") return {};
  // Not there yet: the id is the folder's, and the name in it.
  const auto place = host::place_of_output(path);
  if (!place.ok()) return {};
  const std::string& target = place.value().path;
  const std::string folder = host::folder_of(target);
  if (stat(folder.c_str(), &file) != 0) return {};
  return identity(file) + "/" + target.substr(target.rfind('/') + 1);
}

}  // namespace

host::Status check_named_once(std::span<const std::string> inputs,
                              std::span<const std::string> outputs) {
  std::map<std::string, bool> seen;  // by id: whether it is an input
  for (const std::string& path : inputs)
    if (!path.empty())
      if (const auto file = file_behind(path, STDIN_FILENO)) seen.emplace(*file, true);
  for (const std::string& path : outputs) {
    if (path.empty()) continue;
    const auto file = file_behind(path, STDOUT_FILENO);
    if (!file) continue;
    const auto [found, is_new] = seen.emplace(*file, false);
    if (is_new) continue;
    return host::Error{found->second ? "is read and written" : "is named as two outputs",
                       path == "-" ? "standard output" : path, "name another output"};
  }
  return {};
}

}  // namespace barefxt::cli
