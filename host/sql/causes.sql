-- The rows of `barefxt explain --to parquet`.
CREATE VIEW causes AS SELECT * FROM read_parquet('causes/*.parquet');
