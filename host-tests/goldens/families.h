// The archives written out by hand, one file for each family of records.
#pragma once

#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> tables_goldens();
std::vector<Golden> events_goldens();
std::vector<Golden> arguments_goldens();
std::vector<Golden> objects_goldens();
std::vector<Golden> scheduling_goldens();
std::vector<Golden> logs_and_profiles_goldens();
std::vector<Golden> unknown_goldens();
std::vector<Golden> dialect_2017_goldens();

}  // namespace barefxt::test
