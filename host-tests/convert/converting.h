// Archives in memory, converted.
#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <string>

#include <barefxt/host/convert_chrome.h>
#include <barefxt/host/convert_ctf.h>
#include <barefxt/host/convert_fxt.h>
#include <barefxt/host/convert_parquet.h>
#include <barefxt/host/convert_perfetto.h>

#include "archive/archive_provider.h"
#include "archive/memory_archive.h"
#include "contains.h"
#include "print/printing.h"

namespace barefxt::test {

struct Converted {
  std::string bytes;
  host::ChangeCounts changes;

  std::vector<uint8_t> archive() const { return {bytes.begin(), bytes.end()}; }
  std::string messages() const {
    std::string text;
    changes.say([&](const std::string& line) { text += line + "\n"; });
    return text;
  }
};

inline Converted to_fxt(const std::string& archive,
                        host::ByteOrder order = host::ByteOrder::kLittle,
                        host::FormOverrides overrides = {},
                        host::LogPackets packets = host::LogPackets::kNone) {
  const host::Form form = host::guess_form(as_bytes(archive), overrides).form;
  host::Reader reader(as_bytes(archive), form);
  MemorySink sink;
  host::ArchiveWakers wakers(as_bytes(archive), form);
  host::AddedRecords added(as_bytes(archive), form);
  host::FxtNormalizer normalizer(form, sink, order, wakers, added, packets);
  while (const host::Record* record = reader.next()) normalizer.see(*record, reader.provider());
  EXPECT_TRUE(normalizer.finish().ok());
  return {{sink.bytes().begin(), sink.bytes().end()}, normalizer.changes()};
}

inline Converted to_chrome(const std::string& archive, host::FormOverrides overrides = {}) {
  host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive), overrides).form);
  MemorySink sink;
  host::ChromeConverter converter(sink);
  while (const host::Record* record = reader.next()) converter.see(*record, reader.provider());
  EXPECT_TRUE(converter.finish().ok());
  return {{sink.bytes().begin(), sink.bytes().end()}, converter.changes()};
}

// With the names of functions.
inline Converted to_perfetto_by(const host::ElfFile* program, const std::string& archive,
                                host::FormOverrides overrides = {}) {
  const host::Form form = host::guess_form(as_bytes(archive), overrides).form;
  host::Reader reader(as_bytes(archive), form);
  MemorySink sink;
  host::ArchiveWakers wakers(as_bytes(archive), form);
  host::AddedRecords added(as_bytes(archive), form, {}, host::AddedRecords::Ends::kAll);
  host::PerfettoConverter converter(sink, wakers, added, program);
  while (const host::Record* record = reader.next()) converter.see(*record, reader.provider());
  EXPECT_TRUE(converter.finish().ok());
  return {{sink.bytes().begin(), sink.bytes().end()}, converter.changes()};
}
inline Converted to_perfetto(const std::string& archive, host::FormOverrides overrides = {}) {
  return to_perfetto_by(nullptr, archive, overrides);
}

// With the names of functions.
inline Converted to_parquet_by(const host::ElfFile* program, const std::string& archive,
                               host::FormOverrides overrides = {}) {
  const host::Form form = host::guess_form(as_bytes(archive), overrides).form;
  MemorySink sink;
  host::ParquetConverter converter(sink, program);
  host::Reader first(as_bytes(archive), form);
  while (const host::Record* record = first.next()) converter.learn(*record);
  host::Reader reader(as_bytes(archive), form);
  while (const host::Record* record = reader.next()) converter.see(*record, reader.provider());
  EXPECT_TRUE(converter.finish().ok());
  return {{sink.bytes().begin(), sink.bytes().end()}, converter.changes()};
}
inline Converted to_parquet(const std::string& archive, host::FormOverrides overrides = {}) {
  return to_parquet_by(nullptr, archive, overrides);
}

// An archive that the writer writes, which other tests hold against the specification.
inline std::string written(const std::function<void(host::ArchiveWriter&)>& write) {
  MemoryArchive writer;
  write(writer);
  return writer.text();
}

// An event of category "c" on thread 11 of process 10.
inline void add(host::ArchiveWriter& writer, fxt::EventType type, uint64_t time,
                std::string_view name, uint64_t trailing = 0,
                const std::vector<host::ArchiveArgument>& arguments = {}) {
  EXPECT_TRUE(add_event(writer, type, time, {0, 10, 11}, "c", name, trailing, arguments));
}

}  // namespace barefxt::test
