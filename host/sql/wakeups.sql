-- Wakeups that found a thread blocked, with the thread that ran where they were recorded and the number of interrupts open there; and the
-- other steps of each thread. `until` is the time of the thread's next step, `next` its kind, or 'none'.
CREATE VIEW wakeups AS
WITH steps AS (
  SELECT filename, known, cpu, time, record, kind, thread, incoming, incoming_priority,
         CASE kind WHEN 'duration_begin' THEN 1 WHEN 'duration_end' THEN -1 ELSE 0 END AS nesting
  FROM traces WHERE kind IN ('context_switch', 'thread_wakeup') OR (kind IN ('duration_begin', 'duration_end') AND cpu IS NOT NULL)
), numbered AS (
  SELECT *, count(incoming) OVER so_far AS run, sum(nesting) OVER so_far AS interrupts
  FROM steps WINDOW so_far AS (PARTITION BY filename, cpu ORDER BY time, record ROWS UNBOUNDED PRECEDING)
), running AS (
  SELECT *, max(incoming) OVER of_run AS runner, max(incoming_priority) OVER of_run AS runner_priority
  FROM numbered WINDOW of_run AS (PARTITION BY filename, cpu, run)
), of_threads AS (
  SELECT filename, known, thread, time, record, 'woken' AS step, 0 AS place, runner, runner_priority, interrupts
  FROM running WHERE kind = 'thread_wakeup'
  UNION ALL
  SELECT filename, known, incoming, time, record, 'runs', 1, NULL, NULL, 0 FROM traces WHERE kind = 'context_switch'
  UNION ALL
  SELECT filename, known, thread, time, record,
         CASE WHEN state IN ('runnable', 'running') THEN 'preempted' WHEN state IN ('dying', 'dead') THEN 'ends' ELSE 'blocks' END, 0, incoming, incoming_priority, 0
  FROM traces WHERE kind = 'context_switch'
), ordered AS (
  SELECT *, lag(step, 1, 'none') OVER (PARTITION BY filename, thread ORDER BY time, record, place) AS earlier FROM of_threads
)
SELECT *, lead(time) OVER in_order AS until, lead(step, 1, 'none') OVER in_order AS next
FROM ordered WHERE NOT (step = 'woken' AND earlier NOT IN ('blocks', 'ends', 'none'))
WINDOW in_order AS (PARTITION BY filename, thread ORDER BY time, record, place);
