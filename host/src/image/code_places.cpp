// The tree of entries of each unit (DWARF 2 to 5, .debug_info) for inlined functions, and its line
// program for lines.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include <barefxt/host/code_places.h>

#include "dwarf_lines.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kInlined = 0x1d;  // a tag
// Attributes.
constexpr uint64_t kName = 0x03;
constexpr uint64_t kLines = 0x10;
constexpr uint64_t kLow = 0x11;
constexpr uint64_t kHigh = 0x12;
constexpr uint64_t kOrigin = 0x31;
constexpr uint64_t kSpecification = 0x47;
constexpr uint64_t kRanges = 0x55;
constexpr uint64_t kCallFile = 0x58;
constexpr uint64_t kCallLine = 0x59;
constexpr uint64_t kLinkageName = 0x6e;
constexpr uint64_t kStringOffsetsBase = 0x72;
constexpr uint64_t kAddressBase = 0x73;
constexpr uint64_t kRangeListsBase = 0x74;

struct Abbreviation {
  struct Field {
    uint64_t attribute;
    uint64_t form;
    uint64_t constant;  // of an implicit one
  };
  uint64_t tag = 0;
  bool has_children = false;
  std::vector<Field> fields;
};
using Abbreviations = std::unordered_map<uint64_t, Abbreviation>;

// How a value is to be read further.
enum class Kind : uint8_t { kNone, kNumber, kText, kTextIndex, kAddressIndex, kReference, kIndex };
struct Value {
  Kind kind = Kind::kNone;
  uint64_t number = 0;
  std::string_view text;
};

struct Unit {
  uint64_t begin = 0;  // of its header in .debug_info
  uint64_t end = 0;
  uint64_t entries = 0;  // the place of the first
  uint64_t abbreviations = 0;
  unsigned version = 0;
  unsigned offset_bytes = 4;
  unsigned address_bytes = 8;
  uint64_t string_offsets = 0;
  uint64_t addresses = 0;
  uint64_t range_lists = 0;
  uint64_t low = 0;
};

// The attributes of an entry that anyone here asks for.
struct Entry {
  const Abbreviation* abbreviation = nullptr;  // null: the end of a list of children
  Value name;
  Value linkage_name;
  Value origin;
  Value low;
  Value high;
  Value ranges;
  Value call_file;
  Value call_line;
  Value lines;
};

struct InlinedHere {
  unsigned depth;
  std::string_view function;
  uint64_t call_file;
  uint64_t call_line;
};

class PlaceReader {
 public:
  PlaceReader(const ElfFile& program, const std::vector<uint64_t>& addresses)
      : order_(program.byte_order()), addresses_(addresses) {
    const auto section = [&](const char* name) {
      const auto found = program.section(name);
      const Bytes bytes = found ? found->bytes : Bytes{};
      work_left_ += kWorkPerByte * bytes.size();
      return bytes;
    };
    info_ = section(".debug_info");
    abbreviations_ = section(".debug_abbrev");
    lines_ = section(".debug_line");
    texts_ = {section(".debug_str"), section(".debug_line_str")};
    string_offsets_ = section(".debug_str_offsets");
    address_table_ = section(".debug_addr");
    ranges_ = section(".debug_ranges");
    range_lists_ = section(".debug_rnglists");
  }

  CodePlaces read() {
    read_units();
    for (Unit& unit : units_) read_unit(unit);
    return std::move(places_);
  }

 private:
  // A damaged file may let many entries share long lists.
  static constexpr uint64_t kWorkPerByte = 32;
  static constexpr unsigned kMaxInlined = 64;  // at one address
  static constexpr unsigned kMaxOrigins = 8;   // from an entry to the one with the name

  bool works() {
    if (work_left_ == 0) return false;
    --work_left_;
    return true;
  }

