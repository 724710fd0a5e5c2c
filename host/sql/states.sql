-- Threads runnable, blocked, or either, for want of a wakeup: `runnable_ticks`, `blocked_ticks`, `waiting_ticks`. A thread that leaves a CPU
-- that no switch brought it to is unknown until then.
WITH states AS (SELECT *, coalesce(until, final) - time AS length FROM wakeups JOIN spans USING (filename))
SELECT filename, thread, coalesce(sum(length) FILTER (step IN ('woken', 'preempted') AND coalesce(next, 'runs') = 'runs'), 0) AS runnable,
       coalesce(sum(length) FILTER (step = 'blocks' AND coalesce(next, 'woken') = 'woken'), 0) AS blocked,
       coalesce(sum(length) FILTER (step = 'blocks' AND next = 'runs'), 0) AS waiting
FROM states GROUP BY filename, thread ORDER BY runnable DESC;
