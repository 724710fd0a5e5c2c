-- `self_ticks` of `durations`: each moment belongs to the innermost duration that is open on the thread, so durations have to nest.
WITH edges AS (
  SELECT filename, thread, thread_name, since AS time, 1 AS step, until, last, {'category': category, 'name': name} AS label
  FROM slices WHERE until > since
  UNION ALL
  SELECT filename, thread, thread_name, until, -1, until, last, NULL FROM slices WHERE until > since
), depths AS (
  SELECT *, sum(step) OVER (whole_thread ROWS UNBOUNDED PRECEDING) AS depth, lead(time) OVER whole_thread - time AS length
  FROM edges WINDOW whole_thread AS (PARTITION BY filename, thread ORDER BY time, step, until DESC, last DESC)
), innermost AS (
  SELECT *, last_value(label IGNORE NULLS) OVER (PARTITION BY filename, thread, depth ORDER BY time, step, until DESC, last DESC
                                                 ROWS UNBOUNDED PRECEDING) AS owner
  FROM depths WHERE depth > 0
)
SELECT filename, owner.category AS category, owner.name AS name, sum(length) AS self
FROM innermost WHERE thread_name IS NULL OR thread_name NOT LIKE 'cpu-%' GROUP BY ALL ORDER BY self DESC;
