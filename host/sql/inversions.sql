-- `priority_inversions`: the holder was ready, and a thread of a priority between its own and the waiter's had its CPU. All times that the
-- holder was off its CPU are examined; `barefxt stats` knows the last eight.
WITH priorities AS (
  SELECT filename, thread, time, priority FROM traces WHERE kind = 'context_switch' AND priority IS NOT NULL
  UNION ALL
  SELECT filename, incoming, time, incoming_priority FROM traces WHERE kind = 'context_switch' AND incoming_priority IS NOT NULL
), ranked AS (
  SELECT waits.*, low.priority AS low, high.priority AS high
  FROM lock_waits AS waits
  ASOF JOIN priorities AS low ON waits.filename = low.filename AND waits.holder = low.thread AND waits.until >= low.time
  ASOF JOIN priorities AS high ON waits.filename = high.filename AND waits.thread = high.thread AND waits.until >= high.time
)
SELECT ranked.filename, name, object, ranked.thread AS waiter, holder, kept_off.runner, count(*) AS times,
       sum(least(kept_off.until, woken) - greatest(kept_off.time, since)) AS total,
       max(least(kept_off.until, woken) - greatest(kept_off.time, since)) AS max
FROM ranked JOIN wakeups AS kept_off
  ON kept_off.filename = ranked.filename AND kept_off.thread = holder AND kept_off.step IN ('woken', 'preempted')
     AND kept_off.time < woken AND kept_off.until > since
WHERE kept_off.runner NOT IN (ranked.thread, holder) AND runner_priority >= low AND runner_priority < high
GROUP BY ALL ORDER BY total DESC;
