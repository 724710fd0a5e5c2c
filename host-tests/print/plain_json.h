// The expected output of `print --json --raw` for a record that the plain decoder read: written
// from the documented schema, apart from the library's printer.
#pragma once

#include <nlohmann/json.hpp>

#include "reader/plain_decoder.h"

namespace barefxt::test {

nlohmann::json plain_json(const PlainRecord& record);

}  // namespace barefxt::test
