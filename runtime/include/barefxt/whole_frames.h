/* A writer that passes on each frame of a dump in one call.
 *
 * It is for lines that several CPUs or tasks share: a lock taken in `to.write` keeps other output
 * out of the middle of a frame. A dump itself writes a frame in several pieces, so a lock around
 * each of its calls does not.
 *
 * The buffer begins with the byte that every frame of the form begins and ends with: zero in a
 * binary dump, a newline in a text dump. No frame has that byte inside.
 */
#ifndef BAREFXT_WHOLE_FRAMES_H
#define BAREFXT_WHOLE_FRAMES_H

#include <barefxt/types.h>

/* ---- Dump and drain ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* A writer of whole frames. Before each dump set the first three members, and the others to 0. */
typedef struct barefxt_whole_frames {
  barefxt_writer to; /* gets one frame a call */
  uint8_t* buffer;   /* collects a frame */
  size_t bytes; /* BAREFXT_DRAIN_BYTES, or 2 and more: a longer frame, for example one with a string
                   above 1 KiB, is passed on in parts */
  size_t used;
  size_t passed; /* bytes of `used` that `to` has: 0, or 1 after a part */
} barefxt_whole_frames;

/* Collects the bytes of a dump, and writes each frame in one call.
 *
 * @param context A barefxt_whole_frames.
 * @param bytes The bytes.
 * @param count Number of bytes.
 * @context as the function that gets the writer
 *
 * Pass it as `write` of a barefxt_writer whose `context` is a barefxt_whole_frames. It suits lines
 * that several CPUs or tasks share: a lock taken in `to.write` keeps other output out of the frame.
 */
static inline void barefxt_whole_frames_write(void* context, const uint8_t* bytes, size_t count) {
  barefxt_whole_frames* frames = (barefxt_whole_frames*)context;
  for (size_t i = 0; i < count; ++i) {
    frames->buffer[frames->used++] = bytes[i];
    const bool ends = frames->used > 1 && bytes[i] == frames->buffer[0];
    if (!ends && frames->used < frames->bytes) continue;
    frames->to.write(frames->to.context, frames->buffer + frames->passed,
                     frames->used - frames->passed);
    /* Behind a part the first byte stays, to find the frame's end by. */
    frames->passed = ends ? 0 : 1;
    frames->used = frames->passed;
  }
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
