// The page's table of heaps has the numbers of `stats --heap --json`.
#include <algorithm>

#include "heap/heap_trace.h"
#include "hostile/function_elf.h"
#include "page_test.h"

namespace barefxt::test::page_heaps_test {
namespace {

class PageHeaps : public PageTest {
 protected:
  void open_heap(HeapTrace& trace, const std::string& options = {}) {
    write("heap.fxt", trace.bytes());
    open(path("heap.fxt"), options);
  }
  // For each row a map from the column's key to its value.
  Json rows(const std::string& list) {
    return browser_.run(
        "return [...document.querySelectorAll('#heaps table[data-heaps=" + list +
        "] tbody tr')].map((row) => Object.fromEntries([...row.cells].map((cell) => "
        "[cell.dataset.key, cell.dataset.value])))");
  }
  // Compares each cell, and returns how many rows there are.
  size_t compare(const std::string& list, const Json& heaps, const std::string& key) {
    size_t compared = 0;
    for (const Json& shown : rows(list)) {
      const auto same = std::ranges::find_if(
          heaps.at(list), [&](const Json& one) { return text_of(one.at(key)) == shown.at(key); });
      if (same == heaps.at(list).end()) {
        ADD_FAILURE() << shown;
        continue;
      }
      for (const auto& [path, value] : shown.items()) {
        std::string pointer = "/" + path;
        std::ranges::replace(pointer, '.', '/');
        const auto place = Json::json_pointer(pointer);
        EXPECT_EQ(value, same->contains(place) ? text_of(same->at(place)) : "") << path << shown;
      }
      ++compared;
    }
    return compared;
  }
  static std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }
  std::string facts() {
    return browser_.run("return document.querySelector('#heaps dl').innerText");
  }
};

TEST_F(PageHeaps, HaveThePeakAndWhoHeldIt) {
  HeapTrace trace;
  trace.name(11, "alpha");
  trace.name(12, "beta");
  trace.alloc(10, 11, 0x9000, 100, 0x1104);
  trace.alloc(30, 11, 0x9100, 60, 0x1104);
  trace.alloc(40, 12, 0x9200, 1030, 0x1204);
  trace.free(50, 12, 0x9200, 0x1208);
  trace.resize(55, 12, 0x9100, 70, 0x1208);
  trace.alloc(60, 12, 0, 5000, 0x1204);
  trace.lose(70, 80);
  trace.free(90, 11, 0x9900, 0x1208);
  write("program.elf", function_elf(std::string("\0main\0work\0help\0", 16),
                                    {{1, 0x10f0}, {6, 0x1100}, {11, 0x1200}}));
  open_heap(trace, "--elf program.elf");
  const Json heaps = json_of("stats", "--heap --elf program.elf");
  EXPECT_EQ(compare("sites", heaps, "caller"), 3U);
  EXPECT_EQ(compare("threads", heaps, "thread"), 2U);
  EXPECT_EQ(heaps.at("sites").size(), 3U);
  const Json first = rows("sites").at(0);
  EXPECT_EQ(first.at("function"), "help");
  EXPECT_EQ(first.at("at_peak.bytes"), "1030");
  EXPECT_EQ(facts(),
            "peak\n1 190 bytes in 3 blocks at 0.040000000 s\n"
            "call site then\nhelp: 1 030 bytes in 1 block\n"
            "thread then\nbeta: 1 030 bytes in 1 block\n"
            "live at the end\n170 bytes in 2 blocks; perhaps freed, since records were lost: 170 "
            "bytes in 2 blocks\n"
            "allocated\n1 260 bytes in 4 blocks; 1 allocation failed\n"
            "freed\n2 blocks; 1 without a recorded allocation");
  browser_.click("#heaps > button");
  EXPECT_TRUE(contains(details(), "0.040000000"));
  EXPECT_EQ(range()[0] + range()[1], 2 * 40);
  EXPECT_LT(range()[1] - range()[0], 20);
  unfold_all();
  expect_readable();
}

TEST_F(PageHeaps, OfAStretchAreThoseOfTheCommand) {
  HeapTrace trace;
  for (uint64_t i = 0; i < 300; ++i) {
    trace.alloc(10 * i, 11 + i % 3, 0x9000 + 64 * i, 1 + i % 50, 0x1000 + 8 * (i % 140));
    if (i % 7 == 0) trace.free(10 * i + 5, 12, 0x9000 + 32 * i);
  }
  const std::string stretch = "--from 505ticks --to 2705ticks";
  open_heap(trace, stretch);
  const Json heaps = json_of("stats", "--heap " + stretch);
  EXPECT_EQ(heaps.at("sites").size(), 140U);
  EXPECT_EQ(compare("sites", heaps, "caller"), 100U);
  EXPECT_EQ(compare("threads", heaps, "thread"), 3U);
  EXPECT_EQ(browser_.text_of("#heaps tfoot"), "and 40 more");
  EXPECT_TRUE(contains(facts(), "thread then\nthread 1"));
  // Any column chooses the rows.
  browser_.run(
      "[...document.querySelectorAll('#heaps th button')].find((one) => one.textContent === "
      "'address').click()");
  const Json shown = rows("sites");
  EXPECT_EQ(shown.size(), 100U);
  EXPECT_EQ(shown.at(0).at("caller"), std::to_string(0x1000 + 8 * 139));
  EXPECT_EQ(compare("sites", heaps, "caller"), 100U);
}

TEST_F(PageHeaps, AreShownOnlyIfAllOfThemAreChosen) {
  const auto is_hidden = [&] {
    return browser_.run("return document.getElementById('heaps').hidden").get<bool>();
  };
  open_sample();
  EXPECT_TRUE(is_hidden());
  HeapTrace trace;
  trace.alloc(10, 11, 0x9000, 100, 0x1104);
  trace.alloc(20, 12, 0x9100, 60, 0x1104);
  open_heap(trace);
  EXPECT_FALSE(is_hidden());
  open(path("heap.fxt"), "--thread 11");
  EXPECT_TRUE(is_hidden());
}

}  // namespace
}  // namespace barefxt::test::page_heaps_test
