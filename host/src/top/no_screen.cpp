#include "screen.h"

namespace barefxt::top {

host::Result<std::unique_ptr<Screen>> open_screen() {
  return host::Error{"built without ncurses, so it shows nothing on a terminal",
                     {},
                     "use --batch, or build with libncurses-dev and -DBAREFXT_NCURSES=ON"};
}

}  // namespace barefxt::top
