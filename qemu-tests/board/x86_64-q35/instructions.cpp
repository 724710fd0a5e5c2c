#include "instructions.h"

#include "kernel/panic.h"

namespace board {
namespace {

struct Instruction {
  unsigned bytes = 0;
  bool is_locked = false;
  bool is_two_byte = false;  // 0f and the opcode
  uint8_t opcode = 0;
  uint8_t form = 0;  // ModRM, where it has one
  uintptr_t next = 0;
  uintptr_t target = 0;  // relative to `next`, in the instruction: of jumps and calls
};

bool is_between(uint8_t value, uint8_t first, uint8_t last) {
  return first <= value && value <= last;
}

// Bytes behind the opcode: a form (ModRM and its parts), and the bytes of a number.
struct Operands {
  bool has_form;
  unsigned number_bytes;
};

Operands operands_of_one_byte(uint8_t opcode, uint8_t form, bool is_wide) {
  if (opcode < 0x40) {
    if ((opcode & 7) < 4) return {true, 0};
    return {false, (opcode & 7) == 4 ? 1U : 4U};
  }
  if (is_between(opcode, 0x50, 0x5f)) return {false, 0};
  if (is_between(opcode, 0x70, 0x7f)) return {false, 1};
  if (is_between(opcode, 0x84, 0x8f)) return {true, 0};
  if (is_between(opcode, 0x90, 0x9f)) return {false, 0};
  if (is_between(opcode, 0xb0, 0xb7)) return {false, 1};
  if (is_between(opcode, 0xb8, 0xbf)) return {false, is_wide ? 8U : 4U};
  if (is_between(opcode, 0xd0, 0xd3)) return {true, 0};
  const bool is_test = (form & 0x38) < 0x10;
  switch (opcode) {
    case 0x63:
    case 0xfe:
    case 0xff:
      return {true, 0};
    case 0x69:
    case 0x81:
    case 0xc7:
      return {true, 4};
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
      return {true, 1};
    case 0xf6:
      return {true, is_test ? 1U : 0U};
    case 0xf7:
      return {true, is_test ? 4U : 0U};
    case 0x68:
    case 0xa9:
    case 0xe8:
    case 0xe9:
      return {false, 4};
    case 0xc2:
      return {false, 2};
    case 0x6a:
    case 0xa8:
    case 0xeb:
    case 0xe4:
    case 0xe5:
    case 0xe6:
    case 0xe7:
      return {false, 1};
    case 0xa4:
    case 0xa5:
    case 0xaa:
    case 0xab:
    case 0xc3:
    case 0xc9:
    case 0xcc:
    case 0xf4:
    case 0xfa:
    case 0xfb:
    case 0xfc:
    case 0x6e:
    case 0x6f:
    case 0xec:
    case 0xed:
    case 0xee:
    case 0xef:
      return {false, 0};
    default:
      KERNEL_ASSERT(!"an instruction of one byte that is not known here");
      return {};
  }
}

Operands operands_of_two_bytes(uint8_t opcode) {
  if (is_between(opcode, 0x80, 0x8f)) return {false, 4};
  if (is_between(opcode, 0xc8, 0xcf)) return {false, 0};
  if (is_between(opcode, 0x40, 0x4f) || is_between(opcode, 0x90, 0x9f)) return {true, 0};
  switch (opcode) {
    case 0x0b:
    case 0x30:
    case 0x31:
    case 0x32:
    case 0xa2:
      return {false, 0};
    case 0xa4:
    case 0xac:
    case 0xba:
      return {true, 1};
    case 0x01:
    case 0x18:
    case 0x1f:
    case 0xa3:
    case 0xa5:
    case 0xab:
    case 0xad:
    case 0xae:
    case 0xaf:
    case 0xb0:
    case 0xb1:
    case 0xb3:
    case 0xb6:
    case 0xb7:
    case 0xbb:
    case 0xbc:
    case 0xbd:
    case 0xbe:
    case 0xbf:
    case 0xc0:
    case 0xc1:
    case 0xc7:
      return {true, 0};
    default:
      KERNEL_ASSERT(!"an instruction of two bytes that is not known here");
      return {};
  }
}

// Bytes of an operand's form: ModRM, a scaled index, and a displacement.
unsigned form_bytes(const uint8_t* form) {
  const unsigned mode = form[0] >> 6;
  const unsigned base = form[0] & 7;
  if (mode == 3) return 1;
  const bool has_index = base == 4;
  unsigned bytes = has_index ? 2 : 1;
  if (mode == 1) bytes += 1;
  if (mode == 2 || (mode == 0 && (base == 5 || (has_index && (form[1] & 7) == 5)))) bytes += 4;
  return bytes;
}

intptr_t number_at(const uint8_t* at, unsigned bytes) {
  uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= uint32_t{at[i]} << (8 * i);
  return bytes == 1 ? static_cast<int8_t>(value) : static_cast<int32_t>(value);
}

Instruction instruction_at(uintptr_t address) {
  const auto* const start = reinterpret_cast<const uint8_t*>(address);
  const uint8_t* at = start;
  Instruction instruction;
  bool is_narrow = false;
  for (;; ++at) {
    if (*at == 0xf0) instruction.is_locked = true;
    if (*at == 0x66) is_narrow = true;
    const bool is_prefix = *at == 0xf0 || *at == 0x66 || *at == 0xf2 || *at == 0xf3 ||
                           *at == 0x65 || *at == 0x64 || *at == 0x2e;
    if (!is_prefix) break;
  }
  const bool is_wide = is_between(*at, 0x48, 0x4f);
  if (is_between(*at, 0x40, 0x4f)) ++at;
  instruction.is_two_byte = *at == 0x0f;
  if (instruction.is_two_byte) ++at;
  instruction.opcode = *at++;
  Operands operands = instruction.is_two_byte
                          ? operands_of_two_bytes(instruction.opcode)
                          : operands_of_one_byte(instruction.opcode, *at, is_wide);
  if (is_narrow && operands.number_bytes == 4) operands.number_bytes = 2;
  if (operands.has_form) {
    instruction.form = *at;
    at += form_bytes(at);
  }
  instruction.next = reinterpret_cast<uintptr_t>(at) + operands.number_bytes;
  instruction.bytes = static_cast<unsigned>(instruction.next - address);
  if (!operands.has_form && operands.number_bytes <= 4)
    instruction.target =
        instruction.next + static_cast<uintptr_t>(number_at(at, operands.number_bytes));
  return instruction;
}

}  // namespace

uintptr_t instruction_after(uintptr_t address) { return instruction_at(address).next; }

bool may_follow(uintptr_t before, uintptr_t after) {
  const Instruction instruction = instruction_at(before);
  const uint8_t opcode = instruction.opcode;
  if (instruction.is_two_byte) {
    const bool may_jump = is_between(opcode, 0x80, 0x8f);
    return after == instruction.next || (may_jump && after == instruction.target);
  }
  if (opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb) return after == instruction.target;
  if (is_between(opcode, 0x70, 0x7f))
    return after == instruction.next || after == instruction.target;
  const bool is_indirect =
      opcode == 0xff && (instruction.form & 0x38) >= 0x10 && (instruction.form & 0x38) < 0x30;
  return is_indirect || opcode == 0xc2 || opcode == 0xc3 || after == instruction.next;
}

bool is_swap(uintptr_t address) {
  const Instruction instruction = instruction_at(address);
  return instruction.is_locked && instruction.is_two_byte && instruction.opcode == 0xb1;
}

}  // namespace board
