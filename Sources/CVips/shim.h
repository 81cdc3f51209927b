// What Swift needs of libvips. Most of its functions end in "...", and Swift cannot call variadic
// C functions; each wrapper here fixes the optional arguments that Fovea uses and nothing else.
// All are 0 on success unless they return an image; the error text is in vips' error buffer.
#ifndef FOVEA_VIPS_SHIM_H
#define FOVEA_VIPS_SHIM_H

#include <string.h>

#include <vips/vips.h>

// Variadic. Sequential, so that the pixels are decoded once, row by row, and never held whole;
// a damaged or short file is an error and not a grey area, unless lenient.
static inline VipsImage * fovea_vips_open(const void * bytes, size_t count, int lenient) {
  return vips_image_new_from_buffer(
      bytes, count, "", "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
      lenient ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_ERROR, NULL);
}

// Variadic. Like fovea_vips_open, of one directory of a TIFF file, counted from 0.
static inline int fovea_vips_open_tiff(
    const void * bytes, size_t count, VipsImage ** out, int directory) {
  return vips_tiffload_buffer(
      (void *) bytes, count, out, "page", directory, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
      VIPS_FAIL_ON_ERROR, NULL);
}

// Variadic. A page, counted from 0, with so many pixels an inch; password: NULL for none.
static inline int fovea_vips_open_pdf(
    const void * bytes, size_t count, VipsImage ** out, int page, int resolution,
    const char * password) {
  return vips_pdfload_buffer(
      (void *) bytes, count, out, "page", page, "dpi", (double) resolution, "access",
      VIPS_ACCESS_SEQUENTIAL, "password", password, NULL);
}

// VIPS_REGION_ADDR is a macro. Computes rows top..<top + height of an image of 3 bytes a pixel.
static inline int fovea_vips_rows(VipsRegion * region, int top, int height, unsigned char * out) {
  const VipsRect rows = {0, top, region->im->Xsize, height};
  if (vips_region_prepare(region, &rows)) return -1;
  const size_t length = (size_t) rows.width * 3;
  for (int row = 0; row < height; row++) {
    memcpy(out + row * length, VIPS_REGION_ADDR(region, 0, top + row), length);
  }
  return 0;
}

// Variadic. The file of the image; the suffix names the format and its options (".tif[tile]"). Free
// the bytes with g_free.
static inline int fovea_vips_encode(
    VipsImage * in, const char * suffix, void ** bytes, size_t * count) {
  return vips_image_write_to_buffer(in, suffix, bytes, count, NULL);
}

// Variadic. By the profile inside the image to sRGB, with as many bits a channel as the image has:
// vips would leave alpha as it is, and 16 bit alpha means nothing beside 8 bit colours.
static inline int fovea_vips_profile_to_srgb(VipsImage * in, VipsImage ** out) {
  const int depth = vips_image_get_format(in) == VIPS_FORMAT_USHORT ? 16 : 8;
  return vips_icc_transform(
      in, out, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_RELATIVE, "depth", depth, NULL);
}

// Variadic. Grey, 16 bit, Lab, CMYK without a profile: to sRGB by the image's interpretation.
static inline int fovea_vips_to_srgb(VipsImage * in, VipsImage ** out) {
  return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

// Variadic. The last band is alpha; what it leaves open becomes white.
static inline int fovea_vips_flatten(VipsImage * in, VipsImage ** out) {
  VipsArrayDouble * white = vips_array_double_newv(3, 255.0, 255.0, 255.0);
  const int result = vips_flatten(in, out, "background", white, NULL);
  vips_area_unref(VIPS_AREA(white));
  return result;
}

// Variadic. The first three bands.
static inline int fovea_vips_first_three_bands(VipsImage * in, VipsImage ** out) {
  return vips_extract_band(in, out, 0, "n", 3, NULL);
}

// Variadic. Values outside 0...255 are clipped.
static inline int fovea_vips_to_bytes(VipsImage * in, VipsImage ** out) {
  return vips_cast(in, out, VIPS_FORMAT_UCHAR, NULL);
}

// Variadic. Puts the image on a white canvas with its top left corner at (x, y).
static inline int fovea_vips_on_white(
    VipsImage * in, VipsImage ** out, int x, int y, int width, int height) {
  return vips_embed(in, out, x, y, width, height, "extend", VIPS_EXTEND_WHITE, NULL);
}

// Variadic. Each block of factor x factor pixels becomes its mean.
static inline int fovea_vips_shrink(VipsImage * in, VipsImage ** out, int factor) {
  return vips_shrink(in, out, factor, factor, NULL);
}

// Variadic. By Lanczos 3, after a mean of whole blocks where it shrinks much.
static inline int fovea_vips_resize(VipsImage * in, VipsImage ** out, double x, double y) {
  return vips_resize(in, out, x, "vscale", y, "kernel", VIPS_KERNEL_LANCZOS3, NULL);
}

// Variadic. Cuts or repeats the last row and column where a resize rounded to another size.
static inline int fovea_vips_exact_size(VipsImage * in, VipsImage ** out, int width, int height) {
  return vips_embed(in, out, 0, 0, width, height, "extend", VIPS_EXTEND_COPY, NULL);
}

// Variadic. Turns and mirrors as the image's orientation tag says, and removes the tag.
static inline int fovea_vips_upright(VipsImage * in, VipsImage ** out) {
  return vips_autorot(in, out, NULL);
}

#endif
