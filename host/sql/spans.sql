-- When each trace begins and ends. `known` is null if something of it was lost.
CREATE VIEW spans AS
SELECT filename, max(known) AS known, min(time) AS begun,
       CASE WHEN max(end_time) > max(time) THEN max(end_time) ELSE max(time) END AS ended
FROM traces GROUP BY filename;