  void read_units() {
    DwarfCursor at(info_, 0, order_);
    while (!at.is_at_end() && works()) {
      Unit unit;
      unit.begin = at.at();
      const uint64_t length = at.length(unit.offset_bytes);
      unit.end = at.at() + length;
      if (at.has_failed() || unit.end > info_.size() || unit.end <= at.at()) return;
      unit.version = static_cast<unsigned>(at.number(2));
      uint64_t type = 1;
      if (unit.version >= 5) {
        type = at.number(1);
        unit.address_bytes = static_cast<unsigned>(at.number(1));
        unit.abbreviations = at.number(unit.offset_bytes);
      } else {
        unit.abbreviations = at.number(unit.offset_bytes);
        unit.address_bytes = static_cast<unsigned>(at.number(1));
      }
      unit.entries = at.at();
      const bool is_known = unit.version >= 2 && unit.version <= 5 && (type == 1 || type == 3) &&
                            unit.address_bytes >= 2 && unit.address_bytes <= 8;
      if (is_known && !at.has_failed()) units_.push_back(unit);
      at.go_to(unit.end);
    }
  }

  const Abbreviations& abbreviations_of(const Unit& unit) {
    const auto [found, is_new] = tables_.try_emplace(unit.abbreviations);
    if (!is_new) return found->second;
    DwarfCursor at(abbreviations_, unit.abbreviations, order_);
    for (uint64_t code = at.leb(); code != 0 && !at.has_failed() && works(); code = at.leb()) {
      Abbreviation abbreviation;
      abbreviation.tag = at.leb();
      abbreviation.has_children = at.number(1) != 0;
      while (!at.has_failed() && works()) {
        Abbreviation::Field field = {at.leb(), at.leb(), 0};
        constexpr uint64_t kImplicit = 0x21;
        if (field.form == kImplicit) field.constant = static_cast<uint64_t>(at.signed_leb());
        if (field.attribute == 0 && field.form == 0) break;
        abbreviation.fields.push_back(field);
      }
      if (!at.has_failed()) found->second.emplace(code, std::move(abbreviation));
    }
    return found->second;
  }

  // A form that is not known ends the unit: its size is not known either.
  Value value(DwarfCursor& at, uint64_t form, uint64_t constant, const Unit& unit) const {
    const auto number = [&](unsigned bytes) { return Value{Kind::kNumber, at.number(bytes), {}}; };
    const auto skipped = [&](uint64_t bytes) {
      at.skip(bytes);
      return Value{};
    };
    const auto as = [](Kind kind, uint64_t what) { return Value{kind, what, {}}; };
    switch (form) {
      case 0x01:
        return number(unit.address_bytes);
      case 0x03:
        return skipped(at.number(2));
      case 0x04:
        return skipped(at.number(4));
      case 0x05:
        return number(2);
      case 0x06:
        return number(4);
      case 0x07:
        return number(8);
      case 0x08:
        return {Kind::kText, 0, at.text()};
      case 0x09:
      case 0x18:
        return skipped(at.leb());
      case 0x0a:
        return skipped(at.number(1));
      case 0x0b:
      case 0x0c:
        return number(1);
      case 0x0d:
        return as(Kind::kNumber, static_cast<uint64_t>(at.signed_leb()));
      case 0x0e:
        return {Kind::kText, 0, dwarf_text(texts_.strings, at.number(unit.offset_bytes))};
      case 0x0f:
        return as(Kind::kNumber, at.leb());
      case 0x10:
        return as(Kind::kReference,
                  at.number(unit.version == 2 ? unit.address_bytes : unit.offset_bytes));
      case 0x11:
        return as(Kind::kReference, unit.begin + at.number(1));
      case 0x12:
        return as(Kind::kReference, unit.begin + at.number(2));
      case 0x13:
        return as(Kind::kReference, unit.begin + at.number(4));
      case 0x14:
        return as(Kind::kReference, unit.begin + at.number(8));
      case 0x15:
        return as(Kind::kReference, unit.begin + at.leb());
      case 0x16:
        return value_of_other_form(at, unit);
      case 0x17:
        return number(unit.offset_bytes);
      case 0x19:
        return as(Kind::kNumber, 1);
      case 0x1a:
        return as(Kind::kTextIndex, at.leb());
      case 0x1b:
        return as(Kind::kAddressIndex, at.leb());
      case 0x1c:
        return skipped(4);
      case 0x1d:
        return skipped(unit.offset_bytes);
      case 0x1e:
        return skipped(16);
      case 0x1f:
        return {Kind::kText, 0, dwarf_text(texts_.line_strings, at.number(unit.offset_bytes))};
      case 0x20:
      case 0x24:
        return skipped(8);
      case 0x21:
        return as(Kind::kNumber, constant);
      case 0x22:
        at.leb();
        return {};
      case 0x23:
        return as(Kind::kIndex, at.leb());
      case 0x25:
      case 0x26:
      case 0x27:
      case 0x28:
        return as(Kind::kTextIndex, at.number(static_cast<unsigned>(form - 0x24)));
      case 0x29:
      case 0x2a:
      case 0x2b:
      case 0x2c:
        return as(Kind::kAddressIndex, at.number(static_cast<unsigned>(form - 0x28)));
      default:
        at.go_to(~uint64_t{0});
        return {};
    }
  }
  Value value_of_other_form(DwarfCursor& at, const Unit& unit) const {
    constexpr uint64_t kIndirect = 0x16;
    const uint64_t form = at.leb();
    if (form == kIndirect) {
      at.go_to(~uint64_t{0});
      return {};
    }
    return value(at, form, 0, unit);
  }

