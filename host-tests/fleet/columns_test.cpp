// The pages name each column, with its type.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "convert/converting.h"
#include "convert/plain_parquet.h"
#include "rows/trace_rows.h"

namespace barefxt::test::columns_test {
namespace {

std::string page(const std::string& name) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// "name type" of each row of the table that follows this text.
std::vector<std::string> table_behind(const std::string& all, const std::string& text) {
  const size_t from = all.find(text);
  EXPECT_NE(from, std::string::npos) << text;
  std::istringstream lines(all.substr(from));
  std::vector<std::string> columns;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) {
      if (columns.empty()) continue;
      break;
    }
    const size_t name = line.find('`') + 1;
    const size_t type = line.find(" | ") + 3;
    columns.push_back(line.substr(name, line.find('`', name) - name) + " " +
                      line.substr(type, line.find(" |", type) - type));
  }
  return columns;
}

std::vector<std::string> names_of(const host::Columns& columns, size_t from, size_t to) {
  std::vector<std::string> names;
  for (size_t i = from; i < to; ++i) {
    const host::ParquetType type = columns[i].type;
    names.push_back(columns[i].name + std::string(type == host::ParquetType::kText   ? " text"
                                                  : type == host::ParquetType::kReal ? " real"
                                                                                     : " number"));
  }
  return names;
}

TEST(RowColumns, AreThoseOfThePage) {
  const std::string rows = page("reference/rows.md");
  const size_t own = host::kIdentityColumns;
  for (const auto* columns :
       {&host::verdict_columns(), &host::cause_columns(), &host::figure_columns()})
    EXPECT_EQ(table_behind(rows, "# Rows"), names_of(*columns, 0, own));
  EXPECT_EQ(table_behind(rows, "## `check`"),
            names_of(host::verdict_columns(), own, host::verdict_columns().size()));
  EXPECT_EQ(table_behind(rows, "## `explain`"),
            names_of(host::cause_columns(), own, host::cause_columns().size()));
  EXPECT_EQ(table_behind(rows, "## `stats`"),
            names_of(host::figure_columns(), own, host::figure_columns().size()));
}

TEST(RecordColumns, AreThoseOfThePage) {
  const std::string all = page("how-to/fleets.md");
  const PlainParquet table(to_parquet(written([](host::ArchiveWriter&) {})).bytes);
  std::string section = all.substr(all.find("## The table of records"));
  for (const std::string& name : table.columns)
    EXPECT_TRUE(contains(section, "`" + name + "`")) << name;
  size_t rows = 0;
  std::istringstream lines(section);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream names(line.substr(0, line.find(" | ")));
    for (std::string name; std::getline(names, name, '`');) {
      if (!std::getline(names, name, '`')) break;
      ++rows;
      EXPECT_NE(std::ranges::find(table.columns, name), table.columns.end()) << name;
    }
  }
  EXPECT_EQ(rows, table.columns.size());
}

}  // namespace
}  // namespace barefxt::test::columns_test
