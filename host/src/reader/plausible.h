// Separates records from garbage, where no header ahead gives the begin of the next record.
#pragma once

#include <optional>

#include <barefxt/host/reader.h>

namespace barefxt::host {

// Returns the offset of the first byte that is not zero, or the end.
uint64_t end_of_zeros(Bytes bytes, uint64_t from, const Reader::Passed& passed);

class Plausible {
 public:
  Plausible(Bytes bytes, Form form, const Reader::Passed& passed = {})
      : bytes_(bytes), form_(form), passed_(passed) {}

  // A header that fits what is left and content that fits the header.
  bool parses(uint64_t offset);

  // So many records in a row beyond doubt, or fewer if they end exactly where the archive does.
  bool chain(uint64_t offset, unsigned records);

  // How many bytes from here on are records beyond doubt, looked at up to a limit.
  uint64_t run(uint64_t offset, uint64_t limit);

  // The next place from which reading can go on. See the reader's header for the rules.
  std::optional<uint64_t> next_place(uint64_t from, uint64_t grid);

 private:
  // The size in bytes of the record here, 0 where there is none that is beyond doubt.
  uint64_t certain(uint64_t offset);
  uint64_t framed(uint64_t offset) const;
  bool decodes(uint64_t offset, uint64_t size);

  Bytes bytes_;
  Form form_;
  Reader::Passed passed_;
  ProviderState nobody_;
  Record scratch_;
};

}  // namespace barefxt::host
