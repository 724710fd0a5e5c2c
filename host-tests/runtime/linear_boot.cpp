#include "linear_boot.h"

#include <cstring>

#include <barefxt/barefxt.h>

#include "cut_text.h"
#include "linear.h"

namespace barefxt::test {
namespace {

// Members are atomics, and no other thread reads them here.
template <typename T>
void clear(T& object) {
  std::memset(static_cast<void*>(&object), 0, sizeof object);
}

}  // namespace

void boot() {
  boot_and_register_again();
  clear(linear::threads);
  clear(texts_cut);
}

void boot_and_register_again() {
  clear(barefxt_enabled_categories);
  clear(rings);
  clear(linear::config);
  clear(clock_epochs);
}

}  // namespace barefxt::test
