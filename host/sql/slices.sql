-- Durations from begin to end. `depth` is the nesting of those with records for both ends (1: in none but itself).
-- Those on threads `cpu-N` are interrupts.
CREATE VIEW slices AS
WITH edges AS (
  SELECT *, sum(CASE kind WHEN 'duration_begin' THEN 1 ELSE -1 END) OVER (PARTITION BY filename, process, thread ORDER BY time, record)
            + CASE kind WHEN 'duration_begin' THEN 0 ELSE 1 END AS depth
  FROM traces WHERE kind IN ('duration_begin', 'duration_end')
), pairs AS (
  SELECT *, lead(time) OVER level AS until, lead(record) OVER level AS last, lead(kind) OVER level AS next
  FROM edges WINDOW level AS (PARTITION BY filename, process, thread, depth ORDER BY time, record)
)
SELECT filename, process, thread, thread_name, category, name, arguments, depth, record AS first, time AS since, until, last
FROM pairs WHERE kind = 'duration_begin' AND next = 'duration_end'
UNION ALL
SELECT filename, process, thread, thread_name, category, name, arguments, NULL, record, time, end_time, record
FROM traces WHERE kind = 'duration_complete';
