#pragma once

namespace barefxt::cli {

// "barefxt 0.2.0 (1a2b3c4d5e6f)": name, version, and the commit that was built; "-dirty" if files
// differed from it. Builds outside a clone have no commit.
const char* version();

}  // namespace barefxt::cli
