// An archive with something of everything that statistics tell of.
#pragma once

#include <string>

namespace barefxt::test {

std::string archive_of_everything();

}  // namespace barefxt::test
