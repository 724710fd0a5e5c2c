// Archives made from numbers: every record, argument and reference that the specification knows,
// and what it does not know, longer than needed, with reserved bits and padding set now and then.
// Written from the specification, not with the library's format headers.
//
// Each record is a function of its own list of numbers, used one after another and then zero. So a
// property test shrinks an archive by shrinking lists: without a list a record is gone, with
// smaller numbers it is a simpler one.
//
// Invariant: for any numbers, no record is malformed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "goldens/goldens.h"
#include "reader/plain_decoder.h"

namespace barefxt::test {

using Numbers = std::vector<uint64_t>;

struct RandomArchive {
  std::vector<Piece> pieces;

  std::string bytes(PlainForm form) const {
    return form.big_endian ? big_endian(pieces) : little_endian(pieces);
  }
};

// With a magic number, unless it is for the 2017 dialect.
RandomArchive random_archive(const std::vector<Numbers>& records, PlainForm form);

}  // namespace barefxt::test
