// XRay logs in memory, and what the library reads in them.
#pragma once

#include <string>
#include <string_view>

#include <barefxt/host/xray_log.h>

#include "contains.h"
#include "print/printing.h"

namespace barefxt::test {

// Digits two by two; other characters are skipped.
std::string bytes_of_hex(std::string_view hex);

// A line for each record, then one for each damaged place.
std::string log_text(const std::string& bytes);
// The same thread by thread, with calls made to nest.
std::string thread_text(const std::string& bytes);

std::string record_text(const host::XrayRecord& record);

}  // namespace barefxt::test
