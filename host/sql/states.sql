-- Threads runnable, blocked, or either, for want of a wakeup: `runnable_ticks`, `blocked_ticks`, `waiting_ticks`. A thread that leaves a CPU
-- that no switch brought it to is unknown until then.
WITH stretches AS (
  SELECT wakeups.filename, wakeups.known, thread, step, next, coalesce(until, ended) - time AS length
  FROM wakeups JOIN spans ON wakeups.filename = spans.filename
)
SELECT filename, thread,
       sum(known * CASE WHEN step IN ('woken', 'preempted') AND next IN ('runs', 'none') THEN length ELSE 0 END) AS runnable,
       sum(known * CASE WHEN step = 'blocks' AND next IN ('woken', 'none') THEN length ELSE 0 END) AS blocked,
       sum(known * CASE WHEN step = 'blocks' AND next = 'runs' THEN length ELSE 0 END) AS waiting
FROM stretches GROUP BY filename, thread ORDER BY runnable DESC;
