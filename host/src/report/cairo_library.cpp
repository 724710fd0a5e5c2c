#include "cairo_library.h"

#include <dlfcn.h>
#include <string>

namespace barefxt::report {

host::Result<CairoLibrary> load_cairo() {
  void* const library = ::dlopen("libcairo.so.2", RTLD_NOW);
  bool has_all = library != nullptr;
  CairoLibrary cairo{};
  const auto find = [&]<typename Function>(Function*& function, const char* name) {
    if (has_all) function = reinterpret_cast<Function*>(::dlsym(library, name));
    has_all = has_all && function != nullptr;
  };
  find(cairo.arc, "cairo_arc");
  find(cairo.clip, "cairo_clip");
  find(cairo.create, "cairo_create");
  find(cairo.curve_to, "cairo_curve_to");
  find(cairo.destroy, "cairo_destroy");
  find(cairo.fill, "cairo_fill");
  find(cairo.image_surface_create, "cairo_image_surface_create");
  find(cairo.line_to, "cairo_line_to");
  find(cairo.move_to, "cairo_move_to");
  find(cairo.paint, "cairo_paint");
  find(cairo.rectangle, "cairo_rectangle");
  find(cairo.restore, "cairo_restore");
  find(cairo.save, "cairo_save");
  find(cairo.select_font_face, "cairo_select_font_face");
  find(cairo.set_font_size, "cairo_set_font_size");
  find(cairo.set_line_width, "cairo_set_line_width");
  find(cairo.set_source_rgba, "cairo_set_source_rgba");
  find(cairo.show_text, "cairo_show_text");
  find(cairo.status_to_string, "cairo_status_to_string");
  find(cairo.stroke, "cairo_stroke");
  find(cairo.surface_destroy, "cairo_surface_destroy");
  find(cairo.surface_write_to_png_stream, "cairo_surface_write_to_png_stream");
  find(cairo.text_extents, "cairo_text_extents");
  if (has_all) return cairo;
  const char* const problem = ::dlerror();
  return host::Error{std::string("pictures take cairo: ") + (problem == nullptr ? "" : problem),
                     "--png", "install it (Debian: libcairo2), or allow more memory"};
}

}  // namespace barefxt::report
