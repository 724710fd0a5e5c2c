/* The functions of segment.h. */

/* SegmentWalker::next(): a zero word is passed over, and looked at once more when a word that is not
   zero stands behind: that may be the payload of a record that began there meanwhile. At a record
   `word` is its header; otherwise, at the end, 0. */
inline start_walk(slot) {
  load(end, AT(slot, END));
  d_step { limit = (end -> end - 1 : WORDS); at = 0; bare = 0; zeros = 0; again = 0 }
}
inline next(slot) {
  word = 0;
  do
  :: at < limit && word == 0 ->
    load(word, AT(slot, at));
    d_step {
      if
      :: word == 0 && MUTATION(STOP_AT_ZERO) -> at = limit
      :: word == 0 && !MUTATION(STOP_AT_ZERO) -> zeros = (zeros -> zeros : at + 1); at = at + 1
      :: word != 0 && zeros && again != at && !MUTATION(NO_LOOK_BACK) -> again = at; at = zeros - 1; zeros = 0; word = 0
      :: else -> bare = bare || zeros; zeros = 0
      fi
    }
  :: else -> break
  od
}
inline end_walk() { atomic { bare = (bare || zeros) && end; end = 0; at = 0; limit = 0; zeros = 0; again = 0 } }

/* SegmentContent look_through(): whole, finished. */
inline look_through(slot) {
  start_walk(slot);
  atomic { whole = (end != 0); finished = 0 };
  do
  :: next(slot);
    if
    :: word >= 128 -> whole = 0
    :: word != 0 && word < 128 -> finished++
    :: else -> break
    fi;
    at = at + 2
  od;
  end_walk();
  atomic { whole = whole && !(bare && !MUTATION(SKIP_ZERO_UNNOTICED)); bare = 0 }
}
