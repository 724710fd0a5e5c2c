// Finds the descriptors of traces (barefxt/descriptor.h) in an image of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <barefxt/descriptor.h>
#include <barefxt/host/memory_image.h>
#include <barefxt/host/words.h>

namespace barefxt::host {

// The image's memory as the target addresses it: `shift` is added to the image's own addresses.
struct TargetMemory {
  const Memory* memory = nullptr;
  uint64_t shift = 0;

  size_t read(uint64_t address, std::span<uint8_t> to) const {
    return memory->read(address - shift, to);
  }
  std::optional<std::string> text(uint64_t address) const { return memory->text(address - shift); }
};

struct FoundDescriptor {
  uint64_t address = 0;  // in the image
  ByteOrder order{};     // of the target's words
  uint32_t bytes = 0;    // as many as its version has
  bool checksum_is_right = false;
  Descriptor content{};  // in the host's byte order; what its version lacks is 0
};

// The descriptor at an address of the image, where there is one by its magic number and size.
std::optional<FoundDescriptor> descriptor_at(const Memory& memory, uint64_t address);

// All in the image, by their magic number in either byte order, up to kMaxDescriptors.
inline constexpr size_t kMaxDescriptors = 64;
std::vector<FoundDescriptor> find_descriptors(const MemoryImage& image, const Memory& memory);

// Names content that no runtime writes into a descriptor; null if there is none.
const char* nonsense_in(const FoundDescriptor& found);

}  // namespace barefxt::host
