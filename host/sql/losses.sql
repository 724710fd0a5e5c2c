-- Losses by CPU and place: times, records, bytes, and how long.
WITH lost AS (
  SELECT filename, thread_name, json_extract_string(arguments, '$.where') AS place,
         CAST(coalesce(nullif(json_extract_string(arguments, '$.records'), ''), '0') AS DECIMAL(20, 0)) AS records_lost,
         CAST(coalesce(nullif(json_extract_string(arguments, '$.bytes'), ''), '0') AS DECIMAL(20, 0)) AS bytes_lost, end_time - time AS length
  FROM traces WHERE kind = 'duration_complete' AND category = 'barefxt' AND name = 'drop_stats'
)
SELECT filename, thread_name AS cpu, place, count(*) AS times, sum(records_lost) AS records, sum(bytes_lost) AS bytes,
       sum(length) AS loss
FROM lost GROUP BY filename, thread_name, place ORDER BY filename, thread_name, place;
