// The x86-64 instructions that touch no memory, for tests that interrupt code anywhere: an
// interrupt before such an instruction finds what one before the next instruction finds.
#pragma once

#include <cstdint>

namespace barefxt::test {

// True if the instruction at `code` works on registers alone; pushes, pops, calls and returns,
// which work on the own stack, count as such. False for each that it does not know.
inline bool is_register_only(const uint8_t* code) {
  if (*code == 0x66) ++code;
  const bool is_locked_or_repeated = *code == 0xf0 || *code == 0xf2 || *code == 0xf3;
  if (is_locked_or_repeated) return false;
  if ((*code & 0xf0) == 0x40) ++code;  // REX
  const uint8_t opcode = *code++;
  const auto has_registers = [&] { return (*code & 0xc0) == 0xc0; };  // in ModRM
  if (opcode == 0x0f) {
    const uint8_t second = *code++;
    if (second >= 0x80 && second <= 0x8f) return true;    // jcc
    if (second == 0x1f) return true;                      // nop
    if ((second & 0xf0) == 0x40) return has_registers();  // cmovcc
    if ((second & 0xf0) == 0x90) return has_registers();  // setcc
    if (second == 0xaf) return has_registers();           // imul
    return (second & 0xf6) == 0xb6 && has_registers();    // movzx, movsx
  }
  if (opcode < 0x40) return (opcode & 7) < 4 ? has_registers() : (opcode & 7) < 6;  // add ... cmp
  if (opcode < 0x60) return true;                                                   // push, pop
  if (opcode >= 0x70 && opcode <= 0x7f) return true;                                // jcc
  if (opcode >= 0xb0 && opcode <= 0xbf) return true;  // mov of an immediate
  switch (opcode) {
    case 0x8d:  // lea
    case 0x90:  // nop
    case 0x98:  // cdqe
    case 0x99:  // cqo
    case 0xa8:  // test with an immediate
    case 0xa9:
    case 0xc3:  // ret
    case 0xc9:  // leave
    case 0xe8:  // call
    case 0xe9:  // jmp
    case 0xeb:
      return true;
    case 0x63:  // movsxd
    case 0x69:  // imul
    case 0x6b:
    case 0x80:  // add ... cmp with an immediate
    case 0x81:
    case 0x83:
    case 0x84:  // test
    case 0x85:
    case 0x88:  // mov
    case 0x89:
    case 0x8a:
    case 0x8b:
    case 0xc0:  // shifts
    case 0xc1:
    case 0xc6:  // mov of an immediate
    case 0xc7:
    case 0xd0:  // shifts
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xf6:  // test, not, neg, mul, div
    case 0xf7:
      return has_registers();
    default:
      return false;
  }
}

}  // namespace barefxt::test
