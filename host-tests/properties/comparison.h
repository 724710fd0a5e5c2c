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

// The expected output of `print --json --raw` for a record that the plain decoder read: written
// from the documented schema, apart from the library's printer.
nlohmann::json plain_json(const PlainRecord& record);

// Equal numbers in JSON may differ as doubles: zero has a sign.
bool same(const nlohmann::json& left, const nlohmann::json& right);

// The first difference between what the library prints and what the plain decoder reads; empty
// where there is none.
std::string difference(const std::string& archive, PlainForm form);

}  // namespace barefxt::test
