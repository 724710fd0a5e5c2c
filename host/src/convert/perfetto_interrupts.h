// Interrupts as Linux's kernel records them: Perfetto shows these on a track of each CPU, beside
// the threads that run there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <barefxt/host/record.h>

namespace barefxt::host::perfetto {

// The CPU, if a duration of this thread and category is an interrupt.
std::optional<unsigned> cpu_of_interrupt(uint64_t process, uint64_t thread,
                                         std::string_view category);

// Its kernel's number; 0 if it is not recorded.
uint64_t interrupt_number(const Event& event);

// Packets. Times are nanoseconds; the name is UTF-8.
std::string interrupt_entry(unsigned cpu, uint64_t time, std::string_view name, uint64_t number);
std::string interrupt_exit(unsigned cpu, uint64_t time);

}  // namespace barefxt::host::perfetto
