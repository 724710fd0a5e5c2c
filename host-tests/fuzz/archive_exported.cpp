// Anything, as an archive whose first byte selects byte order and dialect, exported: plain readers
// of the Common Trace Format and of Parquet find in the exports what is in the archive, and no
// more.
#include <nlohmann/json.hpp>
#include <set>

#include "convert/converting.h"
#include "convert/plain_ctf.h"
#include "convert/plain_parquet.h"
#include "fuzzing.h"

namespace barefxt::test::fuzz_archive_exported {
namespace {

using host::Change;

void to_ctf_or_die(const std::string& archive, host::FormOverrides overrides) {
  host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive), overrides).form);
  std::map<std::string, std::string> files;
  host::CtfConverter converter([&](const std::string& file, std::string_view bytes) {
    files[file] += bytes;
    return host::Status();
  });
  while (const host::Record* record = reader.next()) converter.see(*record, reader.provider());
  if (!converter.finish().ok()) die_of("CTF: it cannot be written");
  const PlainCtf trace(files["stream"]);
  die_of(trace.problem);
  if (trace.events.size() + converter.changes().of(Change::kUnplacedEvent) !=
      ctf_events_in(archive, overrides))
    die_of("CTF: another number of events");
}

void to_parquet_or_die(const std::string& archive, host::FormOverrides overrides) {
  std::set<uint64_t> offsets;
  host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive), overrides).form);
  while (const host::Record* record = reader.next()) offsets.insert(record->offset);
  const PlainParquet table(to_parquet(archive, overrides).bytes);
  uint64_t last = 0;
  for (const PlainParquet::Row& row : table.rows) {
    const uint64_t offset = row.at("record").bits;
    if (offset < last || !offsets.contains(offset)) die_of("Parquet: a row of no record");
    last = offset;
    for (const auto& [column, value] : row)
      if (!is_utf8(value.text)) die_of("Parquet: " + column + " is no UTF-8");
    if (row.contains("arguments") && !nlohmann::json::accept(row.at("arguments").text))
      die_of("Parquet: arguments that are no JSON");
  }
}

void try_input(const uint8_t* data, size_t size) {
  ::testing::GTEST_FLAG(break_on_failure) = true;
  if (size == 0) return;
  host::FormOverrides overrides;
  overrides.byte_order = (data[0] & 1) != 0 ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  overrides.dialect = (data[0] & 2) != 0 ? host::Dialect::k2017 : host::Dialect::kToday;
  const std::string archive(data + 1, data + size);
  to_ctf_or_die(archive, overrides);
  to_parquet_or_die(archive, overrides);
}

const Fuzzer fuzzer("archive_exported", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_archive_exported
