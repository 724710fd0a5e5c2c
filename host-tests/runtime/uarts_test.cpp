// The UARTs of port/transport with their registers in memory: bytes reach the data register, a line
// that stands still ends a write within its patience, and what was given up is counted.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string_view>

#include <barefxt_16550.h>
#include <barefxt_cmsdk.h>
#include <barefxt_nrf.h>
#include <barefxt_pl011.h>
#include <barefxt_sifive.h>
#include <barefxt_stm32.h>

namespace barefxt {
namespace {

// 16550s: 32-bit registers four bytes apart.
struct Wide16550 : barefxt_16550 {};

alignas(8) std::array<uint32_t, 512> registers;

// The registers of each kind, and the states in which it takes bytes and does not.
template <typename Uart>
struct Kind;

#define UART_KIND(type, data_register, state_register, takes, stands)                              \
  template <>                                                                                      \
  struct Kind<type> {                                                                              \
    static type make() { return {registers.data(), 50, 0}; }                                       \
    static void write(type& uart, const uint8_t* bytes, size_t count) {                            \
      type##_write(&uart, bytes, count);                                                           \
    }                                                                                              \
    static uint32_t data() { return registers[(data_register) / 4]; }                              \
    static void be_ready(bool ready) { registers[(state_register) / 4] = ready ? takes : stands; } \
  }
UART_KIND(barefxt_cmsdk, 0x00, 0x04, 0x0, 0x1);
UART_KIND(barefxt_pl011, 0x00, 0x18, 0x90, 0x38);
UART_KIND(barefxt_stm32, 0x04, 0x00, 0xc0, 0x00);

template <>
struct Kind<Wide16550> {
  static Wide16550 make() {
    Wide16550 uart;
    static_cast<barefxt_16550&>(uart) = {
        reinterpret_cast<volatile uint8_t*>(registers.data()), 2, 0, 4, 50, 0};
    return uart;
  }
  static void write(Wide16550& uart, const uint8_t* bytes, size_t count) {
    barefxt_16550_write(static_cast<barefxt_16550*>(&uart), bytes, count);
  }
  static uint32_t data() { return registers[0]; }
  static void be_ready(bool ready) { registers[5] = ready ? 0x60 : 0x00; }
};

template <>
struct Kind<barefxt_16550> {
  static barefxt_16550 make() {
    return {reinterpret_cast<volatile uint8_t*>(registers.data()), 0, 0, 0, 50, 0};
  }
  static void write(barefxt_16550& uart, const uint8_t* bytes, size_t count) {
    barefxt_16550_write(&uart, bytes, count);
  }
  static uint32_t data() { return reinterpret_cast<uint8_t*>(registers.data())[0]; }
  static void be_ready(bool ready) {
    reinterpret_cast<uint8_t*>(registers.data())[5] = ready ? 0x60 : 0x00;
  }
};

template <typename Uart>
class Uarts : public testing::Test {
 protected:
  Uarts() { registers.fill(0); }
  void write(std::string_view text) {
    Kind<Uart>::write(uart_, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  }

  Uart uart_ = Kind<Uart>::make();
};
using Kinds = testing::Types<barefxt_16550, Wide16550, barefxt_cmsdk, barefxt_pl011, barefxt_stm32>;
TYPED_TEST_SUITE(Uarts, Kinds);

TYPED_TEST(Uarts, SendsBytesWhileThereIsRoom) {
  Kind<TypeParam>::be_ready(true);
  this->write("abc");
  EXPECT_EQ(Kind<TypeParam>::data(), 'c');
  EXPECT_EQ(this->uart_.unsent, 0u);
}

TYPED_TEST(Uarts, GivesUpOnALineThatStandsStillAndCountsAllBytes) {
  Kind<TypeParam>::be_ready(false);
  this->write("abc");
  this->write("de");
  EXPECT_EQ(this->uart_.unsent, 5u);
  EXPECT_EQ(Kind<TypeParam>::data(), 0u);
}

TYPED_TEST(Uarts, HasPatienceByDefault) {
  Kind<TypeParam>::be_ready(false);
  this->uart_.patience = 0;
  this->write("abc");
  EXPECT_EQ(this->uart_.unsent, 3u);
}

TYPED_TEST(Uarts, GoesOnWhenTheLineDoes) {
  Kind<TypeParam>::be_ready(false);
  this->write("abc");
  Kind<TypeParam>::be_ready(true);
  this->write("de");
  EXPECT_EQ(this->uart_.unsent, 3u);
  EXPECT_EQ(Kind<TypeParam>::data(), 'e');
}

TYPED_TEST(Uarts, TakesMoreThan32BitsOfLostBytes) {
  Kind<TypeParam>::be_ready(false);
  this->uart_.unsent = 0xffffffff;
  this->write("ab");
  EXPECT_EQ(this->uart_.unsent, 0x100000001u);
}

TEST(Wide16550, StoresWholeRegisters) {
  registers.fill(0);
  auto uart = Kind<barefxt::Wide16550>::make();
  Kind<barefxt::Wide16550>::be_ready(true);
  registers[0] = 0xffffff00;
  barefxt_16550_write(static_cast<barefxt_16550*>(&uart), reinterpret_cast<const uint8_t*>("c"), 1);
  EXPECT_EQ(registers[0], 'c');
}

// Data and state are one register: what was written last is its state, too.
TEST(SifiveUart, SendsAndGivesUp) {
  registers.fill(0);
  barefxt_sifive uart = {registers.data(), 50, 0};
  barefxt_sifive_write(&uart, reinterpret_cast<const uint8_t*>("ab"), 2);
  EXPECT_EQ(registers[0], 'b');
  EXPECT_EQ(uart.unsent, 0u);
  registers[0] = 0x80000000;
  barefxt_sifive_write(&uart, reinterpret_cast<const uint8_t*>("cde"), 3);
  EXPECT_EQ(uart.unsent, 3u);
  EXPECT_EQ(registers[0], 0x80000000u);
  registers[0] = 0;
  barefxt_sifive_write(&uart, reinterpret_cast<const uint8_t*>("fg"), 2);
  EXPECT_EQ(uart.unsent, 3u);
  EXPECT_EQ(registers[0], 'g');
}

// The write itself clears the event, which memory does not set again.
TEST(NrfUart, GivesUpUntilTheByteThatItGaveUpOnIsSent) {
  registers.fill(0);
  constexpr unsigned kIsSent = 0x11c / 4;
  constexpr unsigned kData = 0x51c / 4;
  barefxt_nrf uart = {registers.data(), 50, 0};
  barefxt_nrf_write(&uart, reinterpret_cast<const uint8_t*>("abc"), 3);
  EXPECT_EQ(uart.unsent, 3u);
  EXPECT_EQ(registers[kData], 'a');
  barefxt_nrf_write(&uart, reinterpret_cast<const uint8_t*>("de"), 2);
  EXPECT_EQ(uart.unsent, 5u);
  EXPECT_EQ(registers[kData], 'a');
  registers[kIsSent] = 1;
  barefxt_nrf_write(&uart, reinterpret_cast<const uint8_t*>("fg"), 2);
  EXPECT_EQ(uart.unsent, 7u);
  EXPECT_EQ(registers[kData], 'f');
}

TEST(UartDrains, EndWithinTheirPatience) {
  registers.fill(0);
  barefxt_pl011 pl011 = {registers.data(), 50, 0};
  registers[0x18 / 4] = 0x8;
  EXPECT_FALSE(barefxt_pl011_drain(&pl011));
  registers[0x18 / 4] = 0;
  EXPECT_TRUE(barefxt_pl011_drain(&pl011));
  registers.fill(0);
  barefxt_16550 wide = {reinterpret_cast<volatile uint8_t*>(registers.data()), 2, 0, 4, 50, 0};
  EXPECT_FALSE(barefxt_16550_drain(&wide));
  registers[5] = 0x40;
  EXPECT_TRUE(barefxt_16550_drain(&wide));
  registers.fill(0);
  barefxt_stm32 stm32 = {registers.data(), 50, 0};
  EXPECT_FALSE(barefxt_stm32_drain(&stm32));
  registers[0] = 0x40;
  EXPECT_TRUE(barefxt_stm32_drain(&stm32));
  registers.fill(0);
  barefxt_sifive sifive = {registers.data(), 50, 0};
  EXPECT_FALSE(barefxt_sifive_drain(&sifive));
  registers[0x14 / 4] = 1;
  EXPECT_TRUE(barefxt_sifive_drain(&sifive));
}

}  // namespace
}  // namespace barefxt
