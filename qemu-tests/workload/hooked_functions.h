// For the cost of hooks: a function that calls them and does nothing else, and its like that does
// not.
#pragma once

namespace kernel::workload {

void hooked_empty();
void unhooked_empty();

}  // namespace kernel::workload
