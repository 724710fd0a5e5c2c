// operator new and delete, none of which the compiler may leave out.
#include <new>

#include "libc_calls.h"

namespace {

volatile size_t sum;

// Its constructor and its destructor are calls, so that the block is needed.
struct Counted {
  Counted() { sum = sum + 1; }
  ~Counted() { sum = sum - 1; }
  char bytes[40];
};

Counted* volatile one;

}  // namespace

void libc_new_and_delete() {
  one = new Counted;
  delete one;
}

void libc_new_and_delete_array(size_t count) {
  one = new Counted[count];
  delete[] one;
}

void libc_new_nothrow_and_delete() {
  one = new (std::nothrow) Counted;
  delete one;
}

bool libc_new_fails(size_t bytes) {
  void* volatile block = ::operator new(bytes, std::nothrow);
  return block == nullptr;
}
