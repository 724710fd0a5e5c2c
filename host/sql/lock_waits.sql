-- Waits for locks, which are durations of the category `lock`, and who ended them.
CREATE VIEW lock_waits AS
SELECT waits.*, list_filter([arguments ->> key FOR key IN json_keys(arguments)], lambda one : one SIMILAR TO '0x[0-9a-f]+')[1] AS object,
       woken.time AS woken,
       CASE WHEN woken.time >= waits.since AND woken.interrupts = 0 AND woken.runner <> waits.thread THEN woken.runner END AS holder
FROM (SELECT * FROM slices WHERE category = 'lock') AS waits
ASOF LEFT JOIN (SELECT * FROM wakeups WHERE step = 'woken') AS woken
  ON waits.filename = woken.filename AND waits.thread = woken.thread AND waits.until >= woken.time;
