-- Time on a CPU and number of runs by thread: `running_ticks` and `runs` of `threads`.
WITH runs AS (
  SELECT filename, incoming AS thread, incoming_name AS thread_name, time,
         coalesce(lead(time) OVER (PARTITION BY filename, cpu ORDER BY time, record), final) AS until
  FROM traces JOIN spans USING (filename) WHERE kind = 'context_switch'
)
SELECT filename, thread, any_value(thread_name) AS name, count(*) AS runs, sum(until - time) AS running
FROM runs GROUP BY filename, thread ORDER BY running DESC;
