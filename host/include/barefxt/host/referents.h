// Resolves numbers and names that records refer to across the whole archive: userspace objects of a
// process, kernel objects, and the blob that a chunk belongs to.
//
// Invariants: names are views into the archive, so remembering one copies nothing. Memory is
// bounded: beyond the limit, referents have no name and are counted.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include <barefxt/host/record.h>

namespace barefxt::host {

// A chunk's position in the blob that all records of one provider and name make up.
struct BlobChunk {
  uint64_t number = 1;  // from 1
  uint64_t offset = 0;  // in bytes
};

class Referents {
 public:
  // An object is known from its record on, and a later record renames it.
  void learn(const Record& record);

  // Empty where there is none. Kernel objects are global, userspace objects are their process's.
  std::string_view kernel_object(uint64_t koid) const;
  std::string_view userspace_object(uint64_t process, uint64_t pointer) const;

  // The chunk of the blob record learned last, if its name was registered.
  const BlobChunk& chunk() const { return chunk_; }

  // Objects and blobs beyond those that fit.
  uint64_t forgotten() const { return forgotten_; }

  static constexpr size_t kMax = size_t{1} << 20;  // of each kind

 private:
  struct Object {
    uint64_t process;
    uint64_t pointer;
    bool operator==(const Object&) const = default;
  };
  struct Blobs {
    uint64_t provider;
    std::string_view name;
    bool operator==(const Blobs&) const = default;
  };
  struct Hash {
    size_t operator()(const Object& object) const;
    size_t operator()(const Blobs& blobs) const;
  };

  template <typename Map, typename Key>
  void remember(Map& map, const Key& key, const Text& name);
  void join(const Record& record, const Blob& blob);

  std::unordered_map<uint64_t, std::string_view> kernel_objects_;
  std::unordered_map<Object, std::string_view, Hash> userspace_objects_;
  std::unordered_map<Blobs, BlobChunk, Hash> next_chunks_;
  BlobChunk chunk_;
  uint64_t forgotten_ = 0;
};

}  // namespace barefxt::host
