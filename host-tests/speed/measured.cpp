#include "measured.h"

namespace barefxt::test {

std::vector<Measured> all_measured() {
  std::vector<Measured> all;
  for (const auto& some : {measured_writing(), measured_reading(), measured_rebuilding(),
                           measured_summing(), measured_watching()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace barefxt::test
