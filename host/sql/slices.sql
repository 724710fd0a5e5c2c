-- Durations from begin to end. `depth` is the nesting of those with records for both ends (1: in none but itself). Those with a `cpu` are
-- its interrupts, and its losses. `object` is the pointer of a complete one.
CREATE VIEW slices AS
WITH edges AS (
  SELECT *, sum(CASE kind WHEN 'duration_begin' THEN 1 ELSE -1 END) OVER (PARTITION BY filename, process, thread ORDER BY time, record)
            + CASE kind WHEN 'duration_begin' THEN 0 ELSE 1 END AS depth
  FROM traces WHERE kind IN ('duration_begin', 'duration_end')
), pairs AS (
  SELECT *, lead(time) OVER same_depth AS until, lead(record) OVER same_depth AS last_record, lead(kind) OVER same_depth AS next
  FROM edges WINDOW same_depth AS (PARTITION BY filename, process, thread, depth ORDER BY time, record)
)
SELECT filename, known, cpu, process, thread, thread_name, category, name, NULL AS object, depth, record AS first_record, time AS since, until, last_record
FROM pairs WHERE kind = 'duration_begin' AND next = 'duration_end'
UNION ALL
SELECT filename, known, cpu, process, thread, thread_name, category, name, id, NULL, record, time, end_time, record
FROM traces WHERE kind = 'duration_complete';
