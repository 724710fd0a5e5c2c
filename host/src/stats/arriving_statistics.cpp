// One pass where statistics.cpp takes two: the caller gives ahead what the first look finds out.
#include <map>
#include <vector>

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/record.h>
#include <barefxt/fxt/tables.h>
#include <barefxt/host/arriving_statistics.h>
#include <barefxt/host/words.h>

#include "groups.h"
#include "surveyor.h"
#include "timeline.h"
#include "translator.h"

namespace barefxt::host {
namespace {

constexpr unsigned kProvider = 0;  // no string has this index

// The place among the records that are kept; nothing if the reader refers to none of its text.
std::optional<unsigned> place_of(uint64_t header) {
  using fxt::RecordType;
  const RecordType type = fxt::RecordHeader::type(header);
  if (type == RecordType::kString)
    return static_cast<unsigned>(fxt::StringRecord::Index::in(header));
  const bool is_info =
      type == RecordType::kMetadata && fxt::MetadataHeader::Subtype::in(header) ==
                                           static_cast<uint64_t>(fxt::MetadataType::kProviderInfo);
  return is_info ? std::optional(kProvider) : std::nullopt;
}

uint64_t words_of(uint64_t header) {
  return fxt::RecordHeader::type(header) == fxt::RecordType::kLarge
             ? fxt::LargeRecordHeader::SizeWords::in(header)
             : fxt::RecordHeader::SizeWords::in(header);
}

Survey survey_of_future() {
  Survey survey;
  // Jobs may come, so switches and wakeups before them matter.
  survey.has_jobs = true;
  return survey;
}

}  // namespace

struct ArrivingStatistics::Parts {
  explicit Parts(TimelineObserver* to) : observer(to) {}

  TimelineObserver* const observer;  // may be null
  Statistics statistics;
  StatisticsOptions options;
  DistributionRoom room;
  Window window{.room = &room};
  Survey survey = survey_of_future();
  Names names;
  Reader reader{Bytes(), Form()};
  Surveyor surveyor{reader, statistics};
  Translator translator{reader, statistics, names, false, window};
  Timeline timeline{statistics, names, survey, window, options, observer};
  // The records that the reader's tables refer to: the provider's, and strings by index.
  std::map<unsigned, std::vector<uint8_t>> kept;
  uint64_t bytes = 0;  // of all records read

  void read(Bytes records) {
    reader.go_on_with(records);
    reader.walk([&](const auto& view, const Place& place) __attribute__((always_inline)) {
      if constexpr (std::is_same_v<std::decay_t<decltype(view)>, KernelObject>)
        name(view);
      else
        surveyor.see(view);
      translator.see(view, Place{bytes + place.offset, place.raw, place.extra_words},
                     [&](const Moment& moment) { timeline.add(moment); });
    });
    bytes += records.size();
  }
  void name(const KernelObject& object) {
    const std::string before = name_of(object.koid);
    surveyor.see(object);
    if (observer != nullptr && name_of(object.koid) != before) observer->renamed(object.koid);
  }
  std::string name_of(uint64_t koid) const {
    return statistics.name_of(koid) + "/" + statistics.name_of(ObjectKey{{}, koid});
  }
  void keep_and_read(unsigned key, Bytes record) {
    std::vector<uint8_t> copy(record.begin(), record.end());
    read(copy);
    kept[key].swap(copy);  // what it replaces is no longer referred to
    names.labels.forget_addresses();
    names.arguments.forget_addresses();
  }
};

ArrivingStatistics::ArrivingStatistics() : parts_(std::make_unique<Parts>(nullptr)) {}
ArrivingStatistics::ArrivingStatistics(TimelineObserver& observer, uint64_t ticks_per_second)
    : parts_(std::make_unique<Parts>(&observer)) {
  parts_->statistics.ticks_per_second = ticks_per_second;
  observer.begin(parts_->statistics, false);
  observer.know(parts_->names);
  if (observer.wants_moments()) parts_->translator.want_instants();
}
ArrivingStatistics::~ArrivingStatistics() = default;

void ArrivingStatistics::feed(Bytes records) {
  parts_->names.labels.forget_addresses();
  parts_->names.arguments.forget_addresses();
  size_t begin = 0;
  for (size_t at = 0; at + fxt::kWordBytes <= records.size();) {
    const uint64_t header = load_word(records.data() + at, kOwnByteOrder != ByteOrder::kLittle);
    const size_t bytes = std::min(words_of(header) * fxt::kWordBytes, records.size() - at);
    if (bytes == 0) break;
    if (const std::optional<unsigned> place = place_of(header)) {
      parts_->read(records.subspan(begin, at - begin));
      parts_->keep_and_read(*place, records.subspan(at, bytes));
      begin = at + bytes;
    }
    at += bytes;
  }
  parts_->read(records.subspan(begin));
  if (const auto& rate = parts_->surveyor.survey().rate)
    parts_->statistics.ticks_per_second = *rate;
}

void ArrivingStatistics::lose(unsigned cpu, uint64_t begin, uint64_t end) {
  parts_->timeline.lose(cpu, {begin, end});
}

uint64_t ArrivingStatistics::first() const { return parts_->statistics.first; }
uint64_t ArrivingStatistics::last() const { return parts_->statistics.last; }

Statistics ArrivingStatistics::figures(bool is_over) {
  Statistics figures = parts_->timeline.figures(is_over);
  const Survey& seen = parts_->surveyor.survey();
  figures.sorted = !seen.ordered || seen.several_rates;
  parts_->surveyor.count(figures);
  figures.left_out += parts_->room.left_out();
  figures.malformed_places = parts_->reader.malformed_places();
  figures.malformed_bytes = parts_->reader.malformed_bytes();
  figures.forgotten_providers = parts_->reader.forgotten_providers();
  group(figures, GroupBy::kThread);
  return figures;
}

}  // namespace barefxt::host
