-- Blocks that are live at the end of each trace, by call site: `live` of `sites`. The last event at an address decides.
WITH events AS (
  SELECT filename, known, name, json_extract_string(arguments, '$.caller') AS caller,
         CAST(coalesce(nullif(json_extract_string(arguments, '$.bytes'), ''), '0') AS DECIMAL(20, 0)) AS size,
         lead(name) OVER (PARTITION BY filename, provider, id ORDER BY time, record) AS later
  FROM traces WHERE kind = 'instant' AND category = 'heap' AND name IN ('alloc', 'free', 'realloc') AND id > 0
)
SELECT filename, caller, sum(known) AS blocks, sum(CASE WHEN known = 1 THEN size END) AS bytes
FROM events WHERE later IS NULL AND name <> 'free' GROUP BY filename, caller ORDER BY filename, bytes DESC, caller;
