// Bits that the specification requires to be zero: reserved bits, unused bits and padding.
//
// Readers ignore all of it; lint reports it, and the search for the next readable place after
// damage takes it for evidence.
#pragma once

#include <barefxt/host/record.h>

namespace barefxt::host {

// The bits of the header word (and of a large blob's format header) that are set and must not be.
Word reserved_bits_set(const Record& record, Dialect dialect, ByteOrder order);

// The bits of an argument's header that are set and must not be.
Word reserved_bits_set(const Argument& argument);

// Returns true if all streams inside the record are padded with zeros.
bool padding_is_zero(const Record& record);

// The record's arguments, empty where it has none.
Arguments arguments_of(const Record& record);

}  // namespace barefxt::host
