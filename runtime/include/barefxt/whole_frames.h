/* A writer that passes on each frame of a dump in one call. It is for lines that several CPUs or
 * tasks share: a lock taken in `to.write` keeps other output out of the middle of a frame. A dump
 * itself writes a frame in several pieces, so a lock around each of its calls does not.
 *
 * The buffer begins with the byte that every frame of the form begins and ends with: zero in a
 * binary dump, a newline in a text dump. No frame has that byte inside.
 */
#ifndef BAREFXT_WHOLE_FRAMES_H
#define BAREFXT_WHOLE_FRAMES_H

#include <barefxt/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Set the first three, and the rest to 0, before each dump. */
typedef struct barefxt_whole_frames {
  barefxt_writer to; /* gets a frame a call */
  uint8_t* buffer;   /* where a frame is collected */
  size_t bytes; /* BAREFXT_DRAIN_BYTES, or 2 and more: a frame that is longer, one with a string
                   above 1 KiB for example, is passed on in parts */
  size_t used;
  size_t passed; /* the bytes of them that `to` has: 0, or 1 after a part */
} barefxt_whole_frames;

/* Collects bytes of a dump. Pass it as `write` of a barefxt_writer whose `context` is a
 * barefxt_whole_frames. Context: as the function that is given the writer. */
static inline void barefxt_whole_frames_write(void* context, const uint8_t* bytes, size_t count) {
  barefxt_whole_frames* frames = (barefxt_whole_frames*)context;
  for (size_t i = 0; i < count; ++i) {
    frames->buffer[frames->used++] = bytes[i];
    const bool ends = frames->used > 1 && bytes[i] == frames->buffer[0];
    if (!ends && frames->used < frames->bytes) continue;
    frames->to.write(frames->to.context, frames->buffer + frames->passed,
                     frames->used - frames->passed);
    /* Behind a part the first byte stays: it tells where the frame ends. */
    frames->passed = ends ? 0 : 1;
    frames->used = frames->passed;
  }
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
