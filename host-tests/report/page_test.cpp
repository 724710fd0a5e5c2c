#include "page_test.h"

#include <memory>
#include <set>
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

void PageTest::unfold_all() {
  browser_.run(
      "for (const one of document.querySelectorAll('details:not([hidden])')) one.open = true");
  browser_.wait_for(
      "document.querySelector('#lanes li') !== null && document.querySelector('#list button') !== "
      "null && document.getElementById('load').dataset.state === 'done'");
}

void PageTest::expect_readable() {
  const std::set<std::string> named = {"application", "button", "checkbox",  "combobox",
                                       "image",       "region", "searchbox", "textbox"};
  size_t controls = 0;
  const Json tree = browser_.devtools("Accessibility.getFullAXTree", Json::object());
  for (const Json& node : tree.at("nodes")) {
    const std::string role = node.value("/role/value"_json_pointer, "");
    if (node.at("ignored") == true || !named.contains(role)) continue;
    ++controls;
    EXPECT_NE(node.value("/name/value"_json_pointer, ""), "") << node;
  }
  EXPECT_GT(controls, 20u);
  // Without a name, it is none of these to a screen reader.
  EXPECT_EQ(browser_.run("return [...document.querySelectorAll('[role=region], [role=group], "
                         "[role=img]')].filter((one) => !one.ariaLabel).map((one) => "
                         "one.outerHTML.slice(0, 80))"),
            Json::array());
  for (const char* theme : {"light", "dark"}) {
    if (browser_.run("return document.documentElement.dataset.theme") != theme)
      browser_.click("#theme");
    const Json texts = browser_.run(R"js(
      const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
      const luminance = (colour) => {
        const [red, green, blue] = colour.map((part) =>
          (part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ground = (one) => {
        for (; one !== null; one = one.parentElement) {
          const colour = numbers(getComputedStyle(one).backgroundColor);
          if (colour.length < 4 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
      };
      const all = [];
      const add = (one, text, style) => {
        const [a, b] = [numbers(style.color), ground(one)].map((colour) => luminance(colour) + 0.05);
        all.push([text, Math.max(a, b) / Math.min(a, b)]);
      };
      for (const one of document.body.querySelectorAll('*')) {
        if (one.getClientRects().length === 0 || /^(OPTION|OPTGROUP|SCRIPT)$/.test(one.tagName)) continue;
        const text = [...one.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data).join('').trim();
        if (text !== '' || one.value) add(one, text || one.value, getComputedStyle(one));
        if (one.placeholder) add(one, one.placeholder, getComputedStyle(one, '::placeholder'));
      }
      return all;)js");
    EXPECT_GT(texts.size(), 100u);
    for (const Json& text : texts) EXPECT_GE(text.at(1), 4.5) << theme << text;
  }
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
