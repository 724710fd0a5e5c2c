// The place of an output: its path with symbolic links followed, and the file that is there.
#pragma once

#include <string>
#include <sys/stat.h>

#include <barefxt/host/status.h>

namespace barefxt::host {

struct OutputPlace {
  std::string path;  // behind all symbolic links, unless it is_direct
  bool exists = false;
  bool is_direct = false;   // a device or pipe: written as it is, never renamed over
  struct stat status = {};  // if it exists
};

// Fails for a link, pipe or file that another user put into a shared folder (sticky and writable by
// all, like /tmp), for links in a loop, and for a path that cannot be examined.
Result<OutputPlace> place_of_output(const std::string& path);

// Returns the folder part of a path, "." if it has none.
std::string folder_of(const std::string& path);

// Returns a short random path in the same folder.
std::string path_aside(const std::string& path);

}  // namespace barefxt::host
