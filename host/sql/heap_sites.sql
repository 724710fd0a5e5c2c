-- Blocks that are live at the end of each trace, by call site: `live` of `sites`. The last event at an address decides.
WITH events AS (
  SELECT filename, known, name, json_extract_string(arguments, '$.caller') AS caller, json_extract_string(arguments, '$.bytes') AS bytes,
         lead(name, 1, 'none') OVER (PARTITION BY filename, provider, id ORDER BY time, record) AS later
  FROM traces WHERE kind = 'instant' AND category = 'heap' AND name IN ('alloc', 'free', 'realloc') AND id > 0
)
SELECT filename, caller, sum(known) AS blocks, sum(CAST(bytes AS DECIMAL(20, 0)) * known) AS bytes
FROM events WHERE later = 'none' AND name <> 'free' GROUP BY filename, caller ORDER BY bytes DESC, filename, caller;
