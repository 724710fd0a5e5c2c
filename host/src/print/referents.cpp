// Learning names, and looking them up.
#include <functional>

#include <barefxt/host/referents.h>

namespace barefxt::host {
namespace {

size_t mix(size_t left, size_t right) {
  constexpr size_t kOddFraction = 0x9e3779b97f4a7c15;
  return (left ^ right >> 32) * kOddFraction + right;
}

}  // namespace

size_t Referents::Hash::operator()(const Object& object) const {
  return mix(object.process, object.pointer);
}

size_t Referents::Hash::operator()(const Blobs& blobs) const {
  return mix(blobs.provider, std::hash<std::string_view>{}(blobs.name));
}

template <typename Map, typename Key>
void Referents::remember(Map& map, const Key& key, const Text& name) {
  if (name.bytes.empty()) return;
  const auto found = map.find(key);
  if (found != map.end()) {
    found->second = name.bytes;
  } else if (map.size() < kMax) {
    map.emplace(key, name.bytes);
  } else {
    ++forgotten_;
  }
}

void Referents::join(const Record& record, const Blob& blob) {
  const Blobs key{record.provider.value_or(kNoProvider), blob.name.bytes};
  auto found = next_chunks_.find(key);
  if (found == next_chunks_.end()) {
    if (next_chunks_.size() == kMax) {
      chunk_ = {};
      ++forgotten_;
      return;
    }
    found = next_chunks_.emplace(key, BlobChunk{}).first;
  }
  chunk_ = found->second;
  ++found->second.number;
  found->second.offset += blob.payload.size();
}

void Referents::learn(const Record& record) {
  if (const auto* kernel = std::get_if<KernelObject>(&record.content)) {
    remember(kernel_objects_, kernel->koid, kernel->name);
  } else if (const auto* object = std::get_if<UserspaceObject>(&record.content)) {
    if (!object->process.registered) return;
    remember(userspace_objects_, Object{object->process.process, object->pointer}, object->name);
  } else if (const auto* blob = std::get_if<Blob>(&record.content)) {
    if (blob->name.registered) join(record, *blob);
  }
}

std::string_view Referents::kernel_object(uint64_t koid) const {
  const auto found = kernel_objects_.find(koid);
  return found == kernel_objects_.end() ? std::string_view{} : found->second;
}

std::string_view Referents::userspace_object(uint64_t process, uint64_t pointer) const {
  const auto found = userspace_objects_.find(Object{process, pointer});
  return found == userspace_objects_.end() ? std::string_view{} : found->second;
}

}  // namespace barefxt::host
