// Logs for Perfetto, whose importer skips the log records of an archive: each log once more, as
// packets of Perfetto's own format, in a blob of type 3 right ahead of the record. Perfetto shows
// an instant on the thread and a row of its table of logs.
//
// Invariants: a blob needs nothing outside of itself, so records may be lost around it. Its times
// name no clock, which is how the importer keeps them on the archive's. Its packets are of a
// sequence of their own, so those of the target keep their state.
#pragma once

#include <cstdint>
#include <string_view>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/record.h>

namespace barefxt::host {

enum class LogPackets : uint8_t { kNone, kAdd };

// `ticks` at `provider`'s rate. Writes nothing for times that Perfetto has no room for, 2^63 ns.
void write_log_packets(ArchiveWriter& writer, const ArchiveThread& thread, uint64_t ticks,
                       std::string_view message, const ProviderState& provider);

}  // namespace barefxt::host
