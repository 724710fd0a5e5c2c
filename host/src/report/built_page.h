// host/report/built.html, as it is in the program.
#pragma once

#include <string_view>

namespace barefxt::report {

extern const std::string_view kBuiltPage;

}  // namespace barefxt::report
