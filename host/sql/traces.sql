-- The tables of all traces. The other files use this view.
CREATE VIEW traces AS SELECT * FROM read_parquet('traces/*.parquet', filename = true);
