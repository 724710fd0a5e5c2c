// An archive with something for every statistic.
#pragma once

#include <string>

namespace barefxt::test {

std::string archive_of_everything();

}  // namespace barefxt::test
