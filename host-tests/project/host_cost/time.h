#pragma once

// How many times longer a context switch takes than what no record can do without: each by the
// least time of several rounds, in which they take turns.
double time_over_floor();
