-- Why threads stopped: `switches`, and those by cause.
WITH causes AS (
  SELECT filename, known, thread, thread_name,
         CASE WHEN state IN ('runnable', 'running') AND incoming_priority <= priority THEN 'yielded' WHEN state IN ('runnable', 'running') THEN 'preempted'
              WHEN state IN ('blocked', 'suspended') THEN 'blocked' WHEN state IN ('dying', 'dead') THEN 'ended' ELSE 'other' END AS cause
  FROM traces WHERE kind = 'context_switch'
)
SELECT filename, thread, max(thread_name) AS name, sum(known) AS switches,
       sum(known * CASE WHEN cause = 'preempted' THEN 1 ELSE 0 END) AS preempted,
       sum(known * CASE WHEN cause = 'yielded' THEN 1 ELSE 0 END) AS yielded,
       sum(known * CASE WHEN cause = 'blocked' THEN 1 ELSE 0 END) AS blocked,
       sum(known * CASE WHEN cause = 'ended' THEN 1 ELSE 0 END) AS ended
FROM causes GROUP BY filename, thread ORDER BY switches DESC;
