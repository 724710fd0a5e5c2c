#include "linear/as_after_boot.h"

#include <stddef.h>
#include <stdint.h>

#include <barefxt/barefxt.h>

#include "cut_text.h"
#include "linear.h"

namespace kernel::linear {
namespace {

template <typename T>
void clear(T& object) {
  auto* bytes = reinterpret_cast<volatile uint8_t*>(&object);
  for (size_t i = 0; i < sizeof object; ++i) bytes[i] = 0;
}

}  // namespace

void forget_session() {
  clear(barefxt_enabled_categories);
  clear(barefxt::rings);
  clear(barefxt::linear::config);
  clear(barefxt::texts_cut);
}

void forget_threads() { clear(barefxt::linear::threads); }

}  // namespace kernel::linear
