// A surface of cairo's that pictures are drawn on: colours by name, text that fits, PNG.
#pragma once

#include <cairo.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/archive_writer.h>

namespace barefxt::report {

struct Colour;

class Canvas {
 public:
  explicit Canvas(bool dark) : dark_(dark) { resize(1, 1); }

  // Loses what is drawn. Text can be measured at any size.
  void resize(unsigned width, unsigned height);
  host::Status write(host::ByteSink& sink, const std::string& archive) const;

 protected:
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
  struct Delete {
    void operator()(cairo_surface_t* surface) const { ::cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { ::cairo_destroy(context); }
  };

  void use(const Colour& colour, double alpha) const;
  double width_of(const std::string& part) const;

  bool dark_;
  std::unique_ptr<cairo_surface_t, Delete> surface_;
  std::unique_ptr<cairo_t, Delete> context_;
};

}  // namespace barefxt::report
