// The costs that the program measures, each by a way of its own.
#pragma once

#include "sites.h"

// The instructions that a call of `with` takes more than one of `without`: the mean over whole
// segments, counted by stepping through them. Negative: it cannot be had on this machine.
double instructions(sites::Site with, sites::Site without);

// How many times longer a context switch takes than what no record can do without: each by the
// least time of several rounds, in which they take turns.
double time_over_floor();

// How much of its speed a writer keeps while others write on all other cores, each into its own
// ring: 1 where they do not hinder each other. By the time that the threads themselves ran, the
// median of many rounds in which all of them ran at once, and one alone in turn. Negative: records
// were lost, or the cores were too busy with other things.
double speed_kept_by_writers();

// The same of threads that share nothing at all: what the machine takes by itself.
double speed_kept_by_floors();