  // Reads an entry, and the unit's bases if it is the unit's own.
  Entry entry(DwarfCursor& at, const Abbreviations& table, Unit& unit) {
    Entry entry;
    const uint64_t code = at.leb();
    if (code == 0) return entry;
    const auto found = table.find(code);
    if (found == table.end()) {
      at.go_to(~uint64_t{0});
      return entry;
    }
    entry.abbreviation = &found->second;
    for (const auto& [attribute, form, constant] : found->second.fields) {
      if (!works()) at.go_to(~uint64_t{0});
      const Value read = value(at, form, constant, unit);
      switch (attribute) {
        case kName:
          entry.name = read;
          break;
        case kLinkageName:
          entry.linkage_name = read;
          break;
        case kOrigin:
        case kSpecification:
          entry.origin = read;
          break;
        case kLow:
          entry.low = read;
          break;
        case kHigh:
          entry.high = read;
          break;
        case kRanges:
          entry.ranges = read;
          break;
        case kCallFile:
          entry.call_file = read;
          break;
        case kCallLine:
          entry.call_line = read;
          break;
        case kLines:
          entry.lines = read;
          break;
        case kStringOffsetsBase:
          unit.string_offsets = read.number;
          break;
        case kAddressBase:
          unit.addresses = read.number;
          break;
        case kRangeListsBase:
          unit.range_lists = read.number;
          break;
        default:
          break;
      }
    }
    return entry;
  }

  std::string_view text(const Value& value, const Unit& unit) const {
    if (value.kind == Kind::kText) return value.text;
    if (value.kind != Kind::kTextIndex) return {};
    DwarfCursor at(string_offsets_, unit.string_offsets + value.number * unit.offset_bytes, order_);
    return dwarf_text(texts_.strings, at.number(unit.offset_bytes));
  }
  uint64_t indexed_address(uint64_t index, const Unit& unit) const {
    return DwarfCursor(address_table_, unit.addresses + index * unit.address_bytes, order_)
        .number(unit.address_bytes);
  }
  uint64_t address(const Value& value, const Unit& unit) const {
    return value.kind == Kind::kAddressIndex ? indexed_address(value.number, unit) : value.number;
  }

