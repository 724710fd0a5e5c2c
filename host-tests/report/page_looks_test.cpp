// The page looks as it did, in light and in dark.
#include <cmath>

#include "page_test.h"

namespace barefxt::test::page_looks_test {
namespace {

using PageLooks = PageTest;

// The picture below the text, as colours of a grid of 32 by 24 over its upper 300 pixels.
std::string grid(Browser& browser) {
  return browser
      .run(
          "const canvas = document.getElementById('picture');"
          "const context = canvas.getContext('2d'); const [columns, rows, height] = [32, 24, 300];"
          "let text = '';"
          "for (let row = 0; row < rows; ++row) {"
          "  for (let column = 0; column < columns; ++column) {"
          "    const [x, y] = [Math.floor(column * canvas.width / columns), Math.floor(row * "
          "height / rows)];"
          "    const w = Math.floor((column + 1) * canvas.width / columns) - x;"
          "    const h = Math.floor((row + 1) * height / rows) - y;"
          "    const pixels = context.getImageData(x, y, w, h).data;"
          "    for (let part = 0; part < 3; ++part) {"
          "      let sum = 0;"
          "      for (let i = part; i < pixels.length; i += 4) sum += pixels[i];"
          "      text += Math.round(sum / (w * h)).toString(16).padStart(2, '0');"
          "    }"
          "    text += column + 1 < columns ? ' ' : '\\n';"
          "  }"
          "}"
          "return text;")
      .get<std::string>();
}

// How many colours differ by more than a tolerance for edges that lie a little elsewhere.
int differing(const std::string& one, const std::string& other) {
  constexpr int kTolerance = 8;
  std::istringstream ours(one);
  std::istringstream theirs(other);
  int count = 0;
  for (std::string a, b; ours >> a && theirs >> b;) {
    bool differs = a.size() != 6 || b.size() != 6;
    for (size_t i = 0; i < 6 && !differs; i += 2)
      differs = std::abs(std::stoi(a.substr(i, 2), nullptr, 16) -
                         std::stoi(b.substr(i, 2), nullptr, 16)) > kTolerance;
    count += differs ? 1 : 0;
  }
  return count;
}

TEST_F(PageLooks, LooksAsItDid) {
  open_sample();
  std::array<std::string, 2> seen;
  for (const char* theme : {"light", "dark"}) {
    if (browser_.run("return document.documentElement.dataset.theme") != theme)
      browser_.click("#theme");
    settle();
    const std::string now = grid(browser_);
    seen[*theme == 'd' ? 1 : 0] = now;
    const std::string golden =
        BAREFXT_SOURCE_DIR "/host-tests/report/looks-" + std::string(theme) + ".txt";
    const std::string was = read(golden);
    ASSERT_EQ(now.size(), 32u * 24 * 7);
    if (was.size() == now.size() && differing(now, was) == 0) continue;
    const std::string aside = ::testing::TempDir() + "looks-" + theme + ".txt";
    std::ofstream(aside) << now;
    ADD_FAILURE() << "the " << theme << " picture differs from " << golden << " in "
                  << differing(now, was) << " of 768 places; what it looks like now is in "
                  << aside;
  }
  EXPECT_GT(differing(seen[0], seen[1]), 500);
}

}  // namespace
}  // namespace barefxt::test::page_looks_test
