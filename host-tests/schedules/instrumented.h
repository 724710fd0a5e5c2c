// The explorer's side of the functions that the compiler calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace barefxt::test {

// Comes ahead of a load or store by the program. Puts there the value that the load returns; reads
// the value that the store leaves at the next access.
void access_plainly(const void* where, size_t bytes, bool stores_it, const void* from);

uint64_t load_atomically(const volatile void* where, unsigned bytes, int order, const void* from);
void store_atomically(volatile void* where, unsigned bytes, uint64_t value, int order,
                      const void* from);
// Stores `next(found, value)`, with `expected` only where it finds that. Returns what it finds.
uint64_t change_atomically(volatile void* where, unsigned bytes, const uint64_t* expected,
                           uint64_t (*next)(uint64_t found, uint64_t value), uint64_t value,
                           int order, int failing, const void* from);
uint64_t load_linked(volatile void* where, unsigned bytes, const void* from);
// False: nothing was stored.
bool store_conditional(volatile void* where, unsigned bytes, uint64_t value, const void* from);
void fence(int order);

}  // namespace barefxt::test
