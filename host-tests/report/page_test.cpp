#include "page_test.h"

#include <memory>
#include <stdexcept>

#include "report/palette.h"
#include "sample.h"

namespace barefxt::test {
namespace {

std::unique_ptr<Browser> of_suite;

Browser& renewed() {
  if (of_suite == nullptr) of_suite = std::make_unique<Browser>();
  of_suite->renew();
  return *of_suite;
}

}  // namespace

PageTest::PageTest() : browser_(renewed()) {}
void PageTest::TearDownTestSuite() { of_suite.reset(); }

void PageTest::open_sample(unsigned rounds) {
  write("sample.fxt", sample_archive(rounds));
  open(path("sample.fxt"));
}

void PageTest::open(const std::string& archive, const std::string& options) {
  archive_ = archive;
  ASSERT_EQ(run("BAREFXT report '" + archive + "' " + options + " -o report.html"), 0)
      << messages();
  stats_ = json_of("stats", "");
  browser_.open(page());
  settle();
}

PageTest::Json PageTest::json_of(const std::string& verb, const std::string& options) {
  EXPECT_EQ(run("BAREFXT " + verb + " --json '" + archive_ + "' " + options + " >out.json"), 0)
      << messages();
  return Json::parse(read("out.json"));
}

void PageTest::settle() {
  browser_.wait_for("document.getElementById('stage').dataset.state === 'ready'");
}

std::array<double, 2> PageTest::range() {
  settle();
  const Json range = browser_.run("return {...document.getElementById('range').dataset}");
  return {std::stod(range.at("begin").get<std::string>()),
          std::stod(range.at("end").get<std::string>())};
}

std::string PageTest::details() {
  browser_.wait_for("document.querySelector('#why[data-state=done]') !== null");
  return browser_.text_of("#details");
}

uint64_t PageTest::found(const std::string& query) {
  browser_.run("document.getElementById('query').value = ''");
  browser_.type("#query", query);
  browser_.wait_for("document.getElementById('found').dataset.count !== undefined");
  return std::stoull(
      browser_.run("return document.getElementById('found').dataset.count").get<std::string>());
}

int PageTest::pixels(const std::string& name, int top, int end) {
  settle();
  uint32_t rgb = 0;
  for (const report::Colour& one : report::kPalette)
    if (one.name == name) rgb = one.light;
  return browser_
      .run("const canvas = document.getElementById('picture'); const top = " + std::to_string(top) +
           "; const end = Math.min(canvas.height, " + std::to_string(end) +
           "); const {data} = canvas.getContext('2d').getImageData(0, top, canvas.width, end - "
           "top); let count = 0; for (let i = 0; i < data.length; i += 4) if (data[i] * 65536 + "
           "data[i + 1] * 256 + data[i + 2] === " +
           std::to_string(rgb) + ") ++count; return count")
      .get<int>();
}

void PageTest::choose_table(const std::string& table) {
  browser_.run("const table = document.getElementById('table'); table.value = '" + table +
               "'; table.dispatchEvent(new Event('change'))");
}

double PageTest::statistic(const std::string& table, const std::string& key,
                           const std::string& value, const std::string& column) {
  choose_table(table);
  const Json number = browser_.run(
      "for (const row of document.querySelectorAll('#statistics tbody tr')) {"
      "  const cell = (key) => row.querySelector(`[data-key=\"${key}\"]`).dataset.value;"
      "  if (cell('" +
      key + "') === '" + value + "') return Number(cell('" + column +
      "'));"
      "} return null");
  EXPECT_TRUE(number.is_number()) << table << " " << value << " " << column;
  return number.is_number() ? number.get<double>() : -1;
}

const PageTest::Json& PageTest::row(const std::string& table, const std::string& key,
                                    const Json& value) const {
  for (const Json& one : stats_.at(table)) {
    if (one.at(key) == value) return one;
  }
  throw std::runtime_error("no such row");
}

}  // namespace barefxt::test
