// The checks that lint is made of.
#pragma once

#include <barefxt/host/lint.h>

namespace barefxt::host {

std::unique_ptr<LintCheck> make_format_check();    // a record by itself, against the specification
std::unique_ptr<LintCheck> make_argument_check();  // its arguments
std::unique_ptr<LintCheck> make_prologue_check();  // what must come before what
std::unique_ptr<LintCheck> make_viewer_check();    // what a viewer would lose, record by record
std::unique_ptr<LintCheck> make_object_check();    // kernel objects and what goes without
std::unique_ptr<LintCheck> make_scheduling_check();  // switches per CPU, time per CPU and thread
std::unique_ptr<LintCheck> make_timeline_check();    // slices, async operations and flows
std::unique_ptr<LintCheck> make_heap_check();        // blocks of heaps

}  // namespace barefxt::host
