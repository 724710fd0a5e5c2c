#pragma once

#include "sites.h"

// The instructions that a call of `with` takes more than one of `without`: the mean over whole
// segments, counted by stepping through them. Negative: it cannot be had on this machine.
double instructions(sites::Site with, sites::Site without);
