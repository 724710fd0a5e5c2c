// What records take on the line: of the demo's trace, its records coded, as it comes over the UART.
#pragma once

#include "qemu.h"
#include "targets.h"

namespace barefxt::test {

// Of this run's capture: records take no more than they may, which is noted in build/costs.json.
void expect_few_bytes_on_the_line(const Image& image, const Booted& run);

}  // namespace barefxt::test
