// Calls of functions in archives, and in what llvm-xray makes of logs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "events.h"

namespace barefxt::test {

// "kernel::scheduler::(anonymous namespace)::switch_away(barefxt_thread_state)":
// "kernel::scheduler::switch_away".
std::string without_arguments(std::string name);

// Returns true if it is an event of that kind ("duration_begin") of a call.
bool is_call(const Json& record, const char* event);

// How often each function was called, by its name without arguments.
std::map<std::string, uint64_t> begins_by_function(const std::vector<Json>& archive);

// The same, from the output of `llvm-xray convert -f yaml -symbolize`.
std::map<std::string, uint64_t> entries_by_function(const std::string& yaml);

}  // namespace barefxt::test
