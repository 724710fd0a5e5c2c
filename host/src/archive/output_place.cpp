#include "output_place.h"

#include <array>
#include <cerrno>
#include <climits>
#include <unistd.h>

#include "random_hex.h"

namespace barefxt::host {
namespace {

constexpr int kMaxLinks = 40;  // as Linux has it

// Another user may have planted the entry for us to write to.
bool is_planted(const std::string& path, const struct stat& entry) {
  struct stat folder{};
  if (stat(folder_of(path).c_str(), &folder) != 0) return false;
  const bool is_shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return is_shared && entry.st_uid != geteuid() && entry.st_uid != folder.st_uid;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string path_aside(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1) + ".barefxt-" + random_hex(16);
}

Result<OutputPlace> place_of_output(const std::string& path) {
  const auto cannot = [&](int error) { return system_error("cannot write", error, path); };
  const Error planted{"belongs to another user, in a folder that all may write", path,
                      "remove it, or choose another folder"};
  OutputPlace place;
  place.path = path;
  struct stat target{};
  place.exists = stat(path.c_str(), &target) == 0;
  if (!place.exists && errno != ENOENT) return cannot(errno);
  place.status = target;
  for (int links = 0;; ++links) {
    struct stat entry{};
    if (lstat(place.path.c_str(), &entry) != 0) {
      if (errno != ENOENT) return cannot(errno);
      // It exists and has no path: a link of /proc/self/fd.
      place.is_direct = place.exists;
      break;
    }
    if (is_planted(place.path, entry)) return planted;
    if (!S_ISLNK(entry.st_mode)) break;
    if (links == kMaxLinks) return cannot(ELOOP);
    std::array<char, PATH_MAX> text{};
    const ssize_t bytes = readlink(place.path.c_str(), text.data(), text.size());
    if (bytes < 0) return cannot(errno);
    const std::string next(text.data(), static_cast<size_t>(bytes));
    place.path = next.starts_with('/') ? next : folder_of(place.path) + "/" + next;
  }
  if (place.exists && !S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode)) place.is_direct = true;
  if (place.is_direct) place.path = path;
  return place;
}

}  // namespace barefxt::host
