-- Why threads stopped: `switches`, and those by cause.
SELECT filename, thread, any_value(thread_name) AS name, count(*) AS switches,
       count(*) FILTER (state IN ('new', 'running') AND coalesce(incoming_priority > priority, true)) AS preempted,
       count(*) FILTER (state IN ('new', 'running') AND incoming_priority <= priority) AS yielded,
       count(*) FILTER (state IN ('blocked', 'suspended')) AS blocked,
       count(*) FILTER (state IN ('dying', 'dead')) AS ended
FROM traces WHERE kind = 'context_switch' GROUP BY filename, thread ORDER BY switches DESC;
