// An image of a target's memory: which bytes lie at which address. From files that hold memory as
// it is, from ELF cores, or from both together.
//
// Invariants: bytes stay where they are, in files that are mapped; nothing is copied but what is
// asked for; no two regions overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/source.h>

namespace barefxt::host {

class Memory {
 public:
  struct Region {
    uint64_t address;
    Bytes bytes;

    uint64_t last() const { return address + (bytes.size() - 1); }
  };

  // In order of address.
  const std::vector<Region>& regions() const { return regions_; }
  uint64_t bytes() const;

  // Copies what lies at `address` and behind it without a gap; returns how many bytes that is.
  size_t read(uint64_t address, std::span<uint8_t> to) const;
  // The text at `address`, up to its zero byte or kMaxStringBytes; nothing if memory ends before.
  std::optional<std::string> text(uint64_t address) const;
  // The first address from `address` on at which something lies.
  std::optional<uint64_t> next(uint64_t address) const;

  bool overlaps(const std::vector<Region>& others) const;
  // Leaves out those that overlap what is there, and cuts one that goes beyond the last address.
  void add(std::vector<Region> regions);

 private:
  std::vector<Region> regions_;
};

// Returns true if the file seems to hold a trace's descriptor, in either byte order. Images of
// memory differ from other files in this.
bool may_hold_trace(Source& file);

class MemoryImage {
 public:
  explicit MemoryImage(std::string name) : name_(std::move(name)) {}

  // A file with the bytes from address `base` on; 0 will do for an unknown base if the program has
  // the descriptor's address. Returns false for a file that overlaps others, which stays out.
  bool add_raw(Source& file, uint64_t base);
  bool add_core(Source& file, const ElfFile& core);

  const std::string& name() const { return name_; }
  uint64_t file_bytes() const;
  // A core's segments go beyond the end of its file.
  bool is_cut() const { return is_cut_; }

  // A core has two addresses for what it holds, and not every maker of cores fills in both. Which
  // is right is seen when the trace is found.
  const Memory& by_virtual_address() const { return by_virtual_address_; }
  const Memory& by_physical_address() const { return by_physical_address_; }
  // Both addresses are the same.
  bool has_one_address() const { return has_one_address_; }

  // Gives the files' memory back to the system; it returns when it is read again.
  void release_memory() const;

 private:
  bool add(Source& file, const std::vector<Memory::Region>& by_virtual,
           const std::vector<Memory::Region>& by_physical);

  std::string name_;
  bool is_cut_ = false;
  bool has_one_address_ = true;
  std::vector<Source*> files_;
  Memory by_virtual_address_;
  Memory by_physical_address_;
};

}  // namespace barefxt::host
