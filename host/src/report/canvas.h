// A surface of cairo's that pictures are drawn on: colours by name, text that fits, PNG.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/archive_writer.h>

#include "cairo_library.h"

namespace barefxt::report {

struct Colour;

class Canvas {
 public:
  Canvas(const CairoLibrary& cairo, bool dark) : cairo_(cairo), dark_(dark) { resize(1, 1); }

  // Loses what is drawn. Text can be measured at any size.
  void resize(unsigned width, unsigned height);
  host::Status write(host::ByteSink& sink, const std::string& archive) const;

 protected:
  const CairoLibrary& cairo() const { return cairo_; }
  cairo_t* context() const { return context_.get(); }
  void colour(std::string_view name, double alpha = 1) const;
  void hue(size_t number) const;
  void fill(double left, double top, double width, double height) const;
  // As much of the beginning as the room holds, if that is more than two characters.
  void text(const std::string& all, double left, double middle, double room, double size) const;
  // Ends at `right`.
  void text_to(const std::string& all, double right, double middle, double size) const;
  // Lines, broken between words.
  std::vector<std::string> wrapped(const std::string& all, double room, double size) const;

 private:
  void use(const Colour& colour, double alpha) const;
  double width_of(const std::string& part) const;

  CairoLibrary cairo_;
  bool dark_;
  std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface_{nullptr,
                                                                        cairo_.surface_destroy};
  std::unique_ptr<cairo_t, void (*)(cairo_t*)> context_{nullptr, cairo_.destroy};
};

}  // namespace barefxt::report
