// The instructions before which no copy is interrupted, as objdump writes them.

#include "register_only.h"

#include <gtest/gtest.h>
#include <vector>

namespace barefxt::test::register_only_test {
namespace {

using Code = std::vector<uint8_t>;

TEST(RegisterOnly, AreThoseThatNoOtherCodeSees) {
  for (const Code& code : std::vector<Code>{
           {0x89, 0xc8},                          // mov %ecx,%eax
           {0x48, 0x01, 0xd8},                    // add %rbx,%rax
           {0x48, 0x83, 0xec, 0x08},              // sub $8,%rsp
           {0x83, 0xf8, 0x03},                    // cmp $3,%eax
           {0x48, 0x8d, 0x04, 0x0a},              // lea (%rdx,%rcx),%rax
           {0x49, 0xc1, 0xe8, 0x20},              // shr $32,%r8
           {0x0f, 0xb6, 0xc0},                    // movzbl %al,%eax
           {0x48, 0x0f, 0x44, 0xc2},              // cmove %rdx,%rax
           {0x74, 0x10},                          // je
           {0x0f, 0x85, 1, 0, 0, 0},              // jne
           {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},  // nopw 0(%rax,%rax)
           {0x41, 0x57},                          // push %r15
           {0xe8, 0, 0, 0, 0},                    // call
           {0xc3},                                // ret
       })
    EXPECT_TRUE(is_register_only(code.data())) << ::testing::PrintToString(code);
}

TEST(RegisterOnly, AreNoneThatLoadOrStoreAndNoneThatAreUnknown) {
  for (const Code& code : std::vector<Code>{
           {0x8b, 0x07},                                // mov (%rdi),%eax
           {0x48, 0x89, 0x44, 0x24, 0x08},              // mov %rax,8(%rsp)
           {0x66, 0x89, 0x07},                          // mov %ax,(%rdi)
           {0x48, 0x01, 0x07},                          // add %rax,(%rdi)
           {0x83, 0x3f, 0x00},                          // cmpl $0,(%rdi)
           {0xc6, 0x07, 0x01},                          // movb $1,(%rdi)
           {0x0f, 0xb6, 0x07},                          // movzbl (%rdi),%eax
           {0x48, 0x0f, 0x44, 0x07},                    // cmove (%rdi),%rax
           {0xf0, 0x0f, 0xb1, 0x0f},                    // lock cmpxchg %ecx,(%rdi)
           {0xf3, 0xa4},                                // rep movsb
           {0x87, 0x07},                                // xchg %eax,(%rdi)
           {0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0},  // mov %fs:0,%rax
           {0x0f, 0x31},                                // rdtsc
           {0x0f, 0xae, 0xf0},                          // mfence
           {0x0f, 0x11, 0x07},                          // movups %xmm0,(%rdi)
           {0xff, 0x27},                                // jmp *(%rdi)
       })
    EXPECT_FALSE(is_register_only(code.data())) << ::testing::PrintToString(code);
}

}  // namespace
}  // namespace barefxt::test::register_only_test
