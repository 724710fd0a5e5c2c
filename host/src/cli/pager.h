// Shows standard output by a pager if it is a terminal, as git does: BAREFXT_PAGER, else PAGER,
// else `less -FRX`. No pager: an empty one, `cat`, --no-pager, or no less.
#pragma once

#include <sys/types.h>

namespace barefxt::cli {

class Pager {
 public:
  // From here on, output goes to the pager, and messages wait.
  Pager();
  // Waits until the user leaves the pager. Then messages follow.
  ~Pager();
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

 private:
  pid_t process_ = -1;
};

}  // namespace barefxt::cli
