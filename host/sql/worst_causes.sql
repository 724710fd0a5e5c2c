-- What made intervals late, in all traces: `unknown_cases` are those of traces with losses, which `total` and `worst` leave out. A trace
-- without any case, such as one that cannot be read, has a row of its own kind null.
SELECT kind, thread_name, cause, cause_name, sum(coalesce(known, 0)) AS cases, sum(1 - coalesce(known, 0)) AS unknown_cases,
       sum(cause_ns * known) AS total, max(cause_ns * known) AS worst, count(DISTINCT file) AS traces, count(DISTINCT build) AS builds
FROM causes GROUP BY kind, thread_name, cause, cause_name ORDER BY worst DESC, kind, thread_name, cause, cause_name;
