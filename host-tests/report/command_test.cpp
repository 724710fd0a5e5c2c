// barefxt report as scripts use it: pages and pictures, and what is wrong with what it is given.
#include <algorithm>
#include <array>
#include <cairo.h>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

#include "archive/memory_archive.h"
#include "hostile/shell.h"
#include "report/palette.h"
#include "sample.h"

namespace barefxt::test::report_command_test {
namespace {

class ReportCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("sample.fxt", sample_archive());
  }

  int run(const std::string& arguments) { return Shell::run("BAREFXT report " + arguments); }
};

TEST_F(ReportCommand, MakesAPageOfAFileOrOfStandardInput) {
  EXPECT_EQ(run("sample.fxt -o page.html"), 0) << messages();
  EXPECT_EQ(read("page.html").substr(0, 15), "<!doctype html>");
  EXPECT_TRUE(read("page.html").ends_with("</html>\n"));
  EXPECT_EQ(run("- -o - <sample.fxt >piped.html"), 0) << messages();
  // But for the name that it shows.
  EXPECT_NEAR(static_cast<double>(read("piped.html").size()),
              static_cast<double>(read("page.html").size()), 200);
}

TEST_F(ReportCommand, SaysWhatIsWrongAndLeavesAnOlderPage) {
  write("page.html", "older");
  EXPECT_EQ(run("nothing -o page.html"), 2);
  EXPECT_TRUE(contains(messages(), "cannot open"));
  write("noise", "this is no archive at all, is it now?");
  EXPECT_EQ(run("noise -o page.html"), 4);
  EXPECT_EQ(run("sample.fxt -o page.html --from soon"), 2);
  EXPECT_TRUE(contains(messages(), "'soon' is no time"));
  EXPECT_EQ(run("sample.fxt -o page.html --width 800"), 2);
  EXPECT_EQ(run("sample.fxt"), 2);
  EXPECT_EQ(read("page.html"), "older");
  EXPECT_EQ(run("sample.fxt -o no/such/folder.html"), 2);
}

TEST_F(ReportCommand, HoldsActivationsToADeadline) {
  ASSERT_EQ(run("sample.fxt -o page.html"), 0) << messages();
  const std::string without = read("page.html");
  // The page's numbers are packed: others make another page.
  ASSERT_EQ(run("sample.fxt -o page.html --deadline thread=control,39us"), 0) << messages();
  EXPECT_EQ(messages(), "");
  EXPECT_NE(read("page.html"), without);
  EXPECT_EQ(run("sample.fxt -o page.html --deadline thread=nobody,1ms"), 0);
  EXPECT_TRUE(contains(messages(), "--deadline names no thread of it: nobody"));
  EXPECT_EQ(read("page.html"), without);
  EXPECT_EQ(run("sample.fxt -o page.html --deadline control"), 2);
  EXPECT_TRUE(contains(messages(), "'control' is no deadline"));
}

TEST_F(ReportCommand, OfADamagedArchiveShowsTheRest) {
  std::string archive = sample_archive();
  archive.resize(archive.size() - 4);
  write("cut.fxt", archive);
  EXPECT_EQ(run("cut.fxt -o page.html"), 3);
  EXPECT_TRUE(contains(messages(), "malformed"));
  EXPECT_TRUE(read("page.html").ends_with("</html>\n"));
}

// A picture read back.
class Pixels {
 public:
  explicit Pixels(const std::string& file)
      : surface_(::cairo_image_surface_create_from_png(file.c_str()), ::cairo_surface_destroy) {
    EXPECT_EQ(::cairo_surface_status(surface_.get()), CAIRO_STATUS_SUCCESS);
  }
  int width() const { return ::cairo_image_surface_get_width(surface_.get()); }
  int height() const { return ::cairo_image_surface_get_height(surface_.get()); }
  uint32_t at(double x, double y) const {
    const unsigned char* data = ::cairo_image_surface_get_data(surface_.get());
    const auto row = static_cast<ptrdiff_t>(y) * ::cairo_image_surface_get_stride(surface_.get());
    uint32_t pixel = 0;
    std::memcpy(&pixel, data + row + static_cast<ptrdiff_t>(x) * 4, sizeof pixel);
    return pixel & 0xffffff;
  }

