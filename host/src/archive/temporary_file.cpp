#include "temporary_file.h"

#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <barefxt/host/formatted.h>

namespace barefxt::host {

int open_unnamed_temporary_file() {
  for (const char* folder : {const_cast<const char*>(std::getenv("TMPDIR")), "/var/tmp", "/tmp"}) {
    if (folder == nullptr || *folder == '\0') continue;
    const int nameless = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0) return nameless;
    // Not every file system has files without a name: make one with a name and remove that.
    std::string path = formatted("{}/barefxt-XXXXXX", folder);
    const int file = mkostemp(path.data(), O_CLOEXEC);
    if (file < 0) continue;
    unlink(path.c_str());
    return file;
  }
  return -1;
}

}  // namespace barefxt::host
