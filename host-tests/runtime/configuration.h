// The configuration of a session with all categories, for tests that start one themselves.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/barefxt.h>

namespace barefxt::test {

inline barefxt_config config_of(void* memory, size_t bytes, uint16_t cpus = 1,
                                barefxt_mode mode = BAREFXT_MODE_ONE_SHOT) {
  barefxt_config config = {};
  config.memory = memory;
  config.bytes = bytes;
  config.cpus = cpus;
  config.mode = mode;
  config.categories = ~0u;
  return config;
}

}  // namespace barefxt::test
