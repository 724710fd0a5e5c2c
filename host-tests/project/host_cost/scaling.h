#pragma once

// How much of its speed a writer keeps while others write on all other cores, each into its own
// ring: 1 where they do not hinder each other. By the time that the threads themselves ran, the
// median of many rounds in which all of them ran at once, and one alone in turn. Negative: records
// were lost, or the cores were too busy with other things.
double speed_kept_by_writers();

// The same of threads that share nothing at all: what the machine takes by itself.
double speed_kept_by_floors();
