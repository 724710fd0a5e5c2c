// Mode "sleds", in images whose functions have sleds (kernel_xray.elf). Prints
//
//   SLEDS functions=N                        that have sleds
//   SLEDS refused=R                          of the calls that have to be refused, as they have to
//                                            be
//   SLEDS opened=O closed=C                  times that code was opened and closed for writing
//                                            elsewhere
//   SLEDS rounds=N                           of unpatching and patching sled_toggled
//   SLEDS steady=N toggled=N jumping=N arguments=S wrong=N
//                                            calls made meanwhile, the sum of arguments that are
//                                            recorded, and what calls got wrong
//   SLEDS events=N sum=S                     custom events made meanwhile, and as many typed ones;
//                                            the sum of hash_of_event() of all
//   SLEDS toggled_events=N                   custom events "toggled" that were made while they
//                                            were patched and unpatched
//   SLEDS after=N                            calls of sled_toggled when it was patched for good,
//                                            behind the instant "for good", as many events
//                                            "toggled" there, and as many more ahead of it
//                                            while they were not patched
//   SLEDS exact=N patcher=K                  rounds in which all CPUs were synchronized, and the
//                                            thread with that koid, which patches, called
//                                            sled_toggled behind both
//   SLEDS end
//
// and the trace is dumped. With rounds=0 costs are measured instead, as in mode "cost"; those of
// hooks in kernel_functions.elf (call_cost.h).
#pragma once

#include "kernel/parameters.h"

namespace kernel::workload {

// From a thread. Does not come back.
[[noreturn]] void exercise_sleds(const Parameters& parameters);

}  // namespace kernel::workload
