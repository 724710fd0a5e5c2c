// The target's byte order is the target's own affair: the host reads its words either way, and
// writes an archive in the order that is asked for.
#pragma once

#include "qemu.h"
#include "targets.h"

namespace barefxt::test {

// Expects the capture of binary frames that came over the line of this run to be flawless: its
// frames have the image's byte order, and an archive in either order has the same records.
void expect_the_same_in_either_order(const Image& image, const Booted& run);

}  // namespace barefxt::test
