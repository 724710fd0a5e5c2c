-- When each trace begins and ends.
CREATE VIEW spans AS
SELECT filename, min(time) AS first, greatest(max(time), max(end_time)) AS final FROM traces GROUP BY filename;