 private:
  std::unique_ptr<cairo_surface_t, decltype(&::cairo_surface_destroy)> surface_;
};

uint32_t colour(std::string_view name, bool dark = false) {
  for (const report::Colour& one : report::kPalette) {
    if (one.name == name) return dark ? one.dark : one.light;
  }
  return 0;
}

// Looks between the names and the edges, where there is nothing but the colour.
TEST_F(ReportCommand, DrawsAPicture) {
  ASSERT_EQ(run("sample.fxt --png --width 1160 -o picture.png"), 0) << messages();
  const Pixels pixels(path("picture.png"));
  EXPECT_EQ(pixels.width(), 1160);
  // A thousand pixels from the first record, at 1000 ticks, to the last, at 99500.
  const auto x = [](double tick) { return 150 + (tick - 1000) / 98.5; };
  EXPECT_EQ(pixels.at(2, 2), colour("background"));
  constexpr double kCpu1 = 26 + 38 + 8;
  constexpr double kControl = kCpu1 + 22 + 8;
  // States in which nothing runs are lines in the middle of their bars.
  EXPECT_EQ(pixels.at(x(9900), 36), colour("idle"));
  EXPECT_EQ(pixels.at(x(9900), 28), colour("lane"));
  EXPECT_NE(pixels.at(x(2000), 28), colour("lane"));
  EXPECT_EQ(pixels.at(x(1500 + 800), kControl + 1), colour("running"));
  EXPECT_EQ(pixels.at(x(8000), kControl + 6), colour("blocked"));
  // Within plan is measure, below.
  EXPECT_NE(pixels.at(x(2500), kControl + 14 + 1), colour("lane"));
  EXPECT_NE(pixels.at(x(2500), kControl + 14 + 16 + 1), colour("lane"));
  EXPECT_EQ(pixels.at(x(4500), kControl + 14 + 16 + 1), colour("lane"));
  // A loss is hatched, at some of its pixels.
  int hatched = 0;
  for (double tick = 59'700; tick < 60'800; tick += 50)
    hatched += pixels.at(x(tick), kCpu1 + 10) == colour("lost") ? 1 : 0;
  EXPECT_GT(hatched, 0);
  EXPECT_NE(pixels.at(x(57'000), kCpu1 + 10), colour("lost"));
  // The counter is at its highest of 3 in the fourth round, and at its lowest in the fifth.
  EXPECT_EQ(pixels.at(x(40'000), pixels.height() - 8 - 40 + 8), colour("counter"));
  EXPECT_EQ(pixels.at(x(50'000), pixels.height() - 8 - 40 + 8), colour("lane"));
  // Its axis, between its least and its greatest value.
  for (int up = 12; up < 36; up += 9)
    EXPECT_EQ(pixels.at(146, pixels.height() - 8 - up), colour("faint")) << up;
}

// The lane of the latest thread first, its interval outlined, with as much room on both sides.
TEST_F(ReportCommand, ZoomsToAFinding) {
  ASSERT_EQ(run("sample.fxt --png --width 1160 --finding latency -o picture.png"), 0) << messages();
  const Pixels pixels(path("picture.png"));
  // The outline's upper edge: a third of the width, and more at the begin of the trace.
  int lane = 0;
  int outlined = 0;
  int right = 0;
  for (int row = 26; row < 26 + 6 * 16; ++row) {
    int count = 0;
    int last = 0;
    for (int column = 150; column < 1150; ++column) {
      if (pixels.at(column, row) != colour("selection")) continue;
      ++count;
      last = column;
    }
    if (count > outlined) {
      lane = row;
      outlined = count;
      right = last;
    }
  }
  EXPECT_GE(outlined, 325);
  EXPECT_LE(outlined, 455);
  // It ran behind it.
  EXPECT_EQ(pixels.at(right + 20, lane + 7), colour("running"));
  // In the middle of the trace it is a third.
  ASSERT_EQ(run("sample.fxt --png --width 1160 --finding loss -o loss.png"), 0) << messages();
  const Pixels loss(path("loss.png"));
  int most = 0;
  for (int row = 26; row < 26 + 6 * 16; ++row) {
    int count = 0;
    for (int column = 150; column < 1150; ++column)
      count += loss.at(column, row) == colour("selection") ? 1 : 0;
    most = std::max(most, count);
  }
  EXPECT_GE(most, 325);
  EXPECT_LE(most, 345);
  EXPECT_EQ(run("sample.fxt --png --finding job -o picture.png"), 2);
  EXPECT_TRUE(contains(messages(), "no finding of kind 'job' can be drawn"));
  EXPECT_TRUE(contains(messages(), "loss, latency"));
}

// It is loaded for a picture alone.
TEST_F(ReportCommand, WithoutCairoSaysWhatToInstall) {
  ::setenv("BAREFXT_WITHOUT_LIBRARIES", "1", 1);
  const std::string without =
      "env LD_PRELOAD='" BAREFXT_PRELOADED
      "' ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\" BAREFXT report ";
  EXPECT_EQ(Shell::run(without + "sample.fxt --png -o picture.png"), 2);
  EXPECT_TRUE(contains(messages(), "libcairo2"));
  EXPECT_FALSE(std::filesystem::exists(path("picture.png")));
  EXPECT_EQ(Shell::run(without + "sample.fxt -o page.html"), 0) << messages();
  ::unsetenv("BAREFXT_WITHOUT_LIBRARIES");
}

TEST_F(ReportCommand, DrawsAStretchInTheDark) {
  ASSERT_EQ(
      run("sample.fxt --png --dark --width 1160 --from 5.2ms --to 9ms --lanes 3 -o picture.png"), 0)
      << messages();
  const Pixels pixels(path("picture.png"));
  EXPECT_EQ(pixels.at(2, 2), colour("background", true));
  EXPECT_EQ(pixels.at(600, 36), colour("idle", true));
  // Logger, of all threads, only waits and has an instant; the others' lanes are too many.
  ASSERT_EQ(run("sample.fxt --png --width 1160 --from 5.2ms --to 9ms -o all.png"), 0);
  EXPECT_LT(pixels.height(), Pixels(path("all.png")).height());
}

// More lanes than a picture has room for, with long names.
TEST_F(ReportCommand, DrawsTheLanesThatAPictureHasRoomFor) {
  MemoryArchive writer(1'000'000'000);
  writer.string(1, std::string(30'000, 'n'));
  for (uint64_t thread = 0; thread < 200; ++thread)
    for (uint64_t depth = 0; depth < 24; ++depth)
      (void)writer.event({.type = fxt::EventType::kDurationComplete,
                          .timestamp = 10 * thread + depth,
                          .thread = {.process = 7, .thread = 1000 + thread},
                          .category = host::ArchiveText::indexed(1),
                          .name = host::ArchiveText::indexed(1),
                          .trailing_word = 10 * thread + 1000 - depth},
                         {});
  write("many.fxt", writer.text());
  // Without --lanes, a picture fits a sheet of paper.
  ASSERT_EQ(run("many.fxt --png --width 1000 -o sheet.png"), 0) << messages();
  EXPECT_LE(Pixels(path("sheet.png")).height(), 1410);
  EXPECT_GT(Pixels(path("sheet.png")).height(), 900);
  // The narrow one is bounded by its height, the wide one by its pixels.
  ASSERT_EQ(run("many.fxt --png --lanes 1000 --width 300 -o many.png"), 0) << messages();
  ASSERT_EQ(run("many.fxt --png --lanes 1000 --width 10000 -o wide.png"), 0) << messages();
  EXPECT_LT(Pixels(path("many.png")).height(), 32'768);
  EXPECT_GT(Pixels(path("many.png")).height(), 32'000);
  EXPECT_LT(Pixels(path("wide.png")).height(), (1 << 25) / 10'000);
}

}  // namespace
}  // namespace barefxt::test::report_command_test
