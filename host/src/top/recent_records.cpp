#include "recent_records.h"

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/record.h>
#include <barefxt/fxt/tables.h>
#include <barefxt/host/words.h>

namespace barefxt::top {
namespace {

using fxt::RecordType;

uint64_t word(host::Bytes bytes, size_t index) {
  return host::load_word(bytes.data() + index * fxt::kWordBytes,
                         host::kOwnByteOrder != host::ByteOrder::kLittle);
}

size_t bytes_of(uint64_t header) {
  const uint64_t words = fxt::RecordHeader::type(header) == RecordType::kLarge
                             ? fxt::LargeRecordHeader::SizeWords::in(header)
                             : fxt::RecordHeader::SizeWords::in(header);
  return words * fxt::kWordBytes;
}

}  // namespace

void RecentRecords::add(host::Bytes records) {
  bytes_ += records.size();
  records_.emplace_back(records.begin(), records.end());
  while (bytes_ > most_ && records_.size() > 1) forget_first();
}

void RecentRecords::forget_first() {
  const host::Bytes all = records_.front();
  for (size_t at = 0; at + fxt::kWordBytes <= all.size();) {
    const size_t size = bytes_of(word(all.subspan(at), 0));
    if (size == 0 || size > all.size() - at) break;
    keep(all.subspan(at, size));
    at += size;
  }
  bytes_ -= all.size();
  records_.pop_front();
  is_all_ = false;
}

// Tables alone.
void RecentRecords::keep(host::Bytes record) {
  const uint64_t header = word(record, 0);
  const RecordType type = fxt::RecordHeader::type(header);
  uint64_t about = 0;
  switch (type) {
    case RecordType::kMetadata:
      about = fxt::MetadataHeader::Subtype::in(header);
      if (about == static_cast<uint64_t>(fxt::MetadataType::kProviderEvent)) return;
      // The magic number, ahead of all.
      if (about == static_cast<uint64_t>(fxt::MetadataType::kTraceInfo)) about = 0;
      break;
    case RecordType::kInitialization:
      break;
    case RecordType::kString:
      about = fxt::StringRecord::Index::in(header);
      break;
    case RecordType::kThread:
      about = fxt::ThreadRecord::Index::in(header);
      break;
    case RecordType::kKernelObject:
      about = word(record, 1);
      break;
    default:
      return;
  }
  const Key key{static_cast<uint8_t>(type), about};
  // Names refer to texts by their indices.
  if (type == RecordType::kString && tables_.contains(key))
    std::erase_if(tables_, [](const auto& one) {
      return one.first.first == static_cast<uint8_t>(RecordType::kKernelObject);
    });
  tables_[key].assign(record.begin(), record.end());
}

std::vector<uint8_t> RecentRecords::archive() const {
  std::vector<uint8_t> all;
  for (const auto& [key, record] : tables_) all.insert(all.end(), record.begin(), record.end());
  for (const std::vector<uint8_t>& records : records_)
    all.insert(all.end(), records.begin(), records.end());
  return all;
}

}  // namespace barefxt::top