  Unit* unit_of(uint64_t place) {
    const auto behind =
        std::upper_bound(units_.begin(), units_.end(), place,
                         [](uint64_t wanted, const Unit& unit) { return wanted < unit.begin; });
    if (behind == units_.begin()) return nullptr;
    Unit& unit = *(behind - 1);
    return place >= unit.entries && place < unit.end ? &unit : nullptr;
  }

  std::string_view function_at(uint64_t place) {
    for (unsigned i = 0; i < kMaxOrigins; ++i) {
      Unit* const unit = unit_of(place);
      if (unit == nullptr || !works()) return {};
      DwarfCursor at(info_, place, order_);
      at.end_at(unit->end);
      const Entry found = entry(at, abbreviations_of(*unit), *unit);
      if (at.has_failed()) return {};
      if (const std::string_view name = text(found.linkage_name, *unit); !name.empty()) return name;
      const std::string_view name = text(found.name, *unit);
      if (!name.empty() || found.origin.kind != Kind::kReference) return name;
      place = found.origin.number;
    }
    return {};
  }

  // Calls `each(low, end)` for the ranges of an entry.
  template <typename Each>
  void for_each_range(const Entry& entry, const Unit& unit, const Each& each) {
    if (entry.ranges.kind == Kind::kNone) {
      if (entry.low.kind == Kind::kNone || entry.high.kind == Kind::kNone) return;
      const uint64_t low = address(entry.low, unit);
      // From version 4 on a number is the size.
      const bool is_size = unit.version >= 4 && entry.high.kind == Kind::kNumber;
      const uint64_t high = address(entry.high, unit);
      each(low, is_size ? low + high : high);
      return;
    }
    unit.version >= 5 ? for_each_listed(entry.ranges, unit, each)
                      : for_each_old(entry.ranges.number, unit, each);
  }
  template <typename Each>
  void for_each_old(uint64_t place, const Unit& unit, const Each& each) {
    DwarfCursor at(ranges_, place, order_);
    uint64_t base = unit.low;
    const uint64_t highest = ~uint64_t{0} >> (8 * (8 - unit.address_bytes));
    while (works()) {
      const uint64_t low = at.number(unit.address_bytes);
      const uint64_t end = at.number(unit.address_bytes);
      if (at.has_failed() || (low == 0 && end == 0)) return;
      if (low == highest)
        base = end;
      else
        each(base + low, base + end);
    }
  }
  template <typename Each>
  void for_each_listed(const Value& list, const Unit& unit, const Each& each) {
    uint64_t place = list.number;
    if (list.kind == Kind::kIndex)
      place = unit.range_lists +
              DwarfCursor(range_lists_, unit.range_lists + list.number * unit.offset_bytes, order_)
                  .number(unit.offset_bytes);
    DwarfCursor at(range_lists_, place, order_);
    uint64_t base = unit.low;
    while (works() && !at.has_failed()) {
      switch (at.number(1)) {
        case 1:
          base = indexed_address(at.leb(), unit);
          break;
        case 2: {
          const uint64_t low = indexed_address(at.leb(), unit);
          each(low, indexed_address(at.leb(), unit));
          break;
        }
        case 3: {
          const uint64_t low = indexed_address(at.leb(), unit);
          each(low, low + at.leb());
          break;
        }
        case 4: {
          const uint64_t low = base + at.leb();
          each(low, base + at.leb());
          break;
        }
        case 5:
          base = at.number(unit.address_bytes);
          break;
        case 6: {
          const uint64_t low = at.number(unit.address_bytes);
          each(low, at.number(unit.address_bytes));
          break;
        }
        case 7: {
          const uint64_t low = at.number(unit.address_bytes);
          each(low, low + at.leb());
          break;
        }
        default:
          return;
      }
    }
  }

