-- To count the jobs of a client that have not ended.
CREATE INDEX job_open_by_client ON job (client) WHERE closed = 0;
