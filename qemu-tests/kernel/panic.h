// Checks of the kernel's assumptions: a run that broke an invariant ends with a status other than
// 0.
#pragma once

namespace kernel {

[[noreturn]] void panic(const char* file, int line, const char* what);

}  // namespace kernel

#define KERNEL_ASSERT(condition) \
  ((condition) ? (void)0 : kernel::panic(__FILE_NAME__, __LINE__, #condition))
