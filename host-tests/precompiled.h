// The headers that most tests include, parsed once for host_test and delivered_test. A test
// includes what it uses all the same: it also compiles without this one.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <barefxt/host/rebuild.h>
#include <barefxt/host/stats.h>
