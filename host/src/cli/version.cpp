#include "version.h"

#include "commit.h"

namespace barefxt::cli {

const char* version() { return "barefxt " BAREFXT_VERSION BAREFXT_COMMIT; }

}  // namespace barefxt::cli
