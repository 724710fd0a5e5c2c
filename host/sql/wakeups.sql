-- Wakeups that found a thread blocked, with the thread that ran where they were recorded and the number of interrupts open there; and the
-- other steps of each thread. `until` is the time of the thread's next step, `next` its kind.
CREATE VIEW wakeups AS
WITH steps AS (
  SELECT filename, cpu, time, record, kind, thread, thread_name, incoming, incoming_priority, 0 AS step
  FROM traces WHERE kind IN ('context_switch', 'thread_wakeup')
  UNION ALL
  SELECT filename, CAST(substr(thread_name, 5) AS UBIGINT), time, record, kind, thread, thread_name, NULL, NULL,
         CASE kind WHEN 'duration_begin' THEN 1 ELSE -1 END
  FROM traces WHERE kind IN ('duration_begin', 'duration_end') AND thread_name SIMILAR TO 'cpu-[0-9]+'
), running AS (
  SELECT *, last_value(incoming IGNORE NULLS) OVER so_far AS runner, last_value(incoming_priority IGNORE NULLS) OVER so_far AS runner_priority,
         sum(step) OVER so_far AS interrupts
  FROM steps WINDOW so_far AS (PARTITION BY filename, cpu ORDER BY time, record ROWS UNBOUNDED PRECEDING)
), of_threads AS (
  SELECT filename, thread, time, record, 'woken' AS step, runner, runner_priority, interrupts FROM running WHERE kind = 'thread_wakeup'
  UNION ALL
  SELECT filename, incoming, time, record, 'runs', NULL, NULL, 0 FROM traces WHERE kind = 'context_switch'
  UNION ALL
  SELECT filename, thread, time, record, CASE WHEN state IN ('new', 'running') THEN 'preempted' WHEN state IN ('dying', 'dead') THEN 'ends' ELSE 'blocks' END,
         incoming, incoming_priority, 0
  FROM traces WHERE kind = 'context_switch'
), ordered AS (
  SELECT *, lag(step) OVER (PARTITION BY filename, thread ORDER BY time, record, step = 'runs') AS before FROM of_threads
)
SELECT *, lead(time) OVER in_order AS until, lead(step) OVER in_order AS next
FROM ordered WHERE NOT (step = 'woken' AND coalesce(before, 'blocks') NOT IN ('blocks', 'ends'))
WINDOW in_order AS (PARTITION BY filename, thread ORDER BY time, record, step = 'runs');
