// The page of a simulated system with losses, locks and interrupts.
#pragma once

#include "explain/simulated_system.h"
#include "page_test.h"

namespace barefxt::test {

inline std::string system_archive(uint32_t seed, unsigned steps) {
  const explaining::System system = explaining::simulate({.seed = seed, .cpus = 2, .steps = steps});
  return explaining::archive_of(system.options, explaining::with_losses(system, 3, 1));
}

class PageOfASystem : public PageTest {
 protected:
  void SetUp() override {
    PageTest::SetUp();
    write("system.fxt", system_archive(7, 600));
    open(path("system.fxt"));
  }
};

}  // namespace barefxt::test
