// The library against the plain decoder, by what each makes of an archive as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <barefxt/host/reader.h>

#include "reader/plain_decoder.h"

namespace barefxt::test {

std::vector<uint8_t> to_bytes(const std::string& text);
host::FormOverrides overrides_of(PlainForm form);

// Equal numbers in JSON may differ as doubles: zero has a sign.
bool same(const nlohmann::json& left, const nlohmann::json& right);

// The first difference between what the library prints and what the plain decoder reads; empty
// where there is none.
std::string difference(const std::string& archive, PlainForm form);

}  // namespace barefxt::test
