// The headers that most tests of the runtime include, parsed once for all their executables. None
// of them depends on the definitions that the runtime is built with.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rebuild/rebuild_harness.h"
