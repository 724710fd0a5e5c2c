#include "instructions.h"

#include "kernel/panic.h"

namespace board {
namespace {

const uint16_t* words_at(uintptr_t address) { return reinterpret_cast<const uint16_t*>(address); }

// Returns the words of 16 bits that an operand has behind the instruction's own: `mode` is its mode
// and register, of six bits, `size` that of an immediate number.
unsigned operand_words(unsigned mode, unsigned size, const uint16_t* at) {
  const auto index_words = [at] {
    constexpr unsigned kDisplacements[] = {0, 0, 1, 2};
    if ((*at & 0x100) == 0) return 1U;
    return 1 + kDisplacements[*at >> 4 & 3] + kDisplacements[*at & 3];
  };
  switch (mode >> 3) {
    case 5:
      return 1;
    case 6:
      return index_words();
    case 7:
      break;
    default:
      return 0;
  }
  switch (mode & 7) {
    case 1:
      return 2;
    case 3:
      return index_words();
    case 4:
      return size;
    default:
      return 1;
  }
}

struct Form {
  unsigned words;  // before the operand's
  unsigned size;
};

bool is_swap(uint16_t first) { return (first & 0xffc0) == 0x0ec0; }

Form form_of_immediate(uint16_t first) {
  const unsigned size = first >> 6 & 3;
  if ((first & 0x0100) != 0) return {(first & 0x0038) == 0x0008 ? 2U : 1U, 1};
  const bool is_of_bit = (first & 0x0f00) == 0x0800;
  if (is_of_bit || size == 3) return {2, 1};      // with the number of a bit; CAS, CMP2
  if ((first & 0x0e00) == 0x0e00) return {2, 1};  // MOVES
  return {size == 2 ? 3U : 2U, 1};
}

Form form_of_miscellaneous(uint16_t first) {
  const unsigned size = (first >> 6 & 3) == 2 ? 2 : 1;
  if ((first & 0xfff0) == 0x4e40) return {1, 0};                         // TRAP
  if ((first & 0xfff8) == 0x4e50) return {2, 0};                         // LINK
  if ((first & 0xfff8) == 0x4808) return {3, 0};                         // LINK with 32 bits
  if ((first & 0xffe0) == 0x4e60) return {1, 0};                         // MOVE USP
  if (first == 0x4e72 || first == 0x4e74) return {2, 0};                 // STOP, RTD
  if ((first & 0xfffe) == 0x4e7a) return {2, 0};                         // MOVEC
  if ((first & 0xfff0) == 0x4e70) return {1, 0};                         // RTS and the like
  if ((first & 0xfb80) == 0x4880 && (first & 0x38) != 0) return {2, 0};  // MOVEM
  if ((first & 0xff80) == 0x4c00) return {2, 2};                         // MULU, DIVU with 32 bits
  return {1, size};
}

Form form_of_arithmetic(uint16_t first) {
  const unsigned operation = first >> 6 & 7;
  const bool has_address = first >> 12 == 9 || first >> 12 == 0xb || first >> 12 == 0xd;
  const bool is_long = operation == 2 || operation == 6 || (operation == 7 && has_address);
  return {1, is_long ? 2U : 1U};
}

unsigned words_of(const uint16_t* at) {
  const uint16_t first = *at;
  const auto with_operand = [at, first](const Form& form) {
    return form.words + operand_words(first & 0x3f, form.size, at + form.words);
  };
  switch (first >> 12) {
    case 0:
      return with_operand(form_of_immediate(first));
    case 1:
    case 2:
    case 3: {
      const unsigned source = with_operand({1, first >> 12 == 2 ? 2U : 1U});
      return source + operand_words((first >> 3 & 0x38) | (first >> 9 & 7), 0, at + source);
    }
    case 4:
      // RTS and the like have no operand where others have one.
      if ((first & 0xfff0) == 0x4e70) return form_of_miscellaneous(first).words;
      return with_operand(form_of_miscellaneous(first));
    case 5:
      if ((first & 0xf8) == 0xc8) return 2;  // DBcc
      return with_operand({1, 0});
    case 6:
      return (first & 0xff) == 0 ? 2 : (first & 0xff) == 0xff ? 3 : 1;
    case 7:
      return 1;
    case 0xe:
      return (first & 0xc0) == 0xc0 ? with_operand({(first & 0x800) != 0 ? 2U : 1U, 0}) : 1;
    case 0xf:
      KERNEL_ASSERT((first & 0xff00) == 0xf400);  // of the caches
      return 1;
    default:
      return with_operand(form_of_arithmetic(first));
  }
}

uintptr_t target_of_branch(uintptr_t address) {
  const uint16_t* const words = words_at(address);
  const auto near = static_cast<int8_t>(words[0]);
  intptr_t distance = near;
  if (near == 0) distance = static_cast<int16_t>(words[1]);
  if (near == -1) distance = static_cast<int32_t>(uint32_t{words[1]} << 16 | words[2]);
  return address + 2 + static_cast<uintptr_t>(distance);
}

}  // namespace

uintptr_t instruction_after(uintptr_t address) { return address + 2 * words_of(words_at(address)); }

bool may_follow(uintptr_t before, uintptr_t after) {
  const uint16_t first = *words_at(before);
  const bool returns = first == 0x4e73 || first == 0x4e74 || first == 0x4e75 || first == 0x4e77;
  if (returns || (first & 0xff80) == 0x4e80) return true;  // JSR, JMP: to anywhere
  const bool may_jump = first >> 12 == 6;
  const bool jumps = (first & 0xfe00) == 0x6000;
  if (after == instruction_after(before)) return !jumps;
  if ((first & 0xf0f8) == 0x50c8)
    return after == before + 2 + static_cast<uintptr_t>(static_cast<int16_t>(words_at(before)[1]));
  return may_jump && after == target_of_branch(before);
}

bool is_swap(uintptr_t address) { return is_swap(*words_at(address)); }

}  // namespace board
