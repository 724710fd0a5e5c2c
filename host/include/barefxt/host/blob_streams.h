// Which blob a chunk belongs to. A blob record is a chunk of the blob of its name: "by writing
// multiple blob records with the same name, additional chunks of data can be appended". Large
// records hold blobs under a name, too, and count as chunks of it.
//
// Blobs of two providers are never joined, even if their names are equal. Chunks come in file
// order, and joining them is appending.
//
// Invariant: names are views into the archive, so memory grows by a fixed amount with every name,
// and there are at most kMax.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <barefxt/host/record.h>

namespace barefxt::host {

class BlobStreams {
 public:
  static constexpr size_t kMax = 65536;

  struct Stream {
    std::optional<uint32_t> provider;
    Text name;
    uint64_t chunks = 0;
    uint64_t bytes = 0;
  };
  struct Chunk {
    size_t stream;  // its number, from 0 in the order of first chunks
    std::string_view payload;
  };

  // Returns the chunk of a blob or large blob record; nothing for other records, or beyond the
  // limit of names.
  std::optional<Chunk> see(const Record& record);

  const std::vector<Stream>& streams() const { return streams_; }
  // Chunks that were left out for the number of names.
  uint64_t left_out() const { return left_out_; }

 private:
  struct Key {
    uint64_t provider;  // beyond 32 bits where there is none
    uint32_t unregistered;
    std::string_view name;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.name) ^ (key.provider * 0x9e3779b97f4a7c15U) ^
             key.unregistered;
    }
  };

  std::unordered_map<Key, size_t, KeyHash> numbers_;
  std::vector<Stream> streams_;
  uint64_t left_out_ = 0;
};

}  // namespace barefxt::host
