// Counting records, learning names, judging order.
#include "survey.h"

#include "surveyor.h"

namespace barefxt::host {

Survey survey(Source& source, Form form, Statistics& statistics) {
  Reader reader(source.bytes(), form);
  reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
  Surveyor surveyor(reader, statistics);
  reader.walk([&](const auto& view, const auto& place) __attribute__((always_inline)) {
    surveyor.see(view);
    source.release_before(place.offset);
  });
  statistics.malformed_places = reader.malformed_places();
  statistics.malformed_bytes = reader.malformed_bytes();
  return surveyor.finish();
}

}  // namespace barefxt::host
