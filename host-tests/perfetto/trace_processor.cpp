#include "trace_processor.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "convert/converting.h"

namespace barefxt::test {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) {
    if (field.size() >= 2 && field.front() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field == "[NULL]" ? "" : field);
  }
  return fields;
}

}  // namespace

const char* TraceProcessor::program() {
  const char* name = std::getenv("BAREFXT_TRACE_PROCESSOR");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

std::vector<Table> TraceProcessor::ask(const std::string& trace,
                                       const std::vector<std::string>& queries) {
  std::string folder = ::testing::TempDir() + "barefxt-perfetto-XXXXXX";
  EXPECT_NE(::mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/trace", std::ios::binary) << trace;
  std::ofstream sql(folder + "/sql");
  for (const std::string& query : queries) sql << query << ";\n";
  sql.close();
  const std::string command = std::string("'") + program() + "' -q '" + folder + "/sql' '" +
                              folder + "/trace' >'" + folder + "/out' 2>'" + folder + "/err'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(cert-env33-c)
  std::vector<Table> tables;
  std::ifstream out(folder + "/out");
  bool in_table = false;
  for (std::string line; std::getline(out, line);) {
    if (line.empty()) {
      in_table = false;
    } else if (!in_table) {
      in_table = true;  // the names of columns
      tables.emplace_back();
    } else {
      tables.back().push_back(fields_of(line));
    }
  }
  EXPECT_EQ(tables.size(), queries.size());
  tables.resize(queries.size());
  std::filesystem::remove_all(folder);
  return tables;
}

std::string form_of(const std::string& archive, As as) {
  switch (as) {
    case As::kFxt:
      return archive;
    case As::kFxtWithLogs:
      return to_fxt(archive, host::ByteOrder::kLittle, {}, host::LogPackets::kAdd).bytes;
    case As::kPerfetto:
      return to_perfetto(archive).bytes;
  }
  return {};
}

const char* name_of(As as) {
  return as == As::kFxt           ? " as it is"
         : as == As::kFxtWithLogs ? " with packets for its logs"
                                  : " converted";
}

std::string hex(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string digits;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    digits += kDigits[byte >> 4];
    digits += kDigits[byte & 15];
  }
  return digits;
}

}  // namespace barefxt::test