  // Calls `each(address)` for those asked for, from `low` to `end`.
  template <typename Each>
  void for_each_asked(uint64_t low, uint64_t end, const Each& each) const {
    for (auto at = std::lower_bound(addresses_.begin(), addresses_.end(), low);
         at != addresses_.end() && *at < end; ++at)
      each(*at);
  }

  void read_unit(Unit& unit) {
    const Abbreviations& table = abbreviations_of(unit);
    DwarfCursor at(info_, unit.entries, order_);
    at.end_at(unit.end);
    const Entry whole = entry(at, table, unit);
    if (at.has_failed() || whole.abbreviation == nullptr) return;
    unit.low = whole.low.kind == Kind::kNone ? 0 : address(whole.low, unit);
    std::map<uint64_t, std::vector<InlinedHere>> inlined;
    if (whole.abbreviation->has_children) read_inlined(at, table, unit, inlined);
    if (whole.lines.kind != Kind::kNone) read_lines(whole.lines.number, inlined);
  }

  void read_inlined(DwarfCursor& at, const Abbreviations& table, Unit& unit,
                    std::map<uint64_t, std::vector<InlinedHere>>& inlined) {
    for (unsigned depth = 1; depth != 0 && !at.is_at_end() && works();) {
      const Entry found = entry(at, table, unit);
      if (at.has_failed()) return;
      if (found.abbreviation == nullptr) {
        --depth;
        continue;
      }
      if (found.abbreviation->tag == kInlined && found.origin.kind == Kind::kReference) {
        std::optional<std::string_view> name;
        for_each_range(found, unit, [&](uint64_t low, uint64_t end) {
          for_each_asked(low, end, [&](uint64_t address) {
            if (!name) name = function_at(found.origin.number);
            std::vector<InlinedHere>& here = inlined[address];
            if (here.size() < kMaxInlined && !name->empty())
              here.push_back({depth, *name, found.call_file.number, found.call_line.number});
          });
        });
      }
      if (found.abbreviation->has_children) ++depth;
    }
  }

  void read_lines(uint64_t place, std::map<uint64_t, std::vector<InlinedHere>>& inlined) {
    DwarfLines lines(lines_, place, order_, texts_);
    if (!lines.is_readable()) return;
    DwarfLines::Row last;
    bool is_open = false;
    lines.run([&](const DwarfLines::Row& row) {
      if (is_open)
        for_each_asked(last.address, row.address,
                       [&](uint64_t address) { add(address, lines, last, inlined[address]); });
      last = row;
      is_open = !row.is_end;
      return works();
    });
  }

  // The first unit that has a line of an address counts.
  void add(uint64_t address, const DwarfLines& lines, const DwarfLines::Row& row,
           std::vector<InlinedHere>& inlined) {
    std::vector<CodePlace>& places = places_[address];
    if (!places.empty()) return;
    std::stable_sort(inlined.begin(), inlined.end(),
                     [](const InlinedHere& a, const InlinedHere& b) { return a.depth > b.depth; });
    DwarfLines::File file = lines.file(row.file);
    uint64_t line = row.line;
    for (const InlinedHere& here : inlined) {
      places.push_back({here.function, file.directory, file.name, line});
      file = lines.file(here.call_file);
      line = here.call_line;
    }
    places.push_back({{}, file.directory, file.name, line});
  }

  ByteOrder order_;
  const std::vector<uint64_t>& addresses_;
  uint64_t work_left_ = uint64_t{1} << 16;
  Bytes info_;
  Bytes abbreviations_;
  Bytes lines_;
  DwarfTexts texts_;
  Bytes string_offsets_;
  Bytes address_table_;
  Bytes ranges_;
  Bytes range_lists_;
  std::vector<Unit> units_;
  std::unordered_map<uint64_t, Abbreviations> tables_;
  CodePlaces places_;
};

}  // namespace

CodePlaces places_in_code(const ElfFile& program, const std::vector<uint64_t>& addresses) {
  return PlaceReader(program, addresses).read();
}

}  // namespace barefxt::host
