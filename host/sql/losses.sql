-- Losses by CPU and place: times, records, bytes, and how long.
SELECT filename, thread_name AS cpu, arguments ->> 'where' AS place, count(*) AS times,
       coalesce(sum(CAST(arguments ->> 'records' AS HUGEINT)), 0) AS records, coalesce(sum(CAST(arguments ->> 'bytes' AS HUGEINT)), 0) AS bytes,
       sum(end_time - time) AS loss
FROM traces WHERE kind = 'duration_complete' AND category = 'barefxt' AND name = 'drop_stats' GROUP BY ALL ORDER BY ALL;
