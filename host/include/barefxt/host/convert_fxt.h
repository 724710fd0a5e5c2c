// Normalizes any archive: the result has only what every reader accepts.
//
// Invariants of the output, for any input:
//  - the magic number first, every provider declared before its sections;
//  - tables built anew: every reference registered, every text UTF-8; unregistered references are
//    called `string#N` or `thread#N`;
//  - today's event numbers; no unknown record, event type or argument type, no extra words, no
//  scope;
//  - no reserved bit set, no padding but zeros, no end before its begin, no clock of 0 ticks/s;
//  - no record of 4096 words or more. A larger one loses its payload, and
//    its payload follows in blobs of its name.
//  - wakeups name their waker, if the archive shows it. On a damaged archive a second
//    conversion may name more: it cannot see where records were left out.
//  - records around losses that keep viewers from showing more than is known (added_records.h).
//  - if asked for, packets for Perfetto ahead of each log (perfetto_logs.h).
// Records keep their order. Indexed references stay indexed and inline ones inline, so only wakeups
// grow. A normal archive comes out byte for byte as it went in.
#pragma once

#include <barefxt/host/added_records.h>
#include <barefxt/host/archive_wakers.h>
#include <barefxt/host/archive_writer.h>
#include <barefxt/host/converter.h>
#include <barefxt/host/perfetto_logs.h>

namespace barefxt::host {

class FxtNormalizer : public Converter {
 public:
  // `form` is that of the archive that is read, `order` that of the one that is written; `wakers`
  // and `added` are those of the same archive.
  FxtNormalizer(Form form, ByteSink& sink, ByteOrder order, ArchiveWakers& wakers,
                AddedRecords& added, LogPackets packets = LogPackets::kNone);
};

}  // namespace barefxt::host
