// Cairo, loaded when the first picture is drawn: it brings some twenty libraries, with which each
// start of the command took three times as long.
#pragma once

#include <cairo.h>

#include <barefxt/host/archive_writer.h>

namespace barefxt::report {

// The functions that pictures are drawn with, by their names without `cairo_`.
struct CairoLibrary {
  decltype(&::cairo_arc) arc;
  decltype(&::cairo_clip) clip;
  decltype(&::cairo_create) create;
  decltype(&::cairo_curve_to) curve_to;
  decltype(&::cairo_destroy) destroy;
  decltype(&::cairo_fill) fill;
  decltype(&::cairo_image_surface_create) image_surface_create;
  decltype(&::cairo_line_to) line_to;
  decltype(&::cairo_move_to) move_to;
  decltype(&::cairo_paint) paint;
  decltype(&::cairo_rectangle) rectangle;
  decltype(&::cairo_restore) restore;
  decltype(&::cairo_save) save;
  decltype(&::cairo_select_font_face) select_font_face;
  decltype(&::cairo_set_font_size) set_font_size;
  decltype(&::cairo_set_line_width) set_line_width;
  decltype(&::cairo_set_source_rgba) set_source_rgba;
  decltype(&::cairo_show_text) show_text;
  decltype(&::cairo_status_to_string) status_to_string;
  decltype(&::cairo_stroke) stroke;
  decltype(&::cairo_surface_destroy) surface_destroy;
  decltype(&::cairo_surface_write_to_png_stream) surface_write_to_png_stream;
  decltype(&::cairo_text_extents) text_extents;
};

// Stays loaded. An error if it is not installed.
host::Result<CairoLibrary> load_cairo();

}  // namespace barefxt::report
