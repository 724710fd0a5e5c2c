#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include <barefxt/host/function_names.h>
#include <barefxt/host/interrupt_names.h>

#include "fields.h"

namespace barefxt::host {
namespace {

constexpr size_t kVectorBytes = 4;

// A part of the program's memory, as words.
class Vectors {
 public:
  Vectors(Bytes bytes, ByteOrder order) : bytes_(bytes), order_(order) {}
  Vectors(const ElfFile& program, uint64_t address) : order_(program.byte_order()) {
    for (const ElfFile::Segment& segment : program.segments())
      for (const uint64_t base : {segment.virtual_address, segment.physical_address})
        if (address >= base && address - base < segment.bytes.size())
          bytes_ = segment.bytes.subspan(static_cast<size_t>(address - base));
  }
  std::optional<uint32_t> at(size_t index) const {
    const ImageFields fields(bytes_, order_);
    if (!fields.has(index * kVectorBytes, kVectorBytes)) return {};
    return fields.u32(index * kVectorBytes);
  }

 private:
  Bytes bytes_;
  ByteOrder order_;
};

// The function that a vector leads to. A vector's lowest bit is set, as it marks Thumb code.
std::string_view handler(const FunctionSymbols& functions, uint32_t vector) {
  return (vector & 1) != 0 ? functions.at(vector) : std::string_view();
}

// A table begins with the stack's end. Reset, NMI and HardFault are never left out.
bool is_vector_table(const FunctionSymbols& functions, const Vectors& words) {
  const std::optional<uint32_t> stack = words.at(0);
  if (!stack || *stack == 0 || *stack % kVectorBytes != 0) return false;
  for (const size_t index : {1, 2, 3}) {
    const std::optional<uint32_t> vector = words.at(index);
    if (!vector || handler(functions, *vector).empty()) return false;
  }
  return true;
}

// By the names that vendors and kernels give it, or else where a segment begins.
std::optional<Vectors> vector_table(const ElfFile& program, const FunctionSymbols& functions) {
  for (const char* name : {"__isr_vector", "__Vectors", "g_pfnVectors", "_vector_table",
                           "__vector_table", "vector_table", "vectors", "_vectors", "__vectors",
                           "isr_vector", "vectab", "__VECTOR_TABLE", "interrupt_vectors"})
    if (const std::optional<uint64_t> address = program.symbol(name))
      if (const Vectors words(program, *address); is_vector_table(functions, words)) return words;
  for (const ElfFile::Segment& segment : program.segments())
    if (const Vectors words(segment.bytes, program.byte_order()); is_vector_table(functions, words))
      return words;
  return {};
}

// Reads handlers from `first_word` on, every `step` words, up to the first word that is none.
void read_handlers(const FunctionSymbols& functions, const Vectors& words, size_t first_word,
                   size_t step, uint32_t first_number,
                   std::map<uint32_t, std::string_view>& found) {
  size_t word = first_word;
  for (uint32_t number = first_number; number < InterruptNames::kMaxVectors; ++number) {
    const std::optional<uint32_t> vector = words.at(word);
    if (!vector) return;
    const std::string_view name = handler(functions, *vector);
    if (name.empty() && *vector != 0) return;  // 0: reserved
    if (!name.empty()) found[number] = name;
    word += step;
  }
}

// Without handlers that several numbers share, since those name none of them.
std::map<uint32_t, std::string> named(const std::map<uint32_t, std::string_view>& found) {
  std::unordered_map<std::string_view, size_t> uses;
  for (const auto& [number, name] : found) ++uses[name];
  std::map<uint32_t, std::string> names;
  for (const auto& [number, name] : found)
    if (uses[name] == 1) names[number] = demangled(name).substr(0, InterruptNames::kMaxNameBytes);
  return names;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the number off the line's begin.
std::optional<uint32_t> take_number(std::string_view& line) {
  const bool is_hexadecimal = line.starts_with("0x") || line.starts_with("0X");
  const std::string_view digits = line.substr(is_hexadecimal ? 2 : 0);
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number,
                                            is_hexadecimal ? 16 : 10);
  if (error != std::errc()) return {};
  const std::string_view rest = digits.substr(static_cast<size_t>(end - digits.data()));
  if (!rest.empty() && !is_blank(rest.front())) return {};
  line = trimmed(rest);
  return number;
}

}  // namespace

InterruptNames InterruptNames::read(const ElfFile& program) {
  InterruptNames names;
  if (!program.is_arm32()) return names;
  const FunctionSymbols functions(program);
  const std::optional<Vectors> table = vector_table(program, functions);
  if (!table) return names;
  std::map<uint32_t, std::string_view> vectors;
  read_handlers(functions, *table, 1, 1, 1, vectors);
  names.names_ = named(vectors);
  // All vectors of Zephyr lead to one function, which looks into a table of argument and handler.
  if (const std::optional<uint64_t> address = program.symbol("_sw_isr_table")) {
    std::map<uint32_t, std::string_view> handlers;
    read_handlers(functions, Vectors(program, *address), 1, 2, kCoreVectors, handlers);
    InterruptNames of_zephyr;
    of_zephyr.names_ = named(handlers);
    names.add(of_zephyr);
  }
  return names;
}

Result<InterruptNames> InterruptNames::parse(std::string_view list, const std::string& file) {
  InterruptNames names;
  std::map<uint32_t, size_t> lines;
  for (size_t number = 1; !list.empty(); ++number) {
    const size_t length = std::min(list.find('\n'), list.size());
    std::string_view line = list.substr(0, length);
    list.remove_prefix(std::min(length + 1, list.size()));
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::string where = formatted("{}:{}", file, number);
    const std::optional<uint32_t> interrupt = take_number(line);
    if (!interrupt)
      return Error{"begins with no number of an interrupt", where,
                   "a line is a number and a name: 37 UART0"};
    if (line.empty())
      return Error{formatted("interrupt {} has no name", *interrupt), where,
                   "a line is a number and a name: 37 UART0"};
    if (line.size() > kMaxNameBytes)
      return Error{formatted("a name of {} bytes", line.size()), where,
                   formatted("{} is the most", kMaxNameBytes)};
    if (names.names_.size() == kMax)
      return Error{formatted("more than {} interrupts", kMax), where, ""};
    const auto [first, is_new] = lines.try_emplace(*interrupt, number);
    if (!is_new)
      return Error{formatted("interrupt {} has a name already", *interrupt), where,
                   formatted("see line {}", first->second)};
    names.names_[*interrupt] = line;
  }
  return names;
}

std::string_view InterruptNames::name(uint32_t number) const {
  const auto found = names_.find(number);
  return found != names_.end() ? std::string_view(found->second) : std::string_view();
}

}  // namespace barefxt::host
