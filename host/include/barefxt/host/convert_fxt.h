// Any archive made normal: what every reader accepts, and nothing that one could stumble over.
//
// Invariants of what goes out, whatever comes in:
//  - the magic number first, every provider declared before its sections;
//  - tables built anew: every reference registered, every text UTF-8; what was never registered is
//    called `string#N` or `thread#N`;
//  - today's event numbers; no unknown record, event type or argument type, no extra words, no
//  scope;
//  - no reserved bit set, no padding but zeros, no end before its begin, no clock of 0 ticks/s;
//  - no record of 4096 words or more. Of a larger one stays a record with all but its payload, and
//    its payload follows in blobs of its name.
//  - wakeups name their waker, where the archive shows who it was. Of a damaged archive a second
//    conversion may name more: it cannot see where records were left out.
//  - records around losses that keep viewers from showing more than is known (added_records.h).
// Records keep their order. What was indexed stays indexed and what was inline stays inline, so
// only wakeups grow; and an archive that is normal already comes out as it is, byte for byte.
#pragma once

#include <memory>

#include <barefxt/host/added_records.h>
#include <barefxt/host/archive_wakers.h>
#include <barefxt/host/archive_writer.h>
#include <barefxt/host/convert.h>
#include <barefxt/host/reader.h>

namespace barefxt::host {

class FxtNormalizer {
 public:
  // `form` is that of the archive that is read, `order` that of the one that is written; `wakers`
  // and `added` are those of the same archive.
  FxtNormalizer(Form form, ByteSink& sink, ByteOrder order, ArchiveWakers& wakers,
                AddedRecords& added);
  ~FxtNormalizer();
  FxtNormalizer(const FxtNormalizer&) = delete;
  FxtNormalizer& operator=(const FxtNormalizer&) = delete;

  // The archive's records, one after another.
  void see(const Record& record);
  [[nodiscard]] Outcome finish();
  // Whether the sink has failed: there is no point in going on.
  bool failed() const;
  const ChangeCounts& changes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace barefxt::host
