#include "comparison.h"

#include <sstream>

#include "print/printing.h"

namespace barefxt::test {

std::vector<uint8_t> to_bytes(const std::string& text) { return {text.begin(), text.end()}; }

host::FormOverrides overrides_of(PlainForm form) {
  host::FormOverrides overrides;
  overrides.byte_order = form.big_endian ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  overrides.dialect = form.dialect_2017 ? host::Dialect::k2017 : host::Dialect::kToday;
  return overrides;
}

bool same(const nlohmann::json& left, const nlohmann::json& right) {
  return left == right && left.dump() == right.dump();
}

std::string difference(const std::string& archive, PlainForm form) {
  const std::vector<PlainRecord> records = decode_plainly(to_bytes(archive), form).records;
  std::istringstream lines(json_of(archive, overrides_of(form), true));
  std::string line;
  for (const PlainRecord& record : records) {
    const nlohmann::json wanted = plain_json(record);
    if (!std::getline(lines, line)) return "nothing instead of " + wanted.dump();
    if (!same(nlohmann::json::parse(line), wanted)) return line + " instead of " + wanted.dump();
  }
  return std::getline(lines, line) ? line + " instead of the end" : "";
}

}  // namespace barefxt::test
