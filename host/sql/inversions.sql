-- `priority_inversions`: the holder was ready, and a thread of a priority between its own and the waiter's had its CPU. All times that the
-- holder was off its CPU are examined; `barefxt stats` knows the last eight.
WITH priorities AS (
  SELECT filename, thread, time, priority FROM traces WHERE kind = 'context_switch' AND priority IS NOT NULL
  UNION ALL
  SELECT filename, incoming, time, incoming_priority FROM traces WHERE kind = 'context_switch' AND incoming_priority IS NOT NULL
), of_holders AS (
  SELECT filename, thread, time, 0 AS place, priority, NULL AS known, NULL AS name, NULL AS object, NULL AS waiter, NULL AS since, NULL AS woken_at
  FROM priorities
  UNION ALL
  SELECT filename, holder, until, 1, NULL, known, name, object, thread, since, woken_at FROM lock_waits WHERE holder IS NOT NULL
), numbered_holders AS (
  SELECT *, count(priority) OVER (PARTITION BY filename, thread ORDER BY time, place ROWS UNBOUNDED PRECEDING) AS number FROM of_holders
), held AS (
  SELECT *, max(priority) OVER (PARTITION BY filename, thread, number) AS low_priority FROM numbered_holders
), of_waiters AS (
  SELECT filename, thread, time, 0 AS place, priority, NULL AS known, NULL AS name, NULL AS object, NULL AS holder, NULL AS since, NULL AS woken_at,
         NULL AS low_priority
  FROM priorities
  UNION ALL
  SELECT filename, waiter, time, 1, NULL, known, name, object, thread, since, woken_at, low_priority FROM held WHERE waiter IS NOT NULL
), numbered_waiters AS (
  SELECT *, count(priority) OVER (PARTITION BY filename, thread ORDER BY time, place ROWS UNBOUNDED PRECEDING) AS number FROM of_waiters
), ranked AS (
  SELECT *, max(priority) OVER (PARTITION BY filename, thread, number) AS high_priority FROM numbered_waiters
), kept_off AS (
  SELECT ranked.filename AS filename, ranked.known AS known, name, object, ranked.thread AS waiter, holder, waiting.runner AS runner, since, woken_at,
         least(waiting.until, woken_at) - greatest(waiting.time, since) AS length
  FROM ranked JOIN wakeups AS waiting ON waiting.filename = ranked.filename AND waiting.thread = ranked.holder
  WHERE step IN ('woken', 'preempted') AND waiting.time < woken_at AND waiting.until > since
    AND waiting.runner NOT IN (ranked.thread, holder) AND runner_priority >= low_priority AND runner_priority < high_priority
), waits AS (
  SELECT filename, name, object, waiter, holder, runner, sum(known) AS pieces, sum(length) * max(known) AS length
  FROM kept_off GROUP BY filename, name, object, waiter, holder, runner, since, woken_at
)
SELECT filename, name, object, waiter, holder, runner, sum(pieces) AS times, sum(length) AS total, max(length) AS max
FROM waits GROUP BY filename, name, object, waiter, holder, runner ORDER BY total DESC;
