// The page's flame graph has the numbers of `barefxt profile`.
#include <map>
#include <random>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "hostile/function_elf.h"
#include "page_test.h"

namespace barefxt::test::page_flames_test {
namespace {

// Return addresses, and where a sample hits.
constexpr uint64_t kMain = 0x10f8;
constexpr uint64_t kWork = 0x1108;
constexpr uint64_t kHelp = 0x1208;

// Keys as WebDriver types them.
constexpr const char* kEnter = "\uE007";
constexpr const char* kLeft = "\uE012";
constexpr const char* kUp = "\uE013";
constexpr const char* kRight = "\uE014";
constexpr const char* kDown = "\uE015";

class PageFlames : public PageTest {
 protected:
  PageFlames() {
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
  void write_files(const std::vector<std::string>& functions, const std::string& build_id) {
    write("samples.fxt", writer_.text());
    std::string names(1, '\0');
    std::vector<FunctionSymbol> symbols;
    for (const uint64_t address : {0x10f0, 0x1100, 0x1200}) {
      symbols.push_back({names.size(), address});
      names += functions.at(symbols.size() - 1) + '\0';
    }
    write("program.elf", function_elf(names, symbols, {}, build_id));
  }
  void open_samples(const std::vector<std::string>& functions = {"main", "work", "help"}) {
    write_files(functions, "");
    open(path("samples.fxt"), "--elf program.elf");
    unfold();
  }
  void unfold() {
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

  MemoryArchive writer_{1'000'000};
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
  const std::string note = "601 samples; 1 function too narrow to be drawn";
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

TEST_F(PageFlames, AreReachedByKeys) {
  for (int i = 0; i < 3; ++i) sample(11, {kWork, kMain});
  sample(12, {kHelp, kMain});
  open_samples();
  // Tab reaches one of all functions.
  const auto reached = [&] {
    return browser_.run("return document.querySelectorAll('#samples [tabindex=\"0\"]').length");
  };
  EXPECT_EQ(reached(), 1);
  const std::string main = "main: 4 samples, 100.0 %; 0 in itself";
  const std::string work = "work: 3 samples, 75.0 %; 3 in itself";
  const std::string help = "help: 1 sample, 25.0 %; 1 in itself";
  const auto press = [&](const std::string& keys) {
    browser_.type("#samples [tabindex=\"0\"]", keys);
    EXPECT_EQ(reached(), 1);
    EXPECT_EQ(browser_.run("return document.activeElement.tabIndex"), 0);
    return browser_.text_of("#samples .about");
  };
  EXPECT_EQ(press(kDown), main);
  EXPECT_EQ(press(kDown), work);
  EXPECT_EQ(press(kDown), work);
  EXPECT_EQ(press(kRight), help);
  EXPECT_EQ(press(kRight), help);
  EXPECT_EQ(press(kLeft), work);
  EXPECT_EQ(press(kUp), main);
  EXPECT_EQ(press(std::string(kDown) + kRight), help);
  EXPECT_EQ(press(kEnter), help);
  EXPECT_EQ(flames(), (Json{{"all samples", 0, 4}, {"main", 0, 4}, {"help", 1, 1}}));
  EXPECT_EQ(press(kUp), main);
  EXPECT_EQ(press(kEnter), main);
  EXPECT_EQ(flames().size(), 4U);
}

TEST_F(PageFlames, AreReadableAndLargeEnoughForFingers) {
  browser_.devtools("Emulation.setTouchEmulationEnabled", {{"enabled", true}});
  browser_.devtools("Emulation.setDeviceMetricsOverride",
                    {{"width", 800}, {"height", 1000}, {"deviceScaleFactor", 1}, {"mobile", true}});
  for (int i = 0; i < 3; ++i) sample(11, {kWork, kMain});
  for (int i = 0; i < 400; ++i) sample(12, {kHelp, kMain});
  open_samples();
  EXPECT_EQ(browser_.run("return [...document.querySelectorAll('#samples button, #samples input, "
                         "#samples select, #samples summary')].filter((one) => one.offsetHeight < "
                         "44).map((one) => one.outerHTML)"),
            Json::array());
  // None covers another one.
  EXPECT_EQ(
      browser_.run("return [...document.querySelectorAll('#samples [data-row]')].filter((one) "
                   "=> one.offsetTop < one.dataset.row * 44).length"),
      0);
  // Each function has a name, also where its bar has no room for one.
  const Json bare = browser_.run(
      "return [...document.querySelectorAll('#samples [data-row]')].filter((one) => "
      "one.textContent === '' || !one.title.includes('sample')).length");
  EXPECT_EQ(bare, 0);
  unfold_all();
  for (const char* words : {"", "work", "help"}) {
    search(words);
    expect_readable();
  }
}

TEST_F(PageFlames, HaveShortNamesThatAreSearchedAsAWhole) {
  sample(11, {kHelp, kWork, kMain});
  // kernel::Queue<int>::send(void (*)()) const, (anonymous namespace)::work(),
  // void kernel::write<int>(int)
  open_samples(
      {"_ZNK6kernel5QueueIiE4sendEPFvvE", "_ZN12_GLOBAL__N_14workEv", "_ZN6kernel5writeIiEEvT_"});
  EXPECT_EQ(flames(),
            (Json{{"all samples", 0, 1}, {"send", 0, 1}, {"work", 0, 1}, {"write", 1, 1}}));
  EXPECT_EQ(browser_.run("return document.querySelector('#samples [data-row=\"1\"]').title"),
            "kernel::Queue<int>::send(void (*)()) const: 1 sample, 100.0 %; 0 in itself");
  EXPECT_EQ(search("QUEUE<int"), "1 of 1 sample (100.0 %)");
  EXPECT_EQ(browser_.text_of("#samples .found"), "send");
}

TEST_F(PageFlames, TakeNoNamesFromAnotherBuild) {
  EXPECT_TRUE(writer_.profiler_module(
      {.timestamp = ++time_, .thread = {0, 5, 11}, .name = "image", .build_id = "abce"}));
  sample(11, {kHelp});
  write_files({"main", "work", "help"}, "abcd");
  EXPECT_EQ(run("BAREFXT report samples.fxt --elf program.elf -o report.html"), 3);
  EXPECT_TRUE(contains(messages(), "recorded by another build than --elf names"));
  browser_.open(page());
  settle();
  unfold();
  EXPECT_EQ(flames(), (Json{{"all samples", 0, 1}, {"0x1208", 1, 1}}));
}

TEST_F(PageFlames, AreLeftOutWithoutSamples) {
  const auto is_hidden = [&] {
    return browser_.run("return document.getElementById('samples').hidden").get<bool>();
  };
  open_sample();
  EXPECT_TRUE(is_hidden());
  sample(11, {kHelp});
  open_samples();
  EXPECT_FALSE(is_hidden());
  open(path("samples.fxt"), "--thread beta");
  EXPECT_TRUE(is_hidden());
}

}  // namespace
}  // namespace barefxt::test::page_flames_test
