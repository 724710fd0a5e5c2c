-- Waits for locks, which are durations of the category `lock`, and who ended them: the last wakeup within the wait shows it.
CREATE VIEW lock_waits AS
WITH steps AS (
  SELECT filename, known, thread, time, 0 AS place, time AS woken, runner, interrupts, NULL AS name, NULL AS object, NULL AS since, NULL AS until
  FROM wakeups WHERE step = 'woken'
  UNION ALL
  SELECT filename, known, thread, until, 1, NULL, NULL, NULL, name, object, since, until FROM slices WHERE category = 'lock'
), numbered AS (
  SELECT *, count(woken) OVER (PARTITION BY filename, thread ORDER BY time, place ROWS UNBOUNDED PRECEDING) AS number FROM steps
), found AS (
  SELECT filename, known, thread, name, object, since, until, max(woken) OVER behind AS woken_at, max(runner) OVER behind AS waker,
         max(interrupts) OVER behind AS open_interrupts
  FROM numbered WINDOW behind AS (PARTITION BY filename, thread, number)
)
SELECT filename, known, thread, name, object, since, until, woken_at,
       CASE WHEN woken_at >= since AND open_interrupts = 0 AND waker <> thread THEN waker END AS holder
FROM found WHERE until IS NOT NULL;
