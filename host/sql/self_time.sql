-- `self_ticks` of `durations`: each moment belongs to the innermost duration that is open on the thread, so durations have to nest.
WITH edges AS (
  SELECT filename, known, thread, since AS time, 1 AS step, until, last_record, category, name FROM slices WHERE until > since AND cpu IS NULL
  UNION ALL
  SELECT filename, known, thread, until, -1, until, last_record, NULL, NULL FROM slices WHERE until > since AND cpu IS NULL
), depths AS (
  SELECT *, lead(time) OVER (PARTITION BY filename, thread ORDER BY time, step, until DESC, last_record DESC) - time AS length,
         sum(step) OVER (PARTITION BY filename, thread ORDER BY time, step, until DESC, last_record DESC ROWS UNBOUNDED PRECEDING) AS depth
  FROM edges
), numbered AS (
  SELECT *, count(name) OVER (PARTITION BY filename, thread, depth ORDER BY time, step, until DESC, last_record DESC
                              ROWS UNBOUNDED PRECEDING) AS opened
  FROM depths WHERE depth > 0
), innermost AS (
  SELECT filename, known, length, max(category) OVER one AS owner_category, max(name) OVER one AS owner_name
  FROM numbered WINDOW one AS (PARTITION BY filename, thread, depth, opened)
)
SELECT filename, owner_category AS category, owner_name AS name, sum(length * known) AS self
FROM innermost GROUP BY filename, owner_category, owner_name ORDER BY self DESC;
