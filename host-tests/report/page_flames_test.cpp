// The page's flame graph has the numbers of `barefxt profile`.
#include <map>
#include <random>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_sink.h"
#include "hostile/function_elf.h"
#include "page_test.h"

namespace barefxt::test::page_flames_test {
namespace {

// Return addresses, and where a sample hits.
constexpr uint64_t kMain = 0x10f8;
constexpr uint64_t kWork = 0x1110;
constexpr uint64_t kHelp = 0x1208;

class PageFlames : public PageTest {
 protected:
  PageFlames() : writer_(sink_, host::ByteOrder::kLittle) {
    writer_.magic_number();
    writer_.initialization(1'000'000);
    name(11, "alpha");
    name(12, "beta");
  }
  void name(uint64_t koid, const char* text) {
    EXPECT_TRUE(writer_.kernel_object(koid, fxt::KernelObjectType::kThread,
                                      host::ArchiveText::spelled_out(text), {}));
  }
  // Innermost first.
  void sample(uint64_t thread, const std::vector<uint64_t>& frames) {
    EXPECT_TRUE(writer_.profiler_backtrace(
        {.timestamp = ++time_, .thread = {0, 5, thread}, .frames = frames}));
  }
  void open_samples() {
    EXPECT_TRUE(writer_.flush().ok());
    write("samples.fxt", sink_.bytes());
    write("program.elf", function_elf(std::string("\0main\0work\0help\0", 16),
                                      {{1, 0x10f0}, {6, 0x1100}, {11, 0x1200}}));
    open(path("samples.fxt"), "--elf program.elf");
    browser_.click("#samples summary");
    browser_.wait_for("document.getElementById('samples').dataset.state === 'ready'");
  }
  // Each with its name, its own samples and all of them.
  Json flames() {
    return browser_.run(
        "return [...document.querySelectorAll('#samples [data-row]')].map((one) => "
        "[one.textContent, Number(one.dataset.self), Number(one.dataset.total)])");
  }
  std::string search(const std::string& words) {
    browser_.run("document.querySelector('#samples input').value = ''");
    browser_.type("#samples input", words);
    return browser_.text_of("#samples p");
  }

  MemorySink sink_;
  host::ArchiveWriter writer_;
  uint64_t time_ = 0;
};

TEST_F(PageFlames, HaveTheSamplesThatTheCommandCounts) {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<uint64_t> frames;
    for (unsigned depth = 1 + random() % 4; depth > 0; --depth)
      frames.push_back(std::array{kMain, kWork, kHelp}[random() % 3]);
    sample(11 + random() % 2, frames);
  }
  open_samples();
  const Json counted = json_of("profile", "--elf program.elf");
  std::map<std::string, uint64_t> itself;
  for (const Json& flame : flames()) itself[flame.at(0)] += flame.at(1).get<uint64_t>();
  EXPECT_EQ(flames().at(0), (Json{"all samples", 0, 200}));
  for (const Json& function : counted.at("functions")) {
    const std::string name = function.at("function");
    EXPECT_EQ(itself[name], function.at("self").get<uint64_t>()) << name;
    const std::string total = function.at("total").dump();
    EXPECT_EQ(search(name).find(total + " of 200 samples"), 0U) << name << total;
  }
  EXPECT_EQ(search("nothing of this name"), "0 of 200 samples (0.0 %)");
}

TEST_F(PageFlames, AreOfAThreadOrOfAll) {
  for (int i = 0; i < 3; ++i) sample(11, {kWork, kMain});
  sample(12, {kHelp, kMain});
  open_samples();
  EXPECT_EQ(flames(),
            (Json{{"all samples", 0, 4}, {"main", 0, 4}, {"work", 3, 3}, {"help", 1, 1}}));
  browser_.run(
      "const of = document.querySelector('#samples select'); of.selectedIndex = "
      "[...of.options].findIndex((one) => one.text === 'beta (1)'); "
      "of.dispatchEvent(new Event('change'))");
  EXPECT_EQ(flames(), (Json{{"all samples", 0, 1}, {"main", 0, 1}, {"help", 1, 1}}));
}

TEST_F(PageFlames, ZoomToAFunctionAndBack) {
  for (int i = 0; i < 500; ++i) sample(11, {kWork, kMain});
  for (int i = 0; i < 100; ++i) sample(11, {kHelp});
  sample(11, {kMain, kHelp});
  open_samples();
  const std::string note = "601 samples; 1 more when zoomed in";
  EXPECT_EQ(browser_.text_of("#samples p"), note);
  EXPECT_EQ(flames().size(), 4U);
  browser_.run(
      "[...document.querySelectorAll('#samples [data-row]')].find((one) => one.textContent === "
      "'help').click()");
  EXPECT_EQ(flames(), (Json{{"all samples", 0, 601}, {"help", 100, 101}, {"main", 1, 1}}));
  EXPECT_EQ(browser_.text_of("#samples p"), "601 samples");
  EXPECT_EQ(browser_.run("return document.activeElement.textContent"), "help");
  browser_.click("#samples [data-row=\"0\"]");
  EXPECT_EQ(flames().size(), 4U);
  EXPECT_EQ(browser_.text_of("#samples p"), note);
}

TEST_F(PageFlames, AreLeftOutWithoutSamples) {
  open_sample();
  EXPECT_TRUE(browser_.run("return document.getElementById('samples').hidden").get<bool>());
}

}  // namespace
}  // namespace barefxt::test::page_flames_test
