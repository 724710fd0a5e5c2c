// Gives memory back that an input needed once.
#pragma once

#include <cstddef>
#include <vector>

namespace barefxt::host {

// Empties a hash table. clear() would walk all buckets that it ever had, and keep them: an input
// could make a table large once, and have it cleared with each record behind. This way the cost is
// that of the insertions.
template <typename Table>
void forget_all(Table& table) {
  if (!table.empty()) Table().swap(table);
}

// To be called after elements were taken off a stack, so that it keeps at most four times what is
// on it. Many threads may each nest deep once.
template <typename T>
void give_back_room(std::vector<T>& stack) {
  constexpr size_t kFew = 16;
  if (stack.capacity() > kFew && stack.size() <= stack.capacity() / 4) stack.shrink_to_fit();
}

}  // namespace barefxt::host
