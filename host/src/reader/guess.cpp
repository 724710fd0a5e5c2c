// Which of the two byte orders and which of the two dialects an archive is written in.
#include <algorithm>

#include <barefxt/fxt/metadata.h>
#include <barefxt/host/reader.h>

#include "conformance.h"
#include "plausible.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kTrialBytes = uint64_t{64} * 1024;

std::optional<ByteOrder> order_of_magic(Bytes bytes) {
  if (bytes.size() < fxt::kWordBytes) return std::nullopt;
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    if (load_word(bytes.data(), order != kOwnByteOrder) == fxt::MagicNumber::make()) return order;
  }
  return std::nullopt;
}

uint64_t evidence(Bytes bytes, ByteOrder order) {
  Plausible plausible(bytes, {order, Dialect::kToday});
  // The first place that reads well may come after some damage.
  for (uint64_t at = 0; at < bytes.size() && at < kTrialBytes; at += fxt::kWordBytes) {
    const uint64_t run = plausible.run(at, kTrialBytes);
    if (run > 0) return run;
  }
  return 0;
}

// Bytes in records of known types, in doubt or not: what decides where nothing is beyond doubt.
uint64_t weaker_evidence(Bytes bytes, ByteOrder order) {
  Reader reader(bytes.first(std::min<uint64_t>(bytes.size(), kTrialBytes)),
                {order, Dialect::kToday});
  uint64_t known = 0;
  while (const Record* record = reader.next()) {
    if (!record->is_malformed() && !std::holds_alternative<Unknown>(record->content)) {
      known += record->raw.size();
    }
  }
  return known;
}

ByteOrder likelier_order(Bytes bytes) {
  uint64_t little = evidence(bytes, ByteOrder::kLittle);
  uint64_t big = evidence(bytes, ByteOrder::kBig);
  if (little == 0 && big == 0) {
    little = weaker_evidence(bytes, ByteOrder::kLittle);
    big = weaker_evidence(bytes, ByteOrder::kBig);
  }
  return big > little ? ByteOrder::kBig : ByteOrder::kLittle;
}

// Returns the offset of the first record that the 2017 dialect lacks, or nothing.
std::optional<uint64_t> first_newer_record(Bytes bytes, ByteOrder order,
                                           const Reader::Passed& passed) {
  Reader reader(bytes, {order, Dialect::kToday});
  reader.on_passed(passed);
  while (const Record* record = reader.next()) {
    if (passed) passed(record->offset);
    bool newer = false;
    if (const auto* event = std::get_if<Event>(&record->content)) {
      newer = event->type == fxt::EventType::kFlowEnd;
    } else if (std::holds_alternative<ProviderEvent>(record->content) ||
               std::holds_alternative<MagicNumber>(record->content) ||
               std::holds_alternative<LargeBlob>(record->content) ||
               std::holds_alternative<ContextSwitch>(record->content) ||
               std::holds_alternative<ThreadWakeup>(record->content) ||
               std::holds_alternative<ProfilerModule>(record->content) ||
               std::holds_alternative<ProfilerMmap>(record->content) ||
               std::holds_alternative<ProfilerBacktrace>(record->content)) {
      newer = true;
    } else if (const auto* change = std::get_if<LegacyContextSwitch>(&record->content)) {
      newer = change->outgoing_priority != 0 || change->incoming_priority != 0;
    } else if (const auto* blob = std::get_if<Blob>(&record->content)) {
      newer = blob->type == static_cast<unsigned>(fxt::BlobType::kPerfetto);
    } else if (const auto* unknown = std::get_if<Unknown>(&record->content)) {
      newer = unknown->type == static_cast<unsigned>(fxt::RecordType::kLarge) ||
              (unknown->type == static_cast<unsigned>(fxt::RecordType::kMetadata) &&
               unknown->subtype >= static_cast<unsigned>(fxt::MetadataType::kProviderEvent));
    }
    if (!newer) {
      for (const Argument& argument : arguments_of(*record)) {
        newer = newer || argument.type >= fxt::ArgumentType::kBool;
      }
    }
    if (newer) return record->offset;
  }
  return std::nullopt;
}

}  // namespace

bool starts_as_archive(Bytes bytes) { return order_of_magic(bytes).has_value(); }

FormGuess guess_form(Bytes bytes, FormOverrides overrides, const Reader::Passed& passed) {
  FormGuess guess;
  const std::optional<ByteOrder> magic = order_of_magic(bytes);
  if (overrides.byte_order) {
    guess.form.byte_order = *overrides.byte_order;
  } else if (magic) {
    guess.form.byte_order = *magic;
  } else {
    guess.form.byte_order = likelier_order(bytes);
    const bool big = guess.form.byte_order == ByteOrder::kBig;
    guess.notes.push_back(
        formatted("no magic number at the start; read as {}-endian, which parses better "
                  "(--input-byte-order overrules)",
                  big ? "big" : "little"));
  }
  if (overrides.dialect) {
    guess.form.dialect = *overrides.dialect;
  } else if (!magic) {
    const auto newer = first_newer_record(bytes, guess.form.byte_order, passed);
    guess.form.dialect = newer ? Dialect::kToday : Dialect::k2017;
    guess.notes.push_back(
        newer ? formatted("read in today's dialect: the record at offset {} is newer than 2017 "
                          "(--dialect overrules)",
                          *newer)
              : std::string("read in the 2017 dialect: no magic number and nothing newer in it "
                            "(--dialect overrules)"));
  }
  return guess;
}

}  // namespace barefxt::host
