// The bytes that records take on the line: those of the demo's trace, coded, as they come over the
// UART.
#pragma once

#include "qemu.h"
#include "targets.h"

namespace barefxt::test {

// Expects the records of this run's capture to take no more than they may, and notes the bytes in
// build/costs.json.
void expect_few_bytes_on_the_line(const Image& image, const Booted& run);

}  // namespace barefxt::test
