#include "canvas.h"

#include <algorithm>
#include <bit>

#include "palette.h"

namespace barefxt::report {
namespace {

// Up to so many bytes, without a part of a character.
std::string beginning(const std::string& words, size_t bytes) {
  while (bytes < words.size() && (static_cast<unsigned char>(words[bytes]) & 0xc0) == 0x80) --bytes;
  return words.substr(0, bytes);
}

}  // namespace

void Canvas::resize(unsigned width, unsigned height) {
  surface_.reset(cairo().image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                              static_cast<int>(height)));
  context_.reset(cairo().create(surface_.get()));
  cairo().select_font_face(context(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
}

host::Status Canvas::write(host::ByteSink& sink, const std::string& archive) const {
  struct Sent {
    host::ByteSink& sink;
    host::Status status;
  } sent{sink, {}};
  const auto send = [](void* closure, const unsigned char* data, unsigned size) {
    auto& to = *static_cast<Sent*>(closure);
    to.status = to.sink.write({data, size});
    return !to.status.ok() ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
  };
  const cairo_status_t status = cairo().surface_write_to_png_stream(surface_.get(), send, &sent);
  if (!sent.status.ok()) return sent.status;
  if (status == CAIRO_STATUS_SUCCESS) return {};
  return host::Error{std::string("cannot be drawn: ") + cairo().status_to_string(status), archive,
                     "a smaller --width, or fewer --lanes, takes less memory"};
}

void Canvas::use(const Colour& colour, double alpha) const {
  const uint32_t rgb = dark_ ? colour.dark : colour.light;
  constexpr double kWhole = 255;
  cairo().set_source_rgba(context(), (rgb >> 16 & 0xff) / kWhole, (rgb >> 8 & 0xff) / kWhole,
                          (rgb & 0xff) / kWhole, alpha);
}

void Canvas::colour(std::string_view name, double alpha) const {
  const auto found = std::find_if(kPalette.begin(), kPalette.end(),
                                  [&](const Colour& one) { return one.name == name; });
  use(*found, alpha);
}

void Canvas::hue(size_t number) const { use(kHues[number % kHues.size()], 1); }

void Canvas::fill(double left, double top, double width, double height) const {
  cairo().rectangle(context(), left, top, width, height);
  cairo().fill(context());
}

double Canvas::width_of(const std::string& part) const {
  cairo_text_extents_t extents;
  cairo().text_extents(context(), part.c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(const std::string& all, double left, double middle, double room,
                  double size) const {
  cairo().set_font_size(context(), size);
  // No character is narrower than a pixel.
  const std::string words = beginning(all, 4 * static_cast<size_t>(std::max(room, 0.0)));
  std::string cut = words;
  if (words.size() < all.size() || width_of(words) > room) {
    size_t longest = 0;
    for (size_t step = std::bit_floor(words.size()); step != 0; step /= 2) {
      const size_t bytes = longest + step;
      if (bytes <= words.size() && width_of(beginning(words, bytes)) <= room) longest = bytes;
    }
    cut = beginning(words, longest);
    if (cut.size() < 3) return;
  }
  cairo().move_to(context(), left, middle + size * 0.36);
  cairo().show_text(context(), cut.c_str());
}

void Canvas::text_to(const std::string& all, double right, double middle, double size) const {
  cairo().set_font_size(context(), size);
  cairo().move_to(context(), right - width_of(all), middle + size * 0.36);
  cairo().show_text(context(), all.c_str());
}

std::vector<std::string> Canvas::wrapped(const std::string& all, double room, double size) const {
  cairo().set_font_size(context(), size);
  std::vector<std::string> lines(1);
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find(' ', at), all.size());
    const std::string word = all.substr(at, end - at);
    std::string& line = lines.back();
    std::string longer = line;
    if (!line.empty()) longer += ' ';
    longer += word;
    if (line.empty() || width_of(longer) <= room) {
      line = longer;
    } else {
      lines.push_back(word);
    }
    at = end + 1;
  }
  return lines;
}

}  // namespace barefxt::report
