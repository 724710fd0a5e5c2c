// The file: a virtio console, whose one port QEMU connects with it. Everything that the device
// reads is little-endian; nothing is ever received.
#include "devices.h"
#include "kernel/board.h"

namespace board {
namespace {

constexpr uintptr_t kFirstSlot = 0xff010000;
constexpr uintptr_t kSlotBytes = 0x200;
constexpr unsigned kSlots = 128;

enum Register : uintptr_t {  // unscoped: offsets
  kMagic = 0x00,
  kVersion = 0x04,
  kDevice = 0x08,
  kFeatures = 0x20,
  kFeaturesHalf = 0x24,
  kQueue = 0x30,  // which of them the next three are for
  kQueueLength = 0x38,
  kQueueReady = 0x44,
  kNotify = 0x50,
  kStatus = 0x70,
  kDescriptors = 0x80,
  kAvailable = 0x90,
  kUsed = 0xa0,
};
enum Status : uint32_t {  // unscoped: bits
  kSeen = 1,
  kDriver = 2,
  kRunning = 4,
  kFeaturesChosen = 8,
};

constexpr uint32_t kMagicValue = 0x74726976;
constexpr uint32_t kConsole = 3;
constexpr uint32_t kTransmitting = 1;  // the queue's number
constexpr uint16_t kLength = 2;        // of the queue

constexpr uint16_t swapped(uint16_t value) { return __builtin_bswap16(value); }
constexpr uint32_t swapped(uint32_t value) { return __builtin_bswap32(value); }

struct alignas(16) Descriptor {
  uint32_t address;
  uint32_t address_high;
  uint32_t bytes;
  uint16_t flags;
  uint16_t next;
};
struct alignas(4) Available {
  uint16_t flags;
  uint16_t index;
  uint16_t descriptor[kLength];
};
struct alignas(4) Used {
  uint16_t flags;
  uint16_t index;
  struct {
    uint32_t descriptor;
    uint32_t bytes;
  } element[kLength];
};
Descriptor descriptors[kLength];
Available available;
Used used;
uint16_t sent = 0;

uintptr_t console = 0;

uint32_t read(uintptr_t slot, Register number) { return swapped(device_register(slot + number)); }
void write(Register number, uint32_t value) { device_register(console + number) = swapped(value); }
void write_address(Register number, const void* address) {
  write(number, reinterpret_cast<uintptr_t>(address));
  device_register(console + number + 4) = 0;
}

uintptr_t find_console() {
  for (unsigned i = 0; i < kSlots; ++i) {
    const uintptr_t slot = kFirstSlot + i * kSlotBytes;
    if (read(slot, kMagic) == kMagicValue && read(slot, kVersion) == 2 &&
        read(slot, kDevice) == kConsole)
      return slot;
  }
  return 0;
}

}  // namespace

bool file_open() {
  console = find_console();
  if (console == 0) return false;
  write(kStatus, 0);
  write(kStatus, kSeen | kDriver);
  // Accepts the one required feature.
  write(kFeaturesHalf, 1);
  write(kFeatures, 1);
  write(kFeaturesHalf, 0);
  write(kFeatures, 0);
  write(kStatus, kSeen | kDriver | kFeaturesChosen);
  write(kQueue, kTransmitting);
  write(kQueueLength, kLength);
  write_address(kDescriptors, descriptors);
  write_address(kAvailable, &available);
  write_address(kUsed, &used);
  write(kQueueReady, 1);
  write(kStatus, kSeen | kDriver | kFeaturesChosen | kRunning);
  return (read(console, kStatus) & kFeaturesChosen) != 0;
}

// One after the other, always by the first descriptor.
void file_write(const uint8_t* bytes, size_t count) {
  descriptors[0] = {swapped(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(bytes))), 0,
                    swapped(static_cast<uint32_t>(count)), 0, 0};
  available.descriptor[sent % kLength] = 0;
  available.index = swapped(++sent);
  asm volatile("" : : : "memory");
  write(kNotify, kTransmitting);
  while (*const_cast<const volatile uint16_t*>(&used.index) != swapped(sent)) relax();
}

bool file_close() { return true; }

}  // namespace board
